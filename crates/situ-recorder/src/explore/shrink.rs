//! Shrinking of a failing value, as long as it fails in the same way.

use super::cost::cost;
use super::generate::simplest;
use super::mutate::behind_points;
use super::shape::{Id, Shape, Shapes};
use super::simpler::{pairs, simpler};
use super::tree::Tree;

/// Replacements of one or two places of a tree, each as a path and the new subtree.
pub type Edit = Vec<(Vec<usize>, Tree)>;

/// The number of parts of a list or string that are simplified one by one. Removals apply to all
/// parts.
pub const MAX_PARTS: usize = 64;

/// Shrinks a value; `fails` decides whether a candidate still fails in the same way. Returns the
/// simplest one that does.
pub fn shrink(tree: Tree, id: Id, shapes: &Shapes, fails: &mut dyn FnMut(&Tree) -> bool) -> Tree {
    shrink_to(tree, id, shapes, &mut |candidate, _| {
        fails(candidate).then(|| candidate.clone())
    })
}

/// Shrinks a value; `failing` returns the candidate, or a value derived from it, if that fails in
/// the same way and is simpler than the best so far.
pub fn shrink_to(
    tree: Tree,
    id: Id,
    shapes: &Shapes,
    failing: &mut dyn FnMut(&Tree, &Tree) -> Option<Tree>,
) -> Tree {
    let mut best = tree;
    let mut start = 0;
    loop {
        let candidates = candidates(&best, id, shapes);
        // The next edits are most likely those that come after the one that worked; only a whole
        // round without one ends it.
        let mut round = (0..candidates.len()).map(|step| (start + step) % candidates.len());
        let found = round.find_map(|at| failing(&candidates[at], &best).map(|found| (at, found)));
        let Some((at, found)) = found else {
            return best;
        };
        (start, best) = (at, found);
    }
}

/// Returns all values that are simpler by one edit, those that save most first.
pub fn candidates(tree: &Tree, id: Id, shapes: &Shapes) -> Vec<Tree> {
    let mut edits = Vec::new();
    let mut leaves = Vec::new();
    walk(tree, id, shapes, &mut Vec::new(), &mut edits, &mut leaves);
    pairs(&leaves, &mut edits);
    let own = cost(tree, id, shapes);
    let applied = edits.into_iter().map(|edit| with(tree, &edit));
    let is_simpler =
        |candidate: &Tree| shapes.fits(candidate, id) && cost(candidate, id, shapes) < own;
    applied.filter(is_simpler).collect()
}

fn with(tree: &Tree, edit: &Edit) -> Tree {
    let mut changed = tree.clone();
    for (path, new) in edit {
        let mut node = &mut changed;
        for at in path {
            let (Tree::List(parts) | Tree::Node(_, parts)) = node else {
                return tree.clone();
            };
            let Some(part) = parts.get_mut(*at) else {
                return tree.clone();
            };
            node = part;
        }
        *node = new.clone();
    }
    changed
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
            for (at, part) in parts.iter().enumerate().take(MAX_PARTS) {
                path.push(at);
                walk(part, *of, shapes, path, edits, leaves);
                path.pop();
            }
        }
        (Shape::Choice { variants }, Tree::Node(variant, parts)) => {
            let ids = variants
                .get(*variant as usize)
                .map(|variant| variant.parts.clone())
                .unwrap_or_default();
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
        let small = shrink(tree, id, &shapes, &mut |tree| {
            T::build(tree).is_some_and(|value| fails(&value))
        });
        assert_eq!(T::build(&small), Some(expected));
    }

    #[test]
    fn numbers_go_towards_zero() {
        check(123_456_789_u32, |value| *value >= 1_000, 1_000);
        check(-5_000_i64, |value| *value < -17, -18);
        check(u128::MAX, |value| *value > 1 << 100, (1 << 100) + 1);
        check(-7.25_f64, |value| value.abs() > 2.0, 3.0);
        check(-9.707e193_f64, |value| *value < -1e15, -1e16);
    }

    #[test]
    fn texts_and_lists_lose_all_that_does_not_matter() {
        check(
            String::from("some /long/ text"),
            |text| text.contains('/'),
            String::from("/"),
        );
        check(
            String::from("Xyzzy-QQ"),
            |text| text.len() > 3,
            String::from("aaaa"),
        );
        check(
            String::from("x\u{961e7}y"),
            |text| text.chars().any(|one| one.len_utf8() > 3),
            String::from("𐀀"),
        );
        // A string with one byte less than two per char: a shorter encoding goes with one char
        // less.
        let misfits =
            |text: &String| !text.is_ascii() && text.len() == 2 * text.chars().count() - 1;
        check(String::from("€aa"), misfits, String::from("¡a"));
        check(
            vec![9_u8, 200, 3, 77, 150],
            |list| list.iter().filter(|one| **one > 100).count() > 1,
            vec![101, 101],
        );
        check(
            vec![Some(3_u8), None],
            |list| list.contains(&None),
            vec![None],
        );
    }

    #[test]
    fn what_must_stay_equal_shrinks_together() {
        check(
            (717_u32, 717_u32),
            |(one, other)| one == other && *one > 5,
            (6, 6),
        );
        check(
            (1_000_i32, 1_007_i32),
            |(one, other)| other - one == 7,
            (0, 7),
        );
        check(
            (String::from("hello"), String::from("hello")),
            |(one, other)| one == other && !one.is_empty(),
            (String::from("a"), String::from("a")),
        );
    }
}
