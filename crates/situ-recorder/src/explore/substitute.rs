//! Substitution of compared parts of an input by what they were compared with.

use super::compares::{Compared, ComparedBytes};
use super::mutate::behind_points;
use super::shape::{Id, Shape, Shapes, wrapped};
use super::sites::Plainly;
use super::tree::Tree;
use std::collections::HashSet;

/// The maximum number of inputs.
const MOST: usize = 600;
const LONGEST: u64 = 2_048;
/// The length from which on no bytes are added to lists.
const ROOM: usize = 64;

/// Returns inputs in which one part is what it was compared with, or next to it.
pub fn substitutes(
    tree: &Tree,
    id: Id,
    shapes: &Shapes,
    integers: &[Compared],
    bytes: &[ComparedBytes],
) -> Vec<Tree> {
    let mut pairs: HashSet<(u32, u64, u64), Plainly> = HashSet::default();
    let mut distinct: Vec<Compared> = Vec::new();
    for compared in integers
        .iter()
        .filter(|compared| compared.left != compared.right)
    {
        if pairs.insert((compared.bits, compared.left, compared.right)) {
            distinct.push(*compared);
        }
    }
    let mut texts = HashSet::new();
    let bytes: Vec<(&[u8], &[u8])> = bytes.iter().map(|compared| compared.both()).collect();
    let bytes: Vec<_> = bytes
        .into_iter()
        .filter(|(left, right)| left != right && texts.insert((*left, *right)))
        .collect();
    let mut found = Found {
        all: Vec::new(),
        path: Vec::new(),
        tree,
        integers: &distinct,
        bytes: &bytes,
    };
    found.visit(tree, id, shapes);
    found.all
}

struct Found<'f> {
    all: Vec<Tree>,
    path: Vec<usize>,
    tree: &'f Tree,
    integers: &'f [Compared],
    bytes: &'f [(&'f [u8], &'f [u8])],
}

impl Found<'_> {
    fn visit(&mut self, node: &Tree, id: Id, shapes: &Shapes) {
        let id = behind_points(node, id, shapes);
        match (shapes.get(id), node) {
            (Shape::Int { signed, bits }, Tree::Int(value)) => self.integer(*value, *signed, *bits),
            (Shape::Char, Tree::Int(value)) => self.character(*value),
            (Shape::Text { .. }, Tree::Text(text)) => self.text(text),
            (Shape::List { of, length, .. }, Tree::List(parts)) => {
                if length.is_none() && shapes.depth(*of).is_some() {
                    self.length(parts, *of, shapes);
                    self.byte_list(parts);
                }
                for (at, part) in parts.iter().enumerate().take(64) {
                    self.path.push(at);
                    self.visit(part, *of, shapes);
                    self.path.pop();
                }
            }
            (Shape::Choice { variants }, Tree::Node(variant, parts)) => {
                let ids = variants
                    .get(*variant as usize)
                    .map(|variant| variant.parts.clone())
                    .unwrap_or_default();
                for (at, (part, id)) in parts.iter().zip(ids).enumerate() {
                    self.path.push(at);
                    self.visit(part, id, shapes);
                    self.path.pop();
                }
            }
            _ => {}
        }
    }

    /// Adds the input with this place replaced.
    fn put(&mut self, new: Tree) {
        if self.all.len() >= MOST {
            return;
        }
        let mut changed = self.tree.clone();
        let mut node = &mut changed;
        for at in &self.path {
            let (Tree::List(parts) | Tree::Node(_, parts)) = node else {
                return;
            };
            node = &mut parts[*at];
        }
        *node = new;
        self.all.push(changed);
    }

    fn integer(&mut self, value: i128, signed: bool, bits: u32) {
        for compared in self.integers {
            let mask = (u128::MAX >> (128 - compared.bits)) as i128;
            for (from, to) in [
                (compared.left, compared.right),
                (compared.right, compared.left),
            ] {
                // The compared integer may be the whole or some bytes of it.
                for shift in (0..bits).step_by(8) {
                    if (value >> shift) & mask != i128::from(from) {
                        continue;
                    }
                    for near in [to, to.wrapping_add(1), to.wrapping_sub(1)] {
                        let near = if shift == 0 && compared.bits < bits && signed {
                            wrapped(i128::from(near), true, compared.bits)
                        } else {
                            i128::from(near)
                        };
                        let new = if shift == 0 && from != 0 && value & !mask == 0 {
                            near
                        } else {
                            (value & !(mask << shift)) | ((near & mask) << shift)
                        };
                        self.put(Tree::Int(wrapped(new, signed, bits)));
                    }
                    if value >> shift == 0 {
                        break;
                    }
                }
            }
        }
    }

    fn character(&mut self, value: i128) {
        for compared in self.integers {
            for (from, to) in [
                (compared.left, compared.right),
                (compared.right, compared.left),
            ] {
                if i128::from(from) == value
                    && u32::try_from(to).ok().and_then(char::from_u32).is_some()
                {
                    self.put(Tree::Int(i128::from(to)));
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        for (left, right) in self.bytes {
            for (from, to) in [(left, right), (right, left)] {
                self.replace_bytes(text, from, to);
            }
        }
        let characters = text.chars().count() as u64;
        for compared in self.integers {
            for (from, to) in [
                (compared.left, compared.right),
                (compared.right, compared.left),
            ] {
                if from == text.len() as u64 || from == characters {
                    self.resize(text, to);
                }
                if let (Some(one), Some(other)) = (character(from), character(to)) {
                    for (at, _) in text
                        .char_indices()
                        .filter(|(_, found)| *found == one)
                        .take(6)
                    {
                        let mut new = text.to_owned();
                        new.replace_range(at..at + one.len_utf8(), other.encode_utf8(&mut [0; 4]));
                        self.put(Tree::Text(new));
                    }
                }
                let digits = from.to_string();
                if let Some(at) = text.find(&digits) {
                    for near in [to, to.wrapping_add(1), to.wrapping_sub(1)] {
                        let mut new = text.to_owned();
                        new.replace_range(at..at + digits.len(), &near.to_string());
                        self.put(Tree::Text(new));
                    }
                }
                if compared.bits > 8 {
                    let length = compared.bits as usize / 8;
                    self.replace_bytes(
                        text,
                        &from.to_le_bytes()[..length],
                        &to.to_le_bytes()[..length],
                    );
                }
            }
        }
    }

    fn replace_bytes(&mut self, text: &str, from: &[u8], to: &[u8]) {
        if from.is_empty() || from.len() > text.len() {
            return;
        }
        let places = text
            .as_bytes()
            .windows(from.len())
            .enumerate()
            .filter(|(_, window)| *window == from);
        for (at, _) in places.take(4) {
            let mut bytes = text.as_bytes().to_vec();
            bytes.splice(at..at + from.len(), to.iter().copied());
            if let Ok(new) = String::from_utf8(bytes) {
                self.put(Tree::Text(new));
            }
        }
    }

    fn resize(&mut self, text: &str, to: u64) {
        if to > LONGEST {
            return;
        }
        for length in [to, to + 1] {
            let filler = text.chars().last().unwrap_or('a');
            let mut new: String = text
                .chars()
                .chain(std::iter::repeat(filler))
                .take(length as usize)
                .collect();
            if filler.len_utf8() > 1 {
                // The length was most likely counted in bytes.
                while new.len() > length as usize && new.pop().is_some() {}
            }
            self.put(Tree::Text(new));
        }
    }

    fn length(&mut self, parts: &[Tree], of: Id, shapes: &Shapes) {
        for compared in self.integers {
            for (from, to) in [
                (compared.left, compared.right),
                (compared.right, compared.left),
            ] {
                if from != parts.len() as u64 || to > LONGEST {
                    continue;
                }
                for length in [to, to + 1] {
                    let filler = parts
                        .last()
                        .cloned()
                        .unwrap_or_else(|| super::generate::simplest(of, shapes));
                    let new = parts
                        .iter()
                        .cloned()
                        .chain(std::iter::repeat(filler))
                        .take(length as usize)
                        .collect();
                    self.put(Tree::List(new));
                }
            }
        }
    }

    /// Substitutes a list of bytes that is compared as a whole.
    fn byte_list(&mut self, parts: &[Tree]) {
        let bytes: Option<Vec<u8>> = parts
            .iter()
            .map(|part| match part {
                Tree::Int(value) => u8::try_from(*value).ok(),
                _ => None,
            })
            .collect();
        let Some(bytes) = bytes else { return };
        let mut replaced = Vec::new();
        // Code that reads beyond the end often reads zeros.
        for compared in self
            .integers
            .iter()
            .filter(|compared| compared.bits > 8 && bytes.len() < ROOM)
        {
            let length = compared.bits as usize / 8;
            for (from, to) in [
                (compared.left, compared.right),
                (compared.right, compared.left),
            ] {
                if from == 0 {
                    let new = bytes
                        .iter()
                        .copied()
                        .chain(to.to_le_bytes().into_iter().take(length));
                    replaced.push(Tree::List(
                        new.map(|byte| Tree::Int(i128::from(byte))).collect(),
                    ));
                }
            }
        }
        let mut replace = |from: &[u8], to: &[u8]| {
            if from.is_empty() || from.len() > bytes.len() {
                return;
            }
            if let Some(at) = bytes.windows(from.len()).position(|window| window == from) {
                let mut new = bytes.clone();
                new.splice(at..at + from.len(), to.iter().copied());
                replaced.push(Tree::List(
                    new.into_iter()
                        .map(|byte| Tree::Int(i128::from(byte)))
                        .collect(),
                ));
            }
        };
        for (left, right) in self.bytes {
            replace(left, right);
            replace(right, left);
        }
        for compared in self.integers.iter().filter(|compared| compared.bits > 8) {
            let length = compared.bits as usize / 8;
            for (from, to) in [
                (compared.left, compared.right),
                (compared.right, compared.left),
            ] {
                replace(&from.to_le_bytes()[..length], &to.to_le_bytes()[..length]);
                replace(
                    &from.to_be_bytes()[8 - length..],
                    &to.to_be_bytes()[8 - length..],
                );
            }
        }
        replaced.into_iter().for_each(|new| self.put(new));
    }
}

fn character(code: u64) -> Option<char> {
    char::from_u32(u32::try_from(code).ok()?)
}

#[cfg(test)]
mod tests {
    use super::substitutes;
    use crate::explore::compares::Compared;
    use crate::explore::{Explore, Shapes};

    fn found<T: Explore>(value: T, bits: u32, left: u64, right: u64) -> Vec<Option<T>> {
        let mut shapes = Shapes::default();
        let id = shapes.of::<T>();
        shapes.settle();
        let all = substitutes(
            &value.tree().unwrap(),
            id,
            &shapes,
            &[Compared {
                site: 1,
                bits,
                left,
                right,
            }],
            &[],
        );
        all.iter().map(T::build).collect()
    }

    #[test]
    fn the_operand_takes_the_place_of_what_it_was_compared_with() {
        assert!(found(7_u32, 32, 7, 0xdead_beef).contains(&Some(0xdead_beef)));
        assert!(
            found(7_u32, 32, 0xdead_beef, 7).contains(&Some(0xdead_bef0)),
            "next to it"
        );
        assert!(found(-1_i64, 64, u64::MAX, -500_i64 as u64).contains(&Some(-500)));
        assert!(
            found(0x1234_u16, 8, 0x12, 0x77).contains(&Some(0x7734)),
            "a field"
        );
        assert!(found(vec![1_u8, 9], 8, 9, 4).contains(&Some(vec![1, 4])));
    }

    #[test]
    fn where_bytes_run_out_a_number_is_added() {
        let answers: Vec<(u8, Vec<u8>)> = vec![(0, vec![0x39, 0x30, 0, 0]), (0, Vec::new())];
        let wanted = vec![(0, vec![0x39, 0x30, 0, 0]), (0, vec![9, 3, 0, 0])];
        assert!(found(answers, 32, 777, 0).contains(&Some(wanted)));
    }

    #[test]
    fn lengths_and_numbers_in_texts_follow_too() {
        assert!(
            found(String::from("ab"), 64, 2, 5)
                .iter()
                .flatten()
                .any(|text| text.len() == 5)
        );
        assert!(found(String::from("x=17"), 32, 17, 1_000).contains(&Some(String::from("x=1000"))));
        assert!(
            found(String::from("a-b"), 32, u64::from(b'-'), u64::from(b'/'))
                .contains(&Some(String::from("a/b")))
        );
        assert!(
            found(vec![1_u32], 64, 1, 3)
                .iter()
                .flatten()
                .any(|list| list.len() == 3)
        );
    }
}
