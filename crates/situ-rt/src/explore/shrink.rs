//! Makes a value that fails smaller, as long as it fails in the same way.

use super::generate::simplest;
use super::mutate::behind_points;
use super::shape::{Id, Shape, Shapes};
use super::tree::Tree;

/// One or two places of a tree with what to put there.
type Edit = Vec<(Vec<usize>, Tree)>;

/// Of longer lists and texts only the first parts are made simpler; parts of any are taken out.
const MOST_PARTS: usize = 64;

/// Tries ever simpler values; `fails` says whether one still fails in the same way. Gives the simplest that does.
pub fn shrink(tree: Tree, id: Id, shapes: &Shapes, fails: &mut dyn FnMut(&Tree) -> bool) -> Tree {
    let mut best = tree;
    let mut start = 0;
    loop {
        let candidates = candidates(&best, id, shapes);
        // The next edits are most likely those that come after the one that worked; only a whole round without one ends it.
        let round = (0..candidates.len()).map(|step| (start + step) % candidates.len());
        let Some(at) = round.into_iter().find(|at| fails(&candidates[*at])) else { return best };
        best = candidates[at].clone();
        start = at;
    }
}

/// All simpler values that are one edit away, those that save most first.
pub fn candidates(tree: &Tree, id: Id, shapes: &Shapes) -> Vec<Tree> {
    let mut edits = Vec::new();
    let mut leaves = Vec::new();
    walk(tree, id, shapes, &mut Vec::new(), &mut edits, &mut leaves);
    pairs(&leaves, &mut edits);
    let cost = cost(tree, id, shapes);
    let applied = edits.into_iter().map(|edit| with(tree, &edit));
    let is_simpler = |candidate: &Tree| shapes.fits(candidate, id) && self::cost(candidate, id, shapes) < cost;
    applied.filter(is_simpler).collect()
}

fn with(tree: &Tree, edit: &Edit) -> Tree {
    let mut changed = tree.clone();
    for (path, new) in edit {
        let mut node = &mut changed;
        for at in path {
            let (Tree::List(parts) | Tree::Node(_, parts)) = node else { return tree.clone() };
            let Some(part) = parts.get_mut(*at) else { return tree.clone() };
            node = part;
        }
        *node = new.clone();
    }
    changed
}

/// How large a value is, and then how far its leaves are from the simplest ones.
fn cost(tree: &Tree, id: Id, shapes: &Shapes) -> (usize, u128) {
    let inner = behind_points(tree, id, shapes);
    match (shapes.get(inner), tree) {
        (Shape::Int { signed: false, .. } | Shape::Bool, Tree::Int(value)) => (1, *value as u128),
        (Shape::Char, Tree::Int(value)) => (1, rank(char_of(*value))),
        (_, Tree::Int(value)) => (1, value.unsigned_abs().saturating_mul(2) + u128::from(*value < 0)),
        (_, Tree::Float(value)) => (1, float_rank(*value)),
        (_, Tree::Text(text)) => (1 + text.chars().count(), text.chars().map(rank).sum()),
        // A data point has a name already.
        (_, Tree::Point(number)) => (1, u128::from(*number)),
        (Shape::List { of, .. }, Tree::List(parts)) => sum(parts.iter().map(|part| cost(part, *of, shapes)), 0),
        (Shape::Choice { variants }, Tree::Node(variant, parts)) => {
            let ids = variants.get(*variant as usize).map(|variant| variant.parts.as_slice()).unwrap_or_default();
            sum(parts.iter().zip(ids).map(|(part, id)| cost(part, *id, shapes)), u128::from(*variant))
        }
        _ => (1, 0),
    }
}

fn sum(parts: impl Iterator<Item = (usize, u128)>, own: u128) -> (usize, u128) {
    parts.fold((1, own), |(size, weight), (more, heavier)| (size + more, weight.saturating_add(heavier)))
}

/// How far a character is from the simplest one.
fn rank(character: char) -> u128 {
    let code = u128::from(u32::from(character));
    match character {
        'a'..='z' => code - u128::from(u32::from('a')),
        '0'..='9' => 100 + code,
        'A'..='Z' => 200 + code,
        ' ' => 400,
        '!'..='~' => 500 + code,
        '\n' => 700,
        _ if character.is_ascii() => 800 + code,
        _ => 2_000 + code,
    }
}

fn float_rank(value: f64) -> u128 {
    let negative = u128::from(value.is_sign_negative());
    let magnitude = value.abs();
    if !magnitude.is_finite() {
        return u128::MAX / 2 + negative + 2 * u128::from(value.is_nan());
    }
    if magnitude.trunc() == magnitude && magnitude < 1e15 {
        return 2 * magnitude as u128 + negative;
    }
    // A fraction: the shorter it is written, the better.
    (1 << 64) + 2 * format!("{magnitude:?}").len() as u128 + negative
}

fn char_of(value: i128) -> char {
    u32::try_from(value).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
}

/// Collects the edits of a tree, whole parts before leaves, and its leaves.
fn walk(
    tree: &Tree,
    id: Id,
    shapes: &Shapes,
    path: &mut Vec<usize>,
    edits: &mut Vec<Edit>,
    leaves: &mut Vec<(Vec<usize>, Tree)>,
) {
    let here = |new: Tree| vec![(path.clone(), new)];
    let simple = simplest(id, shapes);
    if simple != *tree {
        edits.push(here(simple));
    }
    let inner = behind_points(tree, id, shapes);
    edits.extend(simpler(tree, inner, shapes).into_iter().map(here));
    match (shapes.get(inner), tree) {
        (Shape::List { of, .. }, Tree::List(parts)) => {
            for (at, part) in parts.iter().enumerate().take(MOST_PARTS) {
                path.push(at);
                walk(part, *of, shapes, path, edits, leaves);
                path.pop();
            }
        }
        (Shape::Choice { variants }, Tree::Node(variant, parts)) => {
            let ids = variants.get(*variant as usize).map(|variant| variant.parts.clone()).unwrap_or_default();
            for (at, (part, id)) in parts.iter().zip(ids).enumerate() {
                path.push(at);
                walk(part, id, shapes, path, edits, leaves);
                path.pop();
            }
        }
        (_, Tree::Int(_) | Tree::Text(_)) => leaves.push((path.clone(), tree.clone())),
        _ => {}
    }
}

/// What may stand in the place of one node.
fn simpler(tree: &Tree, id: Id, shapes: &Shapes) -> Vec<Tree> {
    match (shapes.get(id), tree) {
        (Shape::Char, Tree::Int(value)) => {
            simpler_characters(char_of(*value)).into_iter().map(|one| Tree::Int(i128::from(u32::from(one)))).collect()
        }
        (Shape::Int { signed, .. }, Tree::Int(value)) => simpler_integers(*value, *signed),
        (Shape::Float { .. }, Tree::Float(value)) => {
            [1.0, -value, value.trunc(), (value / 2.0).trunc(), value / 2.0, value - value.signum(), 2.0, 10.0, 0.5]
                .map(Tree::Float)
                .to_vec()
        }
        (Shape::Text { .. }, Tree::Text(text)) => simpler_texts(text),
        (Shape::List { length: None, .. }, Tree::List(parts)) => removals(parts.len())
            .into_iter()
            .map(|range| {
                let mut fewer = parts.clone();
                fewer.drain(range);
                Tree::List(fewer)
            })
            .collect(),
        (Shape::Choice { variants }, Tree::Node(variant, parts)) => {
            let mut all = Vec::new();
            // A part of the same shape in the place of the whole.
            inside_of_same_shape(tree, id, id, shapes, &mut all);
            let own = variants.get(*variant as usize).map(|variant| variant.parts.as_slice()).unwrap_or_default();
            for (at, other) in variants.iter().enumerate() {
                if at != *variant as usize && shapes.depth_of_variant(other).is_some() {
                    let part = |(position, id): (usize, &Id)| match parts.get(position) {
                        Some(part) if own.get(position) == Some(id) => part.clone(),
                        _ => simplest(*id, shapes),
                    };
                    all.push(Tree::Node(at as u32, other.parts.iter().enumerate().map(part).collect()));
                }
            }
            all
        }
        _ => Vec::new(),
    }
}

fn inside_of_same_shape(tree: &Tree, id: Id, wanted: Id, shapes: &Shapes, found: &mut Vec<Tree>) {
    let ids: Vec<Id> = match (shapes.get(id), tree) {
        (Shape::List { of, .. }, Tree::List(parts)) => vec![*of; parts.len()],
        (Shape::Choice { variants }, Tree::Node(variant, _)) => {
            variants.get(*variant as usize).map(|variant| variant.parts.clone()).unwrap_or_default()
        }
        _ => return,
    };
    let (Tree::List(parts) | Tree::Node(_, parts)) = tree else { return };
    for (part, id) in parts.iter().zip(ids) {
        if id == wanted {
            found.push(part.clone());
        }
        inside_of_same_shape(part, id, wanted, shapes, found);
    }
}

fn simpler_integers(value: i128, signed: bool) -> Vec<Tree> {
    let mut all = vec![0, 1];
    if signed {
        all.push(value.wrapping_neg());
        all.push(-1);
    }
    // Towards zero in ever smaller steps.
    let magnitude = if signed { value.unsigned_abs() } else { value as u128 };
    let mut step = magnitude / 2;
    while step > 0 {
        let smaller = (magnitude - step) as i128;
        all.push(if signed && value < 0 { smaller.wrapping_neg() } else { smaller });
        step /= 2;
    }
    all.into_iter().filter(|other| *other != value).map(Tree::Int).collect()
}

fn simpler_characters(character: char) -> Vec<char> {
    let lower = character.to_lowercase().next().unwrap_or(character);
    let before = char::from_u32(u32::from(character).saturating_sub(1)).unwrap_or('a');
    let all = ['a', 'b', '0', '1', 'A', ' ', '!', lower, 'ä', before];
    all.into_iter().filter(|other| rank(*other) < rank(character)).collect()
}

fn simpler_texts(text: &str) -> Vec<Tree> {
    let characters: Vec<char> = text.chars().collect();
    let mut all: Vec<Tree> = removals(characters.len())
        .into_iter()
        .map(|range| {
            let kept = characters[..range.start].iter().chain(&characters[range.end..]);
            Tree::Text(kept.collect())
        })
        .collect();
    if characters.len() > MOST_PARTS {
        return all;
    }
    // One character for all of its kind, then one by one.
    for (at, character) in characters.iter().enumerate() {
        for other in simpler_characters(*character) {
            if characters[..at].contains(character) {
                continue;
            }
            let replaced = characters.iter().map(|one| if one == character { other } else { *one });
            all.push(Tree::Text(replaced.collect()));
        }
    }
    for (at, character) in characters.iter().enumerate() {
        for other in simpler_characters(*character) {
            let mut changed = characters.clone();
            changed[at] = other;
            all.push(Tree::Text(changed.into_iter().collect()));
        }
    }
    all
}

/// Ranges to remove: halves, quarters, and so on to single ones.
fn removals(length: usize) -> Vec<std::ops::Range<usize>> {
    let mut all = Vec::new();
    let mut size = length;
    // The single ones of a long list would be too many.
    while size > length / 200 {
        let mut start = 0;
        while start < length {
            all.push(start..(start + size).min(length));
            start += size;
        }
        size /= 2;
    }
    all
}

/// Two leaves at once, for what must stay equal, or apart by as much.
fn pairs(leaves: &[(Vec<usize>, Tree)], edits: &mut Vec<Edit>) {
    const MOST: usize = 16;
    for (at, (path, one)) in leaves.iter().take(MOST).enumerate() {
        for (other_path, other) in leaves.iter().take(MOST).skip(at + 1) {
            let mut both = |one: Tree, other: Tree| edits.push(vec![(path.clone(), one), (other_path.clone(), other)]);
            match (one, other) {
                (Tree::Int(one), Tree::Int(other)) => {
                    let mut step = if one.unsigned_abs() < other.unsigned_abs() { *one } else { *other };
                    while step != 0 {
                        both(Tree::Int(one.wrapping_sub(step)), Tree::Int(other.wrapping_sub(step)));
                        step /= 2;
                    }
                }
                (Tree::Text(one), Tree::Text(other)) => {
                    for skipped in 0..one.chars().count().max(other.chars().count()).min(64) {
                        let without = |text: &str| -> String {
                            let kept = text.chars().enumerate().filter(|(at, _)| *at != skipped);
                            kept.map(|(_, one)| one).collect()
                        };
                        both(Tree::Text(without(one)), Tree::Text(without(other)));
                    }
                    for (at, character) in one.char_indices().take(16) {
                        if one[..at].contains(character) || !other.contains(character) {
                            continue;
                        }
                        for simple in simpler_characters(character) {
                            let simple = simple.encode_utf8(&mut [0; 4]).to_owned();
                            both(
                                Tree::Text(one.replace(character, &simple)),
                                Tree::Text(other.replace(character, &simple)),
                            );
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shrink;
    use crate::explore::{Explore, Shapes};
    use std::fmt::Debug;

    #[track_caller]
    fn check<T: Explore + PartialEq + Debug>(from: T, fails: impl Fn(&T) -> bool, expected: T) {
        let mut shapes = Shapes::default();
        let id = shapes.of::<T>();
        shapes.settle();
        let tree = from.tree().unwrap();
        let small = shrink(tree, id, &shapes, &mut |tree| T::build(tree).is_some_and(|value| fails(&value)));
        assert_eq!(T::build(&small), Some(expected));
    }

    #[test]
    fn numbers_go_towards_zero() {
        check(123_456_789_u32, |value| *value >= 1_000, 1_000);
        check(-5_000_i64, |value| *value < -17, -18);
        check(u128::MAX, |value| *value > 1 << 100, (1 << 100) + 1);
        check(-7.25_f64, |value| value.abs() > 2.0, 3.0);
    }

    #[test]
    fn texts_and_lists_lose_all_that_does_not_matter() {
        check(String::from("some /long/ text"), |text| text.contains('/'), String::from("/"));
        check(String::from("Xyzzy-QQ"), |text| text.len() > 3, String::from("aaaa"));
        check(vec![9_u8, 200, 3, 77, 150], |list| list.iter().filter(|one| **one > 100).count() > 1, vec![101, 101]);
        check(vec![Some(3_u8), None], |list| list.contains(&None), vec![None]);
    }

    #[test]
    fn what_must_stay_equal_shrinks_together() {
        check((717_u32, 717_u32), |(one, other)| one == other && *one > 5, (6, 6));
        check((1_000_i32, 1_007_i32), |(one, other)| other - one == 7, (0, 7));
        check((String::from("hello"), String::from("hello")), |(one, other)| one == other && !one.is_empty(), {
            (String::from("a"), String::from("a"))
        });
    }
}
