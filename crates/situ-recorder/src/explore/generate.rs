//! Generation of values: the simplest one of a shape, and random ones.

use super::dictionary::Dictionary;
use super::random::Random;
use super::shape::{Id, Shape, Shapes};
use super::text_mutation::{plain_text, some_text};
use super::tree::Tree;

/// Returns the simplest value of a shape, which must have one.
pub fn simplest(id: Id, shapes: &Shapes) -> Tree {
    match shapes.get(id) {
        Shape::Bool | Shape::Int { .. } | Shape::Impossible => Tree::Int(0),
        Shape::Char => Tree::Int(i128::from(u32::from('a'))),
        Shape::Float { .. } => Tree::Float(0.0),
        Shape::Text { .. } => Tree::Text(String::new()),
        Shape::List { of, length, .. } => Tree::List(
            (0..length.unwrap_or(0))
                .map(|_| simplest(*of, shapes))
                .collect(),
        ),
        Shape::Choice { variants } => {
            let shallow = variants.iter().enumerate().filter_map(|(at, variant)| {
                shapes
                    .depth_of_variant(variant)
                    .map(|depth| (depth, variant.parts.len(), at))
            });
            let at = shallow.min().map_or(0, |(_, _, at)| at);
            let parts = variants
                .get(at)
                .map(|variant| variant.parts.as_slice())
                .unwrap_or_default();
            Tree::Node(
                at as u32,
                parts.iter().map(|part| simplest(*part, shapes)).collect(),
            )
        }
        Shape::Points { of, .. } => match of.filter(|of| shapes.depth(*of).is_some()) {
            Some(of) => simplest(of, shapes),
            None => Tree::Point(0),
        },
    }
}

/// A generator of random values.
pub struct Maker<'m> {
    /// The interesting values.
    pub dictionary: &'m Dictionary,
    /// All shapes.
    pub shapes: &'m Shapes,
    /// If present, the only chars of strings, which are short then. Functions that compare several
    /// strings then get strings with much in common.
    pub letters: Option<Letters>,
    /// The maximum length of lists.
    pub room: usize,
}

/// A small alphabet.
pub type Letters = [char; 4];

/// The default maximum length of lists.
const ROOM: usize = 8;

/// Returns simple chars and some that inputs were compared with.
pub fn some_letters(dictionary: &Dictionary, random: &mut Random) -> Letters {
    let mut special = |otherwise: char| match random.one_in(3) {
        true => otherwise,
        false => random
            .pick(dictionary.characters())
            .copied()
            .unwrap_or(otherwise),
    };
    ['a', 'b', special('c'), special('d')]
}

impl<'m> Maker<'m> {
    /// Creates a generator with any chars and moderate lengths.
    pub fn new(dictionary: &'m Dictionary, shapes: &'m Shapes) -> Maker<'m> {
        Maker {
            dictionary,
            shapes,
            letters: None,
            room: ROOM,
        }
    }

    /// Generates a value, at most `levels` deep if the shape allows that.
    pub fn make(&self, id: Id, levels: usize, random: &mut Random) -> Tree {
        match self.shapes.get(id) {
            Shape::Bool => Tree::Int(random.below(2) as i128),
            Shape::Char => Tree::Int(i128::from(u32::from(any_character(
                self.dictionary,
                random,
            )))),
            Shape::Int { signed, bits } => {
                Tree::Int(self.dictionary.integer(*signed, *bits, random))
            }
            Shape::Float { .. } => Tree::Float(self.dictionary.float(random)),
            Shape::Text { .. } => Tree::Text(match &self.letters {
                Some(letters) => plain_text(letters, random),
                None => some_text(self.dictionary, random),
            }),
            Shape::List { of, length, .. } => {
                let most = if levels == 0 || self.shapes.depth(*of).is_none() {
                    0
                } else {
                    self.room
                };
                let length = length.unwrap_or_else(|| random.small(most));
                // Lists of long lists would take too long.
                let inner = Maker {
                    room: (self.room / 4).clamp(1, ROOM),
                    ..*self
                };
                Tree::List(
                    (0..length)
                        .map(|_| inner.make(*of, levels.saturating_sub(1), random))
                        .collect(),
                )
            }
            Shape::Choice { variants } => {
                let possible = |at: &usize| {
                    self.shapes
                        .depth_of_variant(&variants[*at])
                        .is_some_and(|depth| depth <= levels.max(1))
                };
                let fitting: Vec<usize> = (0..variants.len()).filter(possible).collect();
                let Some(at) = random.pick(&fitting).copied() else {
                    return simplest(id, self.shapes);
                };
                let parts = &variants[at].parts;
                Tree::Node(
                    at as u32,
                    parts
                        .iter()
                        .map(|part| self.make(*part, levels.saturating_sub(1), random))
                        .collect(),
                )
            }
            Shape::Points { of, points } => {
                let of = of.filter(|of| self.shapes.depth(*of).is_some());
                match of {
                    Some(of) if points.is_empty() || !random.one_in(4) => {
                        self.make(of, levels, random)
                    }
                    _ => Tree::Point(random.below(points.len().max(1)) as u32),
                }
            }
            Shape::Impossible => Tree::Int(0),
        }
    }
}

/// Chars with special properties: controls, several bytes, case mappings to several chars,
/// combining marks.
pub const RARE: [char; 21] = [
    '\0',
    '\u{1b}',
    '\u{7f}',
    '\u{80}',
    'ä',
    'ß',
    'İ',
    'ŉ',
    'ǅ',
    'ﬁ',
    'Σ',
    '€',
    '\u{301}',
    '\u{200b}',
    '\u{2028}',
    '\u{fffd}',
    '\u{feff}',
    '字',
    '😀',
    '\u{1f468}',
    '\u{10ffff}',
];

/// Returns a random char, mostly a common one or one that an input was compared with.
pub fn any_character(dictionary: &Dictionary, random: &mut Random) -> char {
    match random.below(20) {
        16.. if !dictionary.characters().is_empty() => {
            dictionary.characters()[random.below(dictionary.characters().len())]
        }
        0..=5 | 16.. => char::from(b'a' + random.below(26) as u8),
        6 | 7 => char::from(b'A' + random.below(26) as u8),
        8 | 9 => char::from(b'0' + random.below(10) as u8),
        10..=12 => char::from(b' ' + random.below(95) as u8),
        13 => ['\n', '\t', '\r', ' ', '"', '\\'][random.below(6)],
        14 => RARE[random.below(RARE.len())],
        _ => char::from_u32(random.below(0x11_0000) as u32).unwrap_or('?'),
    }
}

#[cfg(test)]
mod tests {
    use super::{Maker, simplest};
    use crate::explore::dictionary::Dictionary;
    use crate::explore::kinds::Explore;
    use crate::explore::random::Random;
    use crate::explore::{Shapes, Tree};

    #[test]
    fn what_is_made_fits_its_shape_and_can_be_built() {
        type Deep = Vec<(Option<String>, Result<[u8; 2], char>, f32)>;
        let mut shapes = Shapes::default();
        let id = shapes.of::<Deep>();
        shapes.settle();
        let dictionary = Dictionary::default();
        let maker = Maker::new(&dictionary, &shapes);
        let mut random = Random::new(3);
        let mut sizes = Vec::new();
        for _ in 0..200 {
            let tree = maker.make(id, 4, &mut random);
            assert!(
                shapes.fits(&tree, id) && Deep::build(&tree).is_some(),
                "{tree:?}"
            );
            sizes.push(tree.size());
        }
        assert!(
            sizes.iter().any(|size| *size > 10) && sizes.contains(&1),
            "{sizes:?}"
        );
    }

    #[test]
    fn the_simplest_value_is_as_small_as_can_be() {
        let mut shapes = Shapes::default();
        let id = shapes.of::<(u8, Option<String>, Vec<u8>)>();
        shapes.settle();
        let expected = Tree::Node(
            0,
            vec![
                Tree::Int(0),
                Tree::Node(0, Vec::new()),
                Tree::List(Vec::new()),
            ],
        );
        assert_eq!(simplest(id, &shapes), expected);
    }
}
