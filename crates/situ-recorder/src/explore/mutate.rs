//! Mutation of values: numbers stay within their type, lists keep the shape of their elements.

use super::dictionary::Dictionary;
use super::generate::Maker;
use super::random::Random;
use super::relate::relate;
use super::shape::{Id, Shape, Shapes, wrapped};
use super::text_mutation;
use super::tree::Tree;

/// The maximum depth of new values.
const LEVELS: usize = 5;
/// The length from which on lists do not grow.
const LONGEST: usize = 256;

/// A mutator of values.
pub struct Mutator<'m> {
    /// The interesting values.
    pub dictionary: &'m Dictionary,
    /// All shapes.
    pub shapes: &'m Shapes,
}

impl Mutator<'_> {
    fn maker(&self) -> Maker<'_> {
        Maker::new(self.dictionary, self.shapes)
    }

    /// Mutates a value in one to a few places. `other` is a value of the same shape to take parts
    /// from.
    pub fn mutate(&self, tree: &mut Tree, id: Id, other: Option<&Tree>, random: &mut Random) {
        if random.one_in(6) && relate(self, tree, id, random) && !random.one_in(4) {
            return;
        }
        let times = 1 + random.small(3);
        // A part of one place may be what is missing in another.
        let own = random.one_in(6).then(|| tree.clone());
        let other = own.as_ref().or(other);
        for _ in 0..times {
            let mut left = random.below(count(tree, id, self.shapes));
            if let Some((node, id)) = nth(tree, id, self.shapes, &mut left) {
                self.change(node, id, other, random);
            }
        }
    }

    /// Mutates one place.
    pub fn change(&self, node: &mut Tree, id: Id, other: Option<&Tree>, random: &mut Random) {
        if random.one_in(12) {
            *node = self.maker().make(id, LEVELS, random);
            return;
        }
        if let (true, Some(other)) = (random.one_in(8), other)
            && let Some(part) = self.part_like(other, id, random)
        {
            *node = part;
            return;
        }
        match (self.shapes.get(id), node) {
            (Shape::Bool, Tree::Int(value)) => *value ^= 1,
            (Shape::Char, Tree::Int(value)) => {
                let moved = *value + random.below(5) as i128 - 2;
                let character = u32::try_from(moved).ok().and_then(char::from_u32);
                let character = character.filter(|_| !random.one_in(2));
                *value =
                    i128::from(u32::from(character.unwrap_or_else(|| {
                        super::generate::any_character(self.dictionary, random)
                    })));
            }
            (Shape::Int { signed, bits }, Tree::Int(value)) => {
                *value = self.changed_integer(*value, *signed, *bits, random);
            }
            (Shape::Float { .. }, Tree::Float(value)) => {
                *value = self.changed_float(*value, random)
            }
            (Shape::Text { .. }, Tree::Text(text)) => {
                text_mutation::change(text, self.dictionary, random)
            }
            (Shape::List { of, length, .. }, Tree::List(parts)) => {
                self.change_list(parts, *of, *length, other, random)
            }
            (Shape::Choice { variants }, Tree::Node(variant, parts)) => {
                let at = random.below(variants.len().max(1));
                if variants
                    .get(at)
                    .is_some_and(|variant| self.shapes.depth_of_variant(variant).is_none())
                {
                    return;
                }
                let Some(chosen) = variants.get(at) else {
                    return;
                };
                let maker = self.maker();
                let before = std::mem::take(parts);
                let before_ids = &variants[*variant as usize].parts;
                // Parts that both variants have are kept.
                let kept = |position: usize, id: Id| {
                    before
                        .get(position)
                        .filter(|_| before_ids.get(position) == Some(&id))
                        .cloned()
                };
                *parts = chosen
                    .parts
                    .iter()
                    .enumerate()
                    .map(|(position, id)| {
                        kept(position, *id).unwrap_or_else(|| maker.make(*id, 3, random))
                    })
                    .collect();
                *variant = at as u32;
            }
            (Shape::Points { .. }, node) => {
                *node = self.maker().make(id, LEVELS, random);
            }
            _ => {}
        }
    }

    fn changed_integer(&self, value: i128, signed: bool, bits: u32, random: &mut Random) -> i128 {
        let step = 1 + random.small(16) as i128;
        let changed = match random.below(10) {
            0 | 1 => value.wrapping_add(step),
            2 | 3 => value.wrapping_sub(step),
            4 => value ^ (1_i128 << random.below(bits as usize)),
            5 => value.wrapping_neg(),
            6 => [
                value.wrapping_mul(2),
                value / 2,
                value.wrapping_mul(10),
                value / 10,
            ][random.below(4)],
            _ => self.dictionary.integer(signed, bits, random),
        };
        wrapped(changed, signed, bits)
    }

    fn changed_float(&self, value: f64, random: &mut Random) -> f64 {
        match random.below(9) {
            0 => value + 1.0,
            1 => value - 1.0,
            2 => -value,
            3 => value.next_up(),
            4 => value.next_down(),
            5 => value * 2.0,
            6 => value / 2.0,
            7 => value.trunc(),
            _ => self.dictionary.float(random),
        }
    }

    fn change_list(
        &self,
        parts: &mut Vec<Tree>,
        of: Id,
        length: Option<usize>,
        other: Option<&Tree>,
        random: &mut Random,
    ) {
        let maker = self.maker();
        if parts.len() > 1 && random.one_in(5) {
            let (one, two) = (random.below(parts.len()), random.below(parts.len()));
            return parts.swap(one, two);
        }
        if length.is_some() || self.shapes.depth(of).is_none() {
            return;
        }
        let at = random.below(parts.len() + 1);
        match random.below(8) {
            0 | 1 if at < parts.len() => drop(parts.remove(at)),
            2 if at < parts.len() => {
                let end = at + random.below(parts.len() - at) + 1;
                parts.drain(at..end);
            }
            3 if at < parts.len() => {
                let copy = parts[at].clone();
                let to = random.below(parts.len() + 1);
                parts.insert(to, copy);
            }
            4 => {
                let part = other.and_then(|other| self.part_like(other, of, random));
                parts.insert(
                    at,
                    part.unwrap_or_else(|| maker.make(of, LEVELS - 1, random)),
                );
            }
            5 if at < parts.len() => {
                let end = at + random.below(parts.len() - at) + 1;
                let copies = parts[at..end].to_vec();
                parts.splice(at..at, copies);
            }
            6 => {
                let most = if random.one_in(20) { 64 } else { 4 };
                let more = 1 + random.small(most);
                let new: Vec<Tree> = (0..more).map(|_| maker.make(of, 2, random)).collect();
                parts.splice(at..at, new);
            }
            _ => parts.insert(at, maker.make(of, LEVELS - 1, random)),
        }
        parts.truncate(LONGEST);
    }

    /// Returns a part of another value that has this shape.
    fn part_like(&self, other: &Tree, id: Id, random: &mut Random) -> Option<Tree> {
        // Only nodes of the same form are compared: parts of one form mostly have one shape.
        let mut found = Vec::new();
        collect(other, &mut found);
        (0..4).find_map(|_| {
            let part = *random.pick(&found)?;
            self.shapes.fits(part, id).then(|| part.clone())
        })
    }
}

fn collect<'t>(tree: &'t Tree, found: &mut Vec<&'t Tree>) {
    found.push(tree);
    if let Tree::List(parts) | Tree::Node(_, parts) = tree {
        parts.iter().for_each(|part| collect(part, found));
    }
}

/// Returns the shape of a part of a tree.
fn part_id(tree: &Tree, id: Id, shapes: &Shapes, at: usize) -> Option<Id> {
    match (shapes.get(id), tree) {
        (Shape::List { of, .. }, Tree::List(_)) => Some(*of),
        (Shape::Choice { variants }, Tree::Node(variant, _)) => {
            variants.get(*variant as usize)?.parts.get(at).copied()
        }
        _ => None,
    }
}

/// Returns the shape of the values of a parameter, without its data points.
pub fn behind_points(tree: &Tree, id: Id, shapes: &Shapes) -> Id {
    match (shapes.get(id), tree) {
        (Shape::Points { .. }, Tree::Point(_)) => id,
        (Shape::Points { of: Some(of), .. }, _) => *of,
        _ => id,
    }
}

/// Returns the number of places of a value that can be mutated.
pub fn count(tree: &Tree, id: Id, shapes: &Shapes) -> usize {
    let _ = (id, shapes);
    match tree {
        Tree::List(parts) | Tree::Node(_, parts) => {
            1 + parts
                .iter()
                .map(|part| count(part, id, shapes))
                .sum::<usize>()
        }
        _ => 1,
    }
}

/// Returns the place with this index, and its shape.
pub fn nth<'t>(
    tree: &'t mut Tree,
    id: Id,
    shapes: &Shapes,
    left: &mut usize,
) -> Option<(&'t mut Tree, Id)> {
    if *left == 0 {
        return Some((tree, id));
    }
    *left -= 1;
    let inner = behind_points(tree, id, shapes);
    let length = match tree {
        Tree::List(parts) | Tree::Node(_, parts) => parts.len(),
        _ => 0,
    };
    for at in 0..length {
        let Some(part) = part_id(tree, inner, shapes, at) else {
            continue;
        };
        let (Tree::List(parts) | Tree::Node(_, parts)) = &*tree else {
            return None;
        };
        let inside = count(&parts[at], part, shapes);
        if *left < inside {
            let (Tree::List(parts) | Tree::Node(_, parts)) = tree else {
                return None;
            };
            return nth(&mut parts[at], part, shapes, left);
        }
        *left -= inside;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Mutator, count, nth};
    use crate::explore::dictionary::Dictionary;
    use crate::explore::generate::simplest;
    use crate::explore::random::Random;
    use crate::explore::{Shapes, Tree};

    #[test]
    fn a_mutated_value_is_still_one_of_its_type() {
        let mut shapes = Shapes::default();
        let id = shapes.of::<Vec<(Option<String>, i8, [bool; 3], f64)>>();
        shapes.settle();
        let dictionary = Dictionary::parse("i 77\nt word\n");
        let mutator = Mutator {
            dictionary: &dictionary,
            shapes: &shapes,
        };
        let mut random = Random::new(1);
        let mut tree = simplest(id, &shapes);
        let mut sizes = Vec::new();
        for _ in 0..5_000 {
            let before = tree.clone();
            mutator.mutate(&mut tree, id, Some(&before), &mut random);
            assert!(shapes.fits(&tree, id), "{tree:?}");
            sizes.push(tree.size());
        }
        assert!(sizes.iter().any(|size| *size > 30));
    }

    #[test]
    fn every_place_has_its_number() {
        let mut shapes = Shapes::default();
        let id = shapes.of::<(u8, Vec<u8>)>();
        let mut tree = Tree::Node(
            0,
            vec![Tree::Int(1), Tree::List(vec![Tree::Int(2), Tree::Int(3)])],
        );
        assert_eq!(count(&tree, id, &shapes), 5);
        let mut at = |number: usize| {
            nth(&mut tree, id, &shapes, &mut number.clone()).map(|(node, _)| node.clone())
        };
        assert_eq!(at(1), Some(Tree::Int(1)));
        assert_eq!(at(4), Some(Tree::Int(3)));
        assert_eq!(at(5), None);
    }
}
