//! The numbers in an input, which solving can change.

use super::mutate::{behind_points, count, nth};
use super::shape::{Id, Shape, Shapes, wrapped};
use super::tree::Tree;

/// The kind of a number in an input: an integer, a char of a string, a length.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// The integer itself.
    Whole,
    /// The char at this position.
    Character(usize),
    /// The length.
    Length,
}

/// A number in an input.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The index of its place.
    place: usize,
    /// The kind of number.
    pub part: Part,
}

impl Leaf {
    /// Returns the width of an integer in bits.
    pub fn bits(&self, tree: &Tree, root: Id, shapes: &Shapes) -> Option<u32> {
        let mut copy = tree.clone();
        let (node, id) = nth(&mut copy, root, shapes, &mut self.place.clone())?;
        match shapes.get(behind_points(node, id, shapes)) {
            Shape::Int { bits, .. } => Some(*bits),
            _ => None,
        }
    }

    /// Returns the input with some bits of an integer flipped.
    pub fn flipped(&self, tree: &Tree, mask: u64, root: Id, shapes: &Shapes) -> Option<Tree> {
        let mut changed = tree.clone();
        let (node, id) = nth(&mut changed, root, shapes, &mut self.place.clone())?;
        let id = behind_points(node, id, shapes);
        match (shapes.get(id), node) {
            (Shape::Int { signed, bits }, Tree::Int(value)) => {
                *value = wrapped(*value ^ i128::from(mask), *signed, *bits)
            }
            _ => return None,
        }
        Some(changed)
    }

    /// Returns the input with this number changed by `steps`, or `None` if there is no such value.
    pub fn moved(&self, tree: &Tree, steps: i128, root: Id, shapes: &Shapes) -> Option<Tree> {
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
                *text = (length <= 4_096).then(|| {
                    text.chars()
                        .chain(std::iter::repeat(filler))
                        .take(length)
                        .collect()
                })?;
            }
            (
                Part::Length,
                Shape::List {
                    of, length: None, ..
                },
                Tree::List(parts),
            ) => {
                let length = usize::try_from(parts.len() as i128 + steps)
                    .ok()
                    .filter(|length| *length <= 4_096)?;
                let filler = parts
                    .last()
                    .cloned()
                    .unwrap_or_else(|| super::generate::simplest(*of, shapes));
                parts.resize(length, filler);
            }
            _ => return None,
        }
        Some(changed)
    }
}

/// Returns all numbers of an input.
pub fn leaves(tree: &Tree, root: Id, shapes: &Shapes) -> Vec<Leaf> {
    let mut copy = tree.clone();
    let mut all = Vec::new();
    for place in 0..count(tree, root, shapes) {
        match nth(&mut copy, root, shapes, &mut place.clone()) {
            Some((Tree::Int(_), _)) => all.push(Leaf {
                place,
                part: Part::Whole,
            }),
            Some((Tree::Text(text), _)) => {
                all.push(Leaf {
                    place,
                    part: Part::Length,
                });
                all.extend((0..text.chars().count().min(24)).map(|at| Leaf {
                    place,
                    part: Part::Character(at),
                }));
            }
            Some((Tree::List(_), _)) => all.push(Leaf {
                place,
                part: Part::Length,
            }),
            _ => {}
        }
    }
    all
}
