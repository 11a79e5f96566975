//! Finds out how a part of the input moves an operand of a comparison, and moves it to where both are equal.

use super::compares::Compared;
use super::mutate::{behind_points, count, nth};
use super::session::Session;
use super::shape::{Id, Shape, Shapes, wrapped};
use super::tree::Tree;
use std::collections::HashMap;

/// What is known of one comparison in the code.
#[derive(Clone, Copy, Debug, Default)]
struct Goal {
    less: bool,
    equal: bool,
    greater: bool,
    nearest: u64,
    tries: u32,
}

/// Comparisons, by place.
#[derive(Debug, Default)]
pub struct Goals {
    by_site: HashMap<usize, Goal>,
}

/// How often a comparison is worked at before it is left alone.
const MOST_TRIES: u32 = 24;
const MOST_LEAVES: usize = 40;
const MOST_TARGETS: usize = 16;

impl Goals {
    /// Notes the comparisons of an execution; true where one came out as never before, or came much nearer.
    pub fn note(&mut self, compared: &[Compared]) -> bool {
        let mut progress = false;
        for one in compared {
            let goal = self.by_site.entry(one.site).or_insert(Goal { nearest: u64::MAX, ..Goal::default() });
            let seen = match one.left.cmp(&one.right) {
                std::cmp::Ordering::Less => &mut goal.less,
                std::cmp::Ordering::Equal => &mut goal.equal,
                std::cmp::Ordering::Greater => &mut goal.greater,
            };
            progress |= !std::mem::replace(seen, true);
            let distance = distance(one);
            if !goal.equal && (distance < goal.nearest / 2 || (goal.nearest < 64 && distance < goal.nearest)) {
                goal.nearest = distance;
                progress = true;
            }
        }
        progress
    }

    fn is_open(&self, compared: &Compared) -> bool {
        self.by_site.get(&compared.site).is_none_or(|goal| !goal.equal && goal.tries < MOST_TRIES)
    }
}

/// How far apart the operands are, round the corner too.
fn distance(compared: &Compared) -> u64 {
    let mask = u64::MAX >> (64 - compared.bits);
    let apart = compared.left.wrapping_sub(compared.right) & mask;
    apart.min(apart.wrapping_neg() & mask)
}

/// Inputs for which an open comparison of this one should come out equal, or just not.
pub fn solutions(session: &mut Session<'_>, goals: &mut Goals, tree: &Tree) -> Vec<Tree> {
    session.traced(tree);
    let first = numbered(&session.log.integers);
    let mut targets: Vec<(usize, usize)> = Vec::new();
    for (key, compared) in &first.1 {
        if compared.left != compared.right && goals.is_open(compared) && targets.len() < MOST_TARGETS {
            targets.push(*key);
            goals.by_site.entry(compared.site).or_default().tries += 1;
        }
    }
    let mut found = Vec::new();
    if targets.is_empty() {
        return found;
    }
    for leaf in leaves(tree, session.root, &session.shapes).into_iter().take(MOST_LEAVES) {
        if session.is_over() {
            break;
        }
        let Some(moved) = leaf.moved(tree, 1, session.root, &session.shapes) else { continue };
        session.traced(&moved);
        let second = numbered(&session.log.integers).0;
        for target in &targets {
            let (Some(before), Some(after)) = (first.0.get(target), second.get(target)) else { continue };
            for steps in steps(before, after) {
                found.extend(leaf.moved(tree, steps, session.root, &session.shapes));
            }
        }
    }
    found
}

type Numbered = (HashMap<(usize, usize), Compared>, Vec<((usize, usize), Compared)>);

/// Comparisons by place and how often that place was passed before.
fn numbered(compared: &[Compared]) -> Numbered {
    let mut passed: HashMap<usize, usize> = HashMap::new();
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

/// How many steps of one make both operands equal, if the operands move evenly.
fn steps(before: &Compared, after: &Compared) -> Vec<i128> {
    let bits = before.bits;
    let signed = |value: u64| wrapped(i128::from(value), true, bits);
    let moved = signed(after.left.wrapping_sub(before.left)) - signed(after.right.wrapping_sub(before.right));
    let moved = wrapped(moved, true, bits);
    if moved == 0 {
        return Vec::new();
    }
    let apart = signed(before.right.wrapping_sub(before.left));
    let straight = apart / moved;
    let mut all = vec![straight, straight + 1, straight - 1];
    // Seen without a sign the way may be longer, or the other way round.
    let unsigned = i128::from(before.right) - i128::from(before.left);
    if unsigned != apart {
        all.extend([unsigned / moved, unsigned / moved + 1]);
    }
    if moved & 1 == 1 && apart % moved != 0 {
        let inverse = inverse(moved as u64);
        let round = (apart as u64).wrapping_mul(inverse);
        all.push(wrapped(i128::from(round), true, bits));
        all.push(wrapped(i128::from(round), false, bits));
    }
    all.retain(|steps| *steps != 0 && *steps != 1);
    all
}

/// What an odd number times this is 1, in 64 bits.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// A number in an input: an integer, a character of a text, a length.
#[derive(Clone, Copy, Debug)]
enum Part {
    Whole,
    Character(usize),
    Length,
}

#[derive(Clone, Copy, Debug)]
struct Leaf {
    /// The place's number.
    place: usize,
    part: Part,
}

impl Leaf {
    /// The input with this number moved; none where there is no such value.
    fn moved(&self, tree: &Tree, steps: i128, root: Id, shapes: &Shapes) -> Option<Tree> {
        let mut changed = tree.clone();
        let (node, id) = nth(&mut changed, root, shapes, &mut self.place.clone())?;
        let id = behind_points(node, id, shapes);
        match (self.part, shapes.get(id), node) {
            (Part::Whole, Shape::Int { signed, bits }, Tree::Int(value)) => {
                *value = wrapped(value.wrapping_add(steps), *signed, *bits);
            }
            (Part::Whole, Shape::Char, Tree::Int(value)) => {
                *value = value.checked_add(steps)?;
                u32::try_from(*value).ok().and_then(char::from_u32)?;
            }
            (Part::Character(at), _, Tree::Text(text)) => {
                let mut characters: Vec<char> = text.chars().collect();
                let code = i128::from(u32::from(*characters.get(at)?)).checked_add(steps)?;
                characters[at] = u32::try_from(code).ok().and_then(char::from_u32)?;
                *text = characters.into_iter().collect();
            }
            (Part::Length, _, Tree::Text(text)) => {
                let length = usize::try_from(text.chars().count() as i128 + steps).ok()?;
                let filler = text.chars().last().unwrap_or('a');
                *text =
                    (length <= 4_096).then(|| text.chars().chain(std::iter::repeat(filler)).take(length).collect())?;
            }
            (Part::Length, Shape::List { of, length: None, .. }, Tree::List(parts)) => {
                let length = usize::try_from(parts.len() as i128 + steps).ok().filter(|length| *length <= 4_096)?;
                let filler = parts.last().cloned().unwrap_or_else(|| super::generate::simplest(*of, shapes));
                parts.resize(length, filler);
            }
            _ => return None,
        }
        Some(changed)
    }
}

fn leaves(tree: &Tree, root: Id, shapes: &Shapes) -> Vec<Leaf> {
    let mut copy = tree.clone();
    let mut all = Vec::new();
    for place in 0..count(tree, root, shapes) {
        match nth(&mut copy, root, shapes, &mut place.clone()) {
            Some((Tree::Int(_), _)) => all.push(Leaf { place, part: Part::Whole }),
            Some((Tree::Text(text), _)) => {
                all.push(Leaf { place, part: Part::Length });
                all.extend((0..text.chars().count().min(24)).map(|at| Leaf { place, part: Part::Character(at) }));
            }
            Some((Tree::List(_), _)) => all.push(Leaf { place, part: Part::Length }),
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Goals, inverse, steps};
    use crate::explore::compares::Compared;

    fn compared(left: u64, right: u64) -> Compared {
        Compared { site: 1, bits: 32, left, right }
    }

    #[test]
    fn an_operand_that_moves_evenly_is_moved_to_the_other() {
        assert!(steps(&compared(10, 100), &compared(13, 100)).contains(&30));
        assert!(steps(&compared(10, 100), &compared(10, 97)).contains(&30));
        assert!(steps(&compared(5, 5), &compared(5, 5)).is_empty());
        let times = |input: u64| input.wrapping_mul(31).wrapping_add(7) & 0xffff_ffff;
        let wanted = times(1_234_567_890);
        let all = steps(&compared(times(2), wanted), &compared(times(3), wanted));
        assert!(all.iter().any(|steps| times((2 + *steps) as u64) == wanted), "{all:?}");
    }

    #[test]
    fn odd_numbers_have_an_inverse() {
        assert!([1, 3, 31, 0xffff_ffff_ffff_ffff_u64].iter().all(|odd| odd.wrapping_mul(inverse(*odd)) == 1));
    }

    #[test]
    fn a_comparison_makes_progress_when_it_comes_nearer_or_out_otherwise() {
        let mut goals = Goals::default();
        assert!(goals.note(&[compared(0, 1_000)]));
        assert!(!goals.note(&[compared(1, 1_000)]));
        assert!(goals.note(&[compared(600, 1_000)]));
        assert!(goals.note(&[compared(2_000, 1_000)]), "greater for the first time");
        assert!(goals.note(&[compared(1_000, 1_000)]));
        assert!(!goals.note(&[compared(999, 1_000)]), "it was equal before");
    }
}
