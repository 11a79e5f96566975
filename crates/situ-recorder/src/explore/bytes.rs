//! Values from a fuzzer's bytes: every byte string is a value of every shape that has one.

use super::generate::simplest;
use super::random::Random;
use super::shape::{Form, Id, Shape, Shapes, wrapped};
use super::tree::Tree;

/// The byte that ends a string if something follows it; it occurs in no UTF-8 string.
const END_OF_TEXT: u8 = 0xff;
/// The depth from which on only simplest values are made.
const MAX_LEVELS: usize = 24;
const LONGEST: usize = 4_096;
/// If a parameter has data points, a first byte below this selects one.
const POINTS_BELOW: u8 = 32;

/// Decodes bytes into a value. After the end of the bytes the remaining parts are simplest values.
pub fn tree_of(bytes: &[u8], id: Id, shapes: &Shapes) -> Tree {
    Reader { left: bytes }.tree(id, shapes, true, MAX_LEVELS)
}

/// Decodes bytes into a value of a type that the closures describe.
pub fn made_of<T>(
    bytes: &[u8],
    id: impl FnOnce(&mut Shapes) -> Id,
    build: impl FnOnce(&Tree) -> Option<T>,
) -> Option<T> {
    let mut shapes = Shapes::default();
    let id = id(&mut shapes);
    shapes.settle();
    shapes.depth(id)?;
    build(&tree_of(bytes, id, &shapes))
}

/// Adds the shape of values that other code makes from bytes, written as `before`, the bytes,
/// `after`.
pub fn bytes_between(shapes: &mut Shapes, before: String, after: &str) -> Id {
    let of = shapes.of::<u8>();
    let list = shapes.add(Shape::List {
        of,
        open: "&[".to_owned(),
        close: "]".to_owned(),
        length: None,
    });
    shapes.add(Shape::single(
        Form::Around(before, after.to_owned()),
        vec![list],
    ))
}

/// Adds the shape of values that other code makes from a seed of fixed length, written as `before`,
/// the seed, `after`.
pub fn seed_between(shapes: &mut Shapes, before: String, after: &str) -> Id {
    let of = shapes.of::<u8>();
    let list = shapes.add(Shape::List {
        of,
        open: "&[".to_owned(),
        close: "]".to_owned(),
        length: Some(32),
    });
    shapes.add(Shape::single(
        Form::Around(before, after.to_owned()),
        vec![list],
    ))
}

/// Appends many more bytes, always the same ones, for code that requests bytes until it accepts a
/// value and would otherwise never end.
pub fn padded(mut bytes: Vec<u8>) -> Vec<u8> {
    let seed = bytes.iter().fold(1, |seed: u64, byte| {
        seed.wrapping_mul(31).wrapping_add(u64::from(*byte))
    });
    let mut random = Random::new(seed);
    bytes.extend((0..LONGEST).map(|_| random.below(256) as u8));
    bytes
}

/// Returns the bytes of a value whose shape is [`bytes_between`] or [`seed_between`].
pub fn bytes_in(tree: &Tree) -> Option<Vec<u8>> {
    let Tree::Node(_, parts) = tree else {
        return None;
    };
    let [Tree::List(bytes)] = parts.as_slice() else {
        return None;
    };
    let byte = |tree: &Tree| match tree {
        Tree::Int(value) => u8::try_from(*value).ok(),
        _ => None,
    };
    bytes.iter().map(byte).collect()
}

struct Reader<'b> {
    left: &'b [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.left.split_first() else {
            return 0;
        };
        self.left = rest;
        *first
    }

    /// Reads a number, lowest byte first.
    fn number(&mut self, bits: u32) -> u128 {
        (0..bits.div_ceil(8)).fold(0, |number, at| number | u128::from(self.byte()) << (8 * at))
    }

    /// Decodes one value. The last one uses all remaining bytes.
    fn tree(&mut self, id: Id, shapes: &Shapes, is_last: bool, levels: usize) -> Tree {
        match shapes.get(id) {
            Shape::Bool => Tree::Int(i128::from(self.byte() & 1)),
            Shape::Char => Tree::Int(i128::from(u32::from(self.character()))),
            Shape::Int { signed, bits } => {
                Tree::Int(wrapped(self.number(*bits) as i128, *signed, *bits))
            }
            Shape::Float { bits: 32 } => {
                Tree::Float(f64::from(f32::from_bits(self.number(32) as u32)))
            }
            Shape::Float { .. } => Tree::Float(f64::from_bits(self.number(64) as u64)),
            Shape::Text { .. } => Tree::Text(self.text(is_last)),
            Shape::List { of, length, .. } => self.list(*of, *length, shapes, is_last, levels),
            Shape::Choice { variants } => {
                let possible: Vec<usize> = (0..variants.len())
                    .filter(|at| shapes.depth_of_variant(&variants[*at]).is_some())
                    .collect();
                if levels == 0 || possible.is_empty() {
                    return simplest(id, shapes);
                }
                let at = if possible.len() == 1 {
                    0
                } else {
                    usize::from(self.byte()) % possible.len()
                };
                let parts = &variants[possible[at]].parts;
                let part = |(at, part): (usize, &Id)| {
                    self.tree(*part, shapes, is_last && at + 1 == parts.len(), levels - 1)
                };
                Tree::Node(
                    possible[at] as u32,
                    parts.iter().enumerate().map(part).collect(),
                )
            }
            Shape::Points { of, points } => {
                let of = of.filter(|of| shapes.depth(*of).is_some());
                match of {
                    Some(of) if points.is_empty() => self.tree(of, shapes, is_last, levels),
                    Some(of) => match self.byte() {
                        byte if byte < POINTS_BELOW => {
                            Tree::Point(u32::from(byte) % points.len() as u32)
                        }
                        _ => self.tree(of, shapes, is_last, levels),
                    },
                    None => Tree::Point(u32::from(self.byte()) % points.len().max(1) as u32),
                }
            }
            Shape::Impossible => Tree::Int(0),
        }
    }

    fn character(&mut self) -> char {
        match self.byte() {
            byte if byte.is_ascii() => char::from(byte),
            _ => char::from_u32(self.number(24) as u32 % 0x11_0000).unwrap_or('\u{fffd}'),
        }
    }

    fn text(&mut self, is_last: bool) -> String {
        let end = self
            .left
            .iter()
            .position(|byte| *byte == END_OF_TEXT)
            .filter(|_| !is_last);
        let (text, rest) = self.left.split_at(end.unwrap_or(self.left.len()));
        self.left = rest.get(1..).unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    }

    fn list(
        &mut self,
        of: Id,
        length: Option<usize>,
        shapes: &Shapes,
        is_last: bool,
        levels: usize,
    ) -> Tree {
        let inner = levels.saturating_sub(1);
        if let Some(length) = length {
            let part = |at: usize| self.tree(of, shapes, is_last && at + 1 == length, inner);
            return Tree::List((0..length).map(part).collect());
        }
        if shapes.depth(of).is_none() || levels == 0 {
            return Tree::List(Vec::new());
        }
        // Bytes stay adjacent, so that a fuzzer recognises parts of its input.
        if let Shape::Int { bits: 8, .. } = shapes.get(of) {
            let told = if is_last {
                usize::MAX
            } else {
                self.number(16) as usize
            };
            let length = told.min(self.left.len()).min(LONGEST);
            return Tree::List(
                (0..length)
                    .map(|_| self.tree(of, shapes, false, inner))
                    .collect(),
            );
        }
        let mut parts = Vec::new();
        while parts.len() < LONGEST && !self.left.is_empty() && self.byte() & 1 == 1 {
            parts.push(self.tree(of, shapes, false, inner));
        }
        Tree::List(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::tree_of;
    use crate::explore::random::Random;
    use crate::explore::{Explore, Shapes};
    use std::fmt::Debug;

    #[track_caller]
    fn check<T: Explore + PartialEq + Debug>(bytes: &[u8], expected: T) {
        let mut shapes = Shapes::default();
        let id = shapes.of::<T>();
        shapes.settle();
        assert_eq!(T::build(&tree_of(bytes, id, &shapes)), Some(expected));
    }

    #[test]
    fn bytes_are_read_as_values() {
        check(&[1, 2], 0x0201_u16);
        check(&[0xfe, 0xff], -2_i16);
        check(b"some text", String::from("some text"));
        check(b"one\xfftwo", (String::from("one"), String::from("two")));
        check(&[7, 8, 9], vec![7_u8, 8, 9]);
        check(&[2, 0, 7, 8, 5], (vec![7_u8, 8], 5_u8));
        check(&[1, 10, 0, 1, 20, 0], vec![10_u16, 20]);
        check(&[], (0_u8, String::new(), None::<bool>));
    }

    #[test]
    fn any_bytes_are_a_value() {
        type Deep = Vec<(Option<String>, Result<[u8; 2], char>, f32)>;
        let mut shapes = Shapes::default();
        let id = shapes.of::<Deep>();
        shapes.settle();
        let mut random = Random::new(11);
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
            let tree = tree_of(&bytes, id, &shapes);
            assert!(
                shapes.fits(&tree, id) && Deep::build(&tree).is_some(),
                "{bytes:?} {tree:?}"
            );
        }
    }
}
