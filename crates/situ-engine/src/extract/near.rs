//! Inputs near recorded ones: the same but for one value, which is at an edge that nobody came by.

use super::candidate::Candidate;
use super::mocks::Mock;
use crate::source::literals;
use proc_macro2::TokenStream;
use situ_rt::value::{SeqKind, Value};
use std::collections::BTreeSet;
use syn::Lit;

/// Other inputs that are tried for one row.
const MOST_VARIANTS: usize = 60;

/// Elements of a list that are changed by themselves, from its front.
const MOST_ELEMENTS: usize = 4;

/// The candidate with one input changed a little, in every way that may take the statement elsewhere.
pub fn near(candidate: &Candidate, statement: &TokenStream) -> Vec<Candidate> {
    let mut edges = Edges::default();
    edges.collect(statement);
    inputs(candidate).for_each(|value| edges.collect_lengths(value));
    let text = |of: &Candidate| format!("{:?}{:?}{:?}", of.givens, of.arguments, of.mocks);
    let mut seen: BTreeSet<String> = BTreeSet::from([text(candidate)]);
    let mut all = Vec::new();
    for at in 0..candidate.givens.len() {
        for value in edges.near(&candidate.givens[at].1) {
            let mut other = candidate.clone();
            other.givens[at].1 = value;
            all.push(other);
        }
    }
    for at in 0..candidate.arguments.len() {
        for value in edges.near(&candidate.arguments[at]) {
            let mut other = candidate.clone();
            other.arguments[at] = value;
            all.push(other);
        }
    }
    for at in 0..candidate.mocks.len() {
        for value in candidate.mocks[at].varying().map(|value| edges.near(value)).unwrap_or_default() {
            let mut other = candidate.clone();
            other.mocks[at].values = vec![value];
            all.push(other);
        }
    }
    let new = all.into_iter().filter(|other| seen.insert(text(other)));
    new.take(MOST_VARIANTS).map(|other| Candidate { is_near: true, ..other }).collect()
}

fn inputs(candidate: &Candidate) -> impl Iterator<Item = &Value> {
    let answers = candidate.mocks.iter().filter_map(Mock::varying);
    candidate.givens.iter().map(|(_, value)| value).chain(&candidate.arguments).chain(answers)
}

/// What a statement compares with, as far as its text says it.
#[derive(Default)]
struct Edges {
    numbers: BTreeSet<i128>,
    texts: BTreeSet<String>,
    letters: BTreeSet<char>,
}

impl Edges {
    fn collect(&mut self, statement: &TokenStream) {
        for literal in literals(statement) {
            match literal {
                Lit::Str(text) => drop(self.texts.insert(text.value())),
                Lit::Char(letter) => drop(self.letters.insert(letter.value())),
                Lit::Byte(byte) => {
                    self.numbers.insert(i128::from(byte.value()));
                    self.letters.insert(char::from(byte.value()));
                }
                Lit::Int(number) => self.numbers.extend(number.base10_parse::<i128>().ok()),
                _ => {}
            }
        }
    }

    /// Numbers are often places in the texts and lists beside them.
    fn collect_lengths(&mut self, value: &Value) {
        match value.behind_references() {
            Value::Str(text) => drop(self.numbers.insert(text.len() as i128)),
            Value::Seq { items, .. } => drop(self.numbers.insert(items.len() as i128)),
            Value::Int { type_name, bits } => self.numbers.extend(signed(type_name, *bits)),
            Value::Built { args, .. } => args.iter().for_each(|part| self.collect_lengths(part)),
            Value::Struct { fields, .. } => fields.iter().for_each(|(_, field)| self.collect_lengths(field)),
            _ => {}
        }
    }

    /// Values near this one, of the same type.
    fn near(&self, value: &Value) -> Vec<Value> {
        match value {
            Value::Bool(value) => vec![Value::Bool(!value)],
            Value::Int { type_name, bits } => self.near_number(type_name, *bits),
            Value::Char(letter) => self.near_letter(*letter).into_iter().map(Value::Char).collect(),
            Value::Str(text) => self.near_text(text).into_iter().map(Value::Str).collect(),
            Value::Seq { kind, type_name, items } => {
                let other = |items| Value::Seq { kind: *kind, type_name: type_name.clone(), items };
                self.near_list(items, *kind != SeqKind::Array).into_iter().map(other).collect()
            }
            Value::Ref { mutable, inner } => {
                let behind = |inner| Value::Ref { mutable: *mutable, inner: Box::new(inner) };
                self.near(inner).into_iter().map(behind).collect()
            }
            Value::Tuple(parts) => self.near_parts(parts).into_iter().map(Value::Tuple).collect(),
            Value::Struct { .. } => self.near_struct(value),
            Value::Built { type_name, head, args, tail } => {
                let other =
                    |args| Value::Built { type_name: type_name.clone(), head: head.clone(), args, tail: tail.clone() };
                self.near_parts(args).into_iter().map(other).collect()
            }
            _ => Vec::new(),
        }
    }

    fn near_struct(&self, value: &Value) -> Vec<Value> {
        let Value::Struct { type_name, variant, shape, fields } = value else { return Vec::new() };
        let parts: Vec<Value> = fields.iter().map(|(_, field)| field.clone()).collect();
        let others = self.near_parts(&parts).into_iter().map(|parts| Value::Struct {
            type_name: type_name.clone(),
            variant: variant.clone(),
            shape: *shape,
            fields: fields.iter().map(|(name, _)| name.clone()).zip(parts).collect(),
        });
        let none = (variant.as_deref() == Some("Some")).then(|| Value::Struct {
            type_name: type_name.clone(),
            variant: Some("None".to_owned()),
            shape: situ_rt::value::Shape::Unit,
            fields: Vec::new(),
        });
        none.into_iter().chain(others).collect()
    }

    /// Lists like this one in which one part is another.
    fn near_parts(&self, parts: &[Value]) -> Vec<Vec<Value>> {
        let mut all = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            for other in self.near(part) {
                let mut changed = parts.to_vec();
                changed[at] = other;
                all.push(changed);
            }
        }
        all
    }

    fn near_list(&self, items: &[Value], has_any_length: bool) -> Vec<Vec<Value>> {
        let mut all = Vec::new();
        if let (Some(last), true) = (items.last(), has_any_length) {
            all.push(Vec::new());
            all.push(items[..items.len() - 1].to_vec());
            all.push(items[1..].to_vec());
            all.push([items, std::slice::from_ref(last)].concat());
        }
        let (first, rest) = items.split_at(items.len().min(MOST_ELEMENTS));
        all.extend(self.near_parts(first).into_iter().map(|first| [&first, rest].concat()));
        all
    }

    fn near_number(&self, type_name: &'static str, bits: u128) -> Vec<Value> {
        let Some(own) = signed(type_name, bits) else { return Vec::new() };
        let (lowest, highest) = range(type_name);
        let edges = self.numbers.iter().copied().chain([own]).flat_map(|edge| [edge - 1, edge, edge + 1]);
        let all = edges.chain([0, 1, highest, lowest, -own]);
        let fitting = all.filter(|number| (lowest..=highest).contains(number) && *number != own);
        fitting.map(|number| Value::Int { type_name, bits: number as u128 }).collect()
    }

    fn near_letter(&self, own: char) -> Vec<char> {
        let beside = |letter: char| {
            let code = u32::from(letter);
            [code.checked_sub(1).and_then(char::from_u32), Some(letter), char::from_u32(code + 1)].into_iter().flatten()
        };
        self.letters
            .iter()
            .flat_map(|letter| beside(*letter))
            .chain(['a', 'A', '0', ' '])
            .filter(|other| *other != own)
            .collect()
    }

    fn near_text(&self, own: &str) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut letters = own.chars();
        if letters.next().is_some() {
            all.push(letters.as_str().to_owned());
        }
        let mut letters = own.chars();
        if let Some(last) = letters.next_back() {
            all.push(letters.as_str().to_owned());
            all.push(format!("{own}{last}"));
        }
        let words = self.texts.iter().cloned().chain(self.letters.iter().map(char::to_string));
        for word in words.filter(|word| !word.is_empty()) {
            all.extend([word.clone(), format!("{word}{own}"), format!("{own}{word}"), format!("{own}{word}{own}")]);
            all.extend([format!("{own}{word}{word}"), own.replacen(&word, "", 1), own.replace(&word, "")]);
        }
        all.extend([format!(" {own}"), own.to_uppercase(), own.to_lowercase()]);
        all
    }
}

/// A number of this type, where it fits.
fn signed(type_name: &str, bits: u128) -> Option<i128> {
    if type_name.starts_with('i') { Some(bits as i128) } else { i128::try_from(bits).ok() }
}

/// The smallest and the largest number of an integer type, as far as they fit.
fn range(type_name: &str) -> (i128, i128) {
    let width: u32 = type_name[1..].parse().unwrap_or(64);
    let largest = |bits: u32| if bits >= 127 { i128::MAX } else { (1 << bits) - 1 };
    match type_name.starts_with('i') {
        true => (-largest(width - 1) - 1, largest(width - 1)),
        false => (0, largest(width)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn of(value: Value) -> Candidate {
        Candidate { givens: vec![("x".to_owned(), value)], claims: Vec::new(), ..Candidate::default() }
    }

    fn found(value: Value, statement: &TokenStream) -> Vec<Value> {
        let near = near(&of(value), statement);
        assert!(near.iter().all(|candidate| candidate.is_near));
        near.into_iter().map(|candidate| candidate.givens[0].1.clone()).collect()
    }

    fn byte(number: i128) -> Value {
        Value::Int { type_name: "u8", bits: number as u128 }
    }

    #[test]
    fn numbers_go_to_both_sides_of_what_they_are_compared_with_and_stay_in_their_type() {
        let all = found(byte(7), &quote!(if x > 9 && x < 300 {}));
        for wanted in [8, 9, 10, 6, 0, 255] {
            assert!(all.contains(&byte(wanted)), "{wanted} in {all:?}");
        }
        assert!(!all.contains(&byte(7)) && !all.contains(&byte(299)) && !all.contains(&byte(-1)), "{all:?}");
    }

    #[test]
    fn texts_lose_and_get_letters_and_what_the_statement_names() {
        let all = found(Value::Str("ab".to_owned()), &quote!(let at = x.find("::");));
        for wanted in ["", "a", "b", "abb", "::", "ab::", "::ab", "ab::ab"] {
            assert!(all.contains(&Value::Str(wanted.to_owned())), "{wanted} in {all:?}");
        }
    }

    #[test]
    fn lists_are_longer_and_shorter_by_one_and_arrays_are_not() {
        let list = |kind: SeqKind, items: Vec<Value>| Value::Seq { kind, type_name: String::new(), items };
        let of_vec = found(list(SeqKind::Vec, vec![byte(1), byte(5)]), &quote!(x.sort();));
        for wanted in [vec![], vec![byte(1)], vec![byte(5)], vec![byte(1), byte(5), byte(5)], vec![byte(0), byte(5)]] {
            assert!(of_vec.contains(&list(SeqKind::Vec, wanted.clone())), "{wanted:?} in {of_vec:?}");
        }
        let of_array = found(list(SeqKind::Array, vec![byte(1), byte(5)]), &quote!(x.sort();));
        assert!(
            of_array.iter().all(|value| matches!(value, Value::Seq { items, .. } if items.len() == 2)),
            "{of_array:?}"
        );
    }

    #[test]
    fn ranges_are_those_of_the_types() {
        assert_eq!(range("u8"), (0, 255));
        assert_eq!(range("i16"), (-32768, 32767));
        assert_eq!(range("usize"), (0, i128::from(u64::MAX)));
        assert_eq!(range("i128"), (i128::MIN, i128::MAX));
        assert_eq!(range("u128"), (0, i128::MAX));
    }
}
