//! Solving of comparisons: measures how a part of the input changes an operand, and changes it
//! until both are equal.

use super::arithmetic::{combined, steps};
use super::compares::Compared;
use super::goals::Goals;
use super::leaf::{Leaf, Part, leaves};
use super::session::Session;
use super::sites::{Plainly, SiteMap};
use super::tree::Tree;
use std::collections::HashMap;

const MAX_LEAVES: usize = 40;
const MAX_TARGETS: usize = 16;
/// The number of comparisons solved bit by bit, which takes one execution per bit.
const MAX_BY_BITS: usize = 6;

/// Returns inputs for which an open comparison of this one should be equal, or just not equal.
pub fn solutions(session: &mut Session<'_>, goals: &mut Goals, tree: &Tree) -> Vec<Tree> {
    session.traced(tree);
    let first = numbered(&session.log.integers);
    let mut targets: Vec<(usize, usize)> = Vec::new();
    for (key, compared) in &first.1 {
        if compared.left != compared.right && goals.is_open(compared) && targets.len() < MAX_TARGETS
        {
            targets.push(*key);
            goals.note_try(compared);
        }
    }
    let mut found = Vec::new();
    let mut by_bits = 0;
    if targets.is_empty() {
        return found;
    }
    for leaf in leaves(tree, session.root, &session.shapes)
        .into_iter()
        .take(MAX_LEAVES)
    {
        if session.is_over() {
            break;
        }
        let Some(moved) = leaf.moved(tree, 1, session.root, &session.shapes) else {
            continue;
        };
        session.traced(&moved);
        let second = numbered(&session.log.integers).0;
        for target in &targets {
            let (Some(before), Some(after)) = (first.0.get(target), second.get(target)) else {
                continue;
            };
            let even = steps(before, after);
            if even.is_empty() {
                continue;
            }
            for steps in even {
                found.extend(leaf.moved(tree, steps, session.root, &session.shapes));
            }
            if let (Part::Whole, true) = (leaf.part, by_bits < MAX_BY_BITS) {
                by_bits += 1;
                found.extend(solved_by_bits(session, tree, &leaf, *target, before));
            }
        }
    }
    found
}

/// Solves rotations, shifts, exclusive or, and checksums made of these: each bit of the input flips
/// certain bits of the operand.
fn solved_by_bits(
    session: &mut Session<'_>,
    tree: &Tree,
    leaf: &Leaf,
    target: (usize, usize),
    before: &Compared,
) -> Option<Tree> {
    let bits = leaf.bits(tree, session.root, &session.shapes)?;
    let mut rows: Vec<(u64, u64)> = Vec::new();
    for bit in 0..bits.min(64) {
        let flipped = leaf.flipped(tree, 1 << bit, session.root, &session.shapes)?;
        session.traced(&flipped);
        let after = numbered(&session.log.integers).0;
        let effect = after.get(&target).map_or(0, |after| {
            (after.left ^ after.right) ^ (before.left ^ before.right)
        });
        rows.push((effect, 1 << bit));
    }
    let mask = combined(rows, before.left ^ before.right)?;
    leaf.flipped(tree, mask, session.root, &session.shapes)
}

type Numbered = (
    HashMap<(usize, usize), Compared, Plainly>,
    Vec<((usize, usize), Compared)>,
);

/// Pairs each comparison with its place and the number of earlier comparisons there.
fn numbered(compared: &[Compared]) -> Numbered {
    let mut passed: SiteMap<usize> = SiteMap::default();
    let mut ordered = Vec::new();
    for one in compared {
        let number = passed.entry(one.site).or_default();
        if *number < 8 {
            ordered.push(((one.site, *number), *one));
        }
        *number += 1;
    }
    (ordered.iter().copied().collect(), ordered)
}
