//! Simpler values that may replace a value.

use super::cost::{char_of, rank};
use super::generate::{RARE, simplest};
use super::shape::{Id, Shape, Shapes};
use super::shrink::{Edit, MAX_PARTS};
use super::tree::Tree;

/// Returns the replacements of one node.
pub fn simpler(tree: &Tree, id: Id, shapes: &Shapes) -> Vec<Tree> {
    match (shapes.get(id), tree) {
        (Shape::Char, Tree::Int(value)) => simpler_characters(char_of(*value))
            .into_iter()
            .map(|one| Tree::Int(i128::from(u32::from(one))))
            .collect(),
        (Shape::Int { signed, .. }, Tree::Int(value)) => simpler_integers(*value, *signed),
        (Shape::Float { .. }, Tree::Float(value)) => simpler_floats(*value),
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
            // A part of the same shape may replace the whole.
            inside_of_same_shape(tree, id, id, shapes, &mut all);
            let own = variants
                .get(*variant as usize)
                .map(|variant| variant.parts.as_slice())
                .unwrap_or_default();
            for (at, other) in variants.iter().enumerate() {
                if at != *variant as usize && shapes.depth_of_variant(other).is_some() {
                    let part = |(position, id): (usize, &Id)| match parts.get(position) {
                        Some(part) if own.get(position) == Some(id) => part.clone(),
                        _ => simplest(*id, shapes),
                    };
                    all.push(Tree::Node(
                        at as u32,
                        other.parts.iter().enumerate().map(part).collect(),
                    ));
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
        (Shape::Choice { variants }, Tree::Node(variant, _)) => variants
            .get(*variant as usize)
            .map(|variant| variant.parts.clone())
            .unwrap_or_default(),
        _ => return,
    };
    let (Tree::List(parts) | Tree::Node(_, parts)) = tree else {
        return;
    };
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
    // Towards zero in smaller and smaller steps.
    let magnitude = if signed {
        value.unsigned_abs()
    } else {
        value as u128
    };
    let mut step = magnitude / 2;
    while step > 0 {
        let smaller = (magnitude - step) as i128;
        all.push(if signed && value < 0 {
            smaller.wrapping_neg()
        } else {
            smaller
        });
        step /= 2;
    }
    all.into_iter()
        .filter(|other| *other != value)
        .map(Tree::Int)
        .collect()
}

fn simpler_floats(value: f64) -> Vec<Tree> {
    let near = [
        1.0,
        -value,
        value.trunc(),
        (value / 2.0).trunc(),
        value / 2.0,
        value - value.signum(),
        2.0,
        10.0,
        0.5,
    ];
    // Of large floats, round ones are the shortest to write.
    let round = [3, 6, 9, 12, 15, 16, 17, 18, 19, 20, 38, 39, 100, 300]
        .map(|power| 10_f64.powi(power).copysign(value));
    near.into_iter()
        .chain(round.into_iter().filter(|round| round.abs() < value.abs()))
        .map(Tree::Float)
        .collect()
}

fn simpler_characters(character: char) -> Vec<char> {
    let lower = character.to_lowercase().next().unwrap_or(character);
    let mut all = vec!['a', 'b', 'c', '0', '1', 'A', ' ', '!', lower, '¡', 'ß', 'ä'];
    if !character.is_ascii() {
        // Another special char may have the same property; then towards the first chars in smaller
        // and smaller steps.
        all.extend(RARE);
        let mut step = u32::from(character) / 2;
        while step > 0 {
            all.extend(char::from_u32(u32::from(character) - step));
            step /= 2;
        }
    }
    all.extend(char::from_u32(u32::from(character).saturating_sub(1)));
    all.into_iter()
        .filter(|other| rank(*other) < rank(character))
        .collect()
}

fn simpler_texts(text: &str) -> Vec<Tree> {
    let characters: Vec<char> = text.chars().collect();
    let mut all: Vec<Tree> = removals(characters.len())
        .into_iter()
        .map(|range| {
            let kept = characters[..range.start]
                .iter()
                .chain(&characters[range.end..]);
            Tree::Text(kept.collect())
        })
        .collect();
    if characters.len() > MAX_PARTS {
        return all;
    }
    shorter_encodings(&characters, &mut all);
    // Replaces all chars of a kind at once, then one by one.
    for (at, character) in characters.iter().enumerate() {
        for other in simpler_characters(*character) {
            if characters[..at].contains(character) {
                continue;
            }
            let replaced = characters
                .iter()
                .map(|one| if one == character { other } else { *one });
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

/// Adds strings in which a char of fewer bytes replaces a removed one. This preserves byte offsets.
fn shorter_encodings(characters: &[char], all: &mut Vec<Tree>) {
    const LONGEST: usize = 8;
    if characters.len() > LONGEST {
        return;
    }
    for (at, character) in characters.iter().enumerate() {
        for shorter in ['a', '¡', '€']
            .into_iter()
            .filter(|shorter| shorter.len_utf8() < character.len_utf8())
        {
            for gone in (0..characters.len()).filter(|gone| *gone != at) {
                let kept = characters
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| *place != gone);
                all.push(Tree::Text(
                    kept.map(|(place, one)| if place == at { shorter } else { *one })
                        .collect(),
                ));
            }
        }
    }
}

/// Returns ranges to remove: halves, quarters, and so on to single elements.
fn removals(length: usize) -> Vec<std::ops::Range<usize>> {
    let mut all = Vec::new();
    let mut size = length;
    // The single elements of a long list would be too many.
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

/// Adds edits of all strings at once, if there are more than two.
fn all_texts(leaves: &[(Vec<usize>, Tree)], edits: &mut Vec<Edit>) {
    let texts: Vec<(&Vec<usize>, &String)> = leaves
        .iter()
        .filter_map(|(path, leaf)| match leaf {
            Tree::Text(text) => Some((path, text)),
            _ => None,
        })
        .collect();
    if !(3..=8).contains(&texts.len()) {
        return;
    }
    let mut all = |change: &dyn Fn(&str) -> String| {
        edits.push(
            texts
                .iter()
                .map(|(path, text)| ((*path).clone(), Tree::Text(change(text))))
                .collect(),
        );
    };
    let longest = texts
        .iter()
        .map(|(_, text)| text.chars().count())
        .max()
        .unwrap_or(0);
    (0..longest.min(64)).for_each(|skipped| all(&|text| without(text, skipped)));
    let mut characters: Vec<char> = texts
        .iter()
        .flat_map(|(_, text)| text.chars())
        .take(64)
        .collect();
    characters.sort_unstable();
    characters.dedup();
    for character in characters {
        all(&|text| text.replace(character, ""));
        for simple in simpler_characters(character) {
            all(&|text| text.replace(character, simple.encode_utf8(&mut [0; 4])));
        }
    }
}

/// Returns a string without the char at this index.
fn without(text: &str, skipped: usize) -> String {
    let kept = text.chars().enumerate().filter(|(at, _)| *at != skipped);
    kept.map(|(_, one)| one).collect()
}

/// Adds edits of several leaves at once, for values that must stay equal or keep their distance.
pub fn pairs(leaves: &[(Vec<usize>, Tree)], edits: &mut Vec<Edit>) {
    const MOST: usize = 16;
    all_texts(leaves, edits);
    for (at, (path, one)) in leaves.iter().take(MOST).enumerate() {
        for (other_path, other) in leaves.iter().take(MOST).skip(at + 1) {
            let mut both = |one: Tree, other: Tree| {
                edits.push(vec![(path.clone(), one), (other_path.clone(), other)])
            };
            match (one, other) {
                (Tree::Int(one), Tree::Int(other)) => {
                    let mut step = if one.unsigned_abs() < other.unsigned_abs() {
                        *one
                    } else {
                        *other
                    };
                    while step != 0 {
                        both(
                            Tree::Int(one.wrapping_sub(step)),
                            Tree::Int(other.wrapping_sub(step)),
                        );
                        step /= 2;
                    }
                }
                (Tree::Text(one), Tree::Text(other)) => {
                    for skipped in 0..one.chars().count().max(other.chars().count()).min(64) {
                        both(
                            Tree::Text(without(one, skipped)),
                            Tree::Text(without(other, skipped)),
                        );
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
