//! Values near another one, of the same type: boundaries of a statement's comparisons, and values
//! recorded elsewhere.

use super::nearby_inputs::inputs;
use crate::generate::extract::candidate::Candidate;
use crate::generate::extract::find::comparison_sides::Comparisons;
use crate::source::literals;
use crate::values::TypeTable;
use proc_macro2::{TokenStream, TokenTree};
use situ_recorder::value::{INTEGER_TYPES, SeqKind, Shape, Value};
use std::collections::{BTreeMap, BTreeSet};
use syn::Lit;

/// The maximum number of values from elsewhere that are tried at one place, and the maximum length
/// of their expressions.
const MAX_OF_A_KIND: usize = 8;
const LONGEST_VALUE: usize = 300;

/// The number of leading elements of a list that are changed separately.
const MAX_ELEMENTS: usize = 4;

/// The maximum number of integer inputs for which equalizing values are computed.
const MAX_INTEGERS: usize = 8;

/// The number of leading chars of a string that are changed separately.
const MAX_LETTERS: usize = 24;

/// The message of `unreachable!()`.
pub(crate) const UNREACHABLE: &str = "internal error: entered unreachable code";

/// The minimum length of a literal that is recognised in a panic message.
const SHORTEST_WORDS: usize = 8;

/// Returns a few short, distinct values.
pub(crate) fn shortest<'v>(values: impl Iterator<Item = &'v Value>) -> Vec<Value> {
    let mut by_text: BTreeMap<(usize, String), &Value> = BTreeMap::new();
    for value in values {
        let text = format!("{value:?}");
        if text.len() <= LONGEST_VALUE {
            by_text.insert((text.len(), text), value);
        }
    }
    by_text.into_values().take(MAX_OF_A_KIND).cloned().collect()
}

/// Recorded values of enums, which may replace each other.
#[derive(Debug, Default)]
pub(crate) struct Pool(BTreeMap<String, Vec<Value>>);

impl Pool {
    /// Collects the enums in all these values.
    pub(crate) fn of<'v>(values: impl Iterator<Item = &'v Value>) -> Pool {
        let mut found: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
        values.for_each(|value| enums_in(value, &mut found));
        Pool(
            found
                .into_iter()
                .map(|(name, values)| (name, shortest(values.into_iter())))
                .collect(),
        )
    }

    /// Adds unit variants that were not recorded.
    pub(crate) fn with_variants(mut self, types: &BTreeMap<String, TypeTable>) -> Pool {
        for (type_name, values) in &mut self.0 {
            let known = types
                .values()
                .flat_map(|types| types.unit_variants(type_name));
            let unseen = known.map(|name| unit_variant(type_name, name));
            let unseen: Vec<Value> = unseen
                .filter(|value| !values.contains(value))
                .take(MAX_OF_A_KIND)
                .collect();
            values.extend(unseen);
        }
        self
    }

    /// Returns other values of a value's enum, `None` first.
    pub(crate) fn others(&self, value: &Value) -> Vec<Value> {
        let Value::Struct {
            type_name,
            variant: Some(variant),
            ..
        } = value
        else {
            return Vec::new();
        };
        let none = (variant == "Some").then(|| unit_variant(type_name, "None"));
        let mut others: Vec<Value> = Vec::new();
        for other in none.into_iter().chain(self.like(type_name).iter().cloned()) {
            if other != *value && !others.contains(&other) {
                others.push(other);
            }
        }
        others
    }

    /// Returns known values of an enum.
    pub(crate) fn like(&self, type_name: &str) -> &[Value] {
        self.0.get(type_name).map_or(&[], Vec::as_slice)
    }
}

fn unit_variant(type_name: &str, name: &str) -> Value {
    let (type_name, variant) = (type_name.to_owned(), Some(name.to_owned()));
    Value::Struct {
        type_name,
        variant,
        shape: Shape::Unit,
        fields: Vec::new(),
    }
}

fn enums_in<'v>(value: &'v Value, found: &mut BTreeMap<String, Vec<&'v Value>>) {
    match value {
        Value::Struct {
            type_name,
            variant,
            fields,
            ..
        } => {
            if variant.is_some() {
                found.entry(type_name.clone()).or_default().push(value);
            }
            fields.iter().for_each(|(_, field)| enums_in(field, found));
        }
        Value::Ref { inner, .. } => enums_in(inner, found),
        Value::Tuple(parts) => parts.iter().for_each(|part| enums_in(part, found)),
        // Elements are many and similar.
        Value::Seq { items, .. } => items
            .iter()
            .take(MAX_ELEMENTS)
            .for_each(|item| enums_in(item, found)),
        _ => {}
    }
}

/// Collects the integers in a value, of a list in its first elements.
fn integers_in(value: &Value, found: &mut BTreeSet<i128>) {
    match value {
        Value::Int { type_name, bits } => found.extend(signed(type_name, *bits)),
        Value::Ref { inner, .. } => integers_in(inner, found),
        Value::Tuple(parts) | Value::Built { args: parts, .. } => {
            parts.iter().for_each(|part| integers_in(part, found));
        }
        Value::Struct { fields, .. } => fields
            .iter()
            .for_each(|(_, field)| integers_in(field, found)),
        Value::Seq { items, .. } => items
            .iter()
            .take(MAX_ELEMENTS)
            .for_each(|item| integers_in(item, found)),
        _ => {}
    }
}

/// Interleaves lists, so that truncation does not drop all of one input.
pub(crate) fn in_turn<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(lists.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return all;
        }
    }
}

/// The literals that a statement compares with, as far as its source shows them.
pub(crate) struct Edges<'p> {
    /// Numbers that make both sides of a comparison equal.
    equalizing: Vec<i128>,
    numbers: BTreeSet<i128>,
    floats: Vec<f64>,
    texts: BTreeSet<String>,
    letters: BTreeSet<char>,
    /// The names of fields in the statement: changes of other fields mostly have no effect.
    names: BTreeSet<String>,
    pool: &'p Pool,
}

impl Edges<'_> {
    /// Collects the names and literals of a statement.
    pub(crate) fn of<'p>(statement: &TokenStream, pool: &'p Pool) -> Edges<'p> {
        let (numbers, texts, letters) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let names = identifiers(statement.clone());
        let mut edges = Edges {
            equalizing: Vec::new(),
            numbers,
            floats: Vec::new(),
            texts,
            letters,
            names,
            pool,
        };
        for literal in literals(statement) {
            match literal {
                Lit::Str(text) => drop(edges.texts.insert(text.value())),
                Lit::Char(letter) => drop(edges.letters.insert(letter.value())),
                Lit::Byte(byte) => {
                    edges.numbers.insert(i128::from(byte.value()));
                    edges.letters.insert(char::from(byte.value()));
                }
                Lit::Int(number) => edges.numbers.extend(number.base10_parse::<i128>().ok()),
                Lit::Float(number) => edges.floats.extend(number.base10_parse::<f64>().ok()),
                _ => {}
            }
        }
        edges
    }

    /// Returns whether the statement names something so.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns whether a panic message comes from the statement itself, from its literals or from
    /// `unreachable!()` and the like.
    pub(crate) fn says(&self, panic: &str) -> bool {
        const OF_MACROS: [(&str, &str); 3] = [
            ("unreachable", UNREACHABLE),
            ("unimplemented", "not implemented"),
            ("todo", "not yet implemented"),
        ];
        // The arguments of a format string may be anything.
        let is_said = |text: &str| {
            text.split(['{', '}'])
                .any(|part| part.len() >= SHORTEST_WORDS && panic.contains(part))
        };
        let of_macro = |(name, start): &(&str, &str)| self.names(name) && panic.starts_with(start);
        OF_MACROS.iter().any(of_macro) || self.texts.iter().any(|text| is_said(text))
    }

    /// Returns the strings and chars in the statement.
    pub(crate) fn words(&self) -> Vec<String> {
        let words = self
            .texts
            .iter()
            .cloned()
            .chain(self.letters.iter().map(char::to_string));
        words.filter(|word| !word.is_empty()).collect()
    }

    /// Adds the lengths of strings and lists, because numbers are often indices into them.
    pub(crate) fn collect_lengths(&mut self, value: &Value) {
        match value.behind_references() {
            Value::Str(text) => drop(self.numbers.insert(text.len() as i128)),
            Value::Seq { items, .. } => drop(self.numbers.insert(items.len() as i128)),
            Value::Int { type_name, bits } => self.numbers.extend(signed(type_name, *bits)),
            Value::Built { args, .. } => args.iter().for_each(|part| self.collect_lengths(part)),
            Value::Struct { fields, .. } => fields
                .iter()
                .for_each(|(_, field)| self.collect_lengths(field)),
            _ => {}
        }
    }

    /// Adds numbers that make both sides of a comparison equal.
    pub(crate) fn collect_equalizing(&mut self, comparisons: &Comparisons, candidate: &Candidate) {
        let mut own = BTreeSet::new();
        inputs(candidate).for_each(|value| integers_in(value, &mut own));
        let own: Vec<i128> = own.into_iter().take(MAX_INTEGERS).collect();
        self.equalizing
            .extend(comparisons.equalizing(candidate, &own));
    }

    /// Values near this one, of the same type.
    pub(crate) fn near(&self, value: &Value) -> Vec<Value> {
        match value {
            Value::Bool(value) => vec![Value::Bool(!value)],
            Value::Int { type_name, bits } => self.near_number(type_name, *bits),
            Value::Float { double, bits } => self.near_float(*double, *bits),
            Value::Char(letter) => self
                .near_letter(*letter)
                .into_iter()
                .map(Value::Char)
                .collect(),
            Value::Str(text) => self.near_text(text).into_iter().map(Value::Str).collect(),
            Value::Seq {
                kind,
                type_name,
                items,
            } => {
                let other = |items| Value::Seq {
                    kind: *kind,
                    type_name: type_name.clone(),
                    items,
                };
                self.near_list(items, *kind != SeqKind::Array)
                    .into_iter()
                    .map(other)
                    .collect()
            }
            Value::Ref { mutable, inner } => {
                let behind = |inner| Value::Ref {
                    mutable: *mutable,
                    inner: Box::new(inner),
                };
                self.near(inner).into_iter().map(behind).collect()
            }
            Value::Tuple(parts) => self
                .near_parts(parts)
                .into_iter()
                .map(Value::Tuple)
                .collect(),
            Value::Struct { .. } => self.near_struct(value),
            Value::Built {
                type_name,
                head,
                args,
                tail,
            } => {
                let other = |args| Value::Built {
                    type_name: type_name.clone(),
                    head: head.clone(),
                    args,
                    tail: tail.clone(),
                };
                self.near_parts(args).into_iter().map(other).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Visits the plain parts of a value, in the fields that the statement names.
    pub(crate) fn plain_parts(
        &self,
        value: &Value,
        path: &mut Vec<usize>,
        found: &mut dyn FnMut(&[usize], &Value),
    ) {
        let mut inside = |at: usize, part: &Value| {
            path.push(at);
            self.plain_parts(part, path, found);
            path.pop();
        };
        match value {
            Value::Bool(_)
            | Value::Int { .. }
            | Value::Char(_)
            | Value::Str(_)
            | Value::Seq { .. } => found(path, value),
            Value::Ref { inner, .. } => inside(0, inner),
            Value::Tuple(parts) => parts
                .iter()
                .enumerate()
                .for_each(|(at, part)| inside(at, part)),
            Value::Struct {
                variant: Some(_),
                fields,
                ..
            } if fields.is_empty() => found(path, value),
            Value::Struct { fields, .. } => {
                let named = fields
                    .iter()
                    .enumerate()
                    .filter(|(_, (name, _))| self.names.contains(name));
                named.for_each(|(at, (_, field))| inside(at, field));
            }
            _ => {}
        }
    }

    fn near_struct(&self, value: &Value) -> Vec<Value> {
        let Value::Struct {
            type_name,
            variant,
            shape,
            fields,
        } = value
        else {
            return Vec::new();
        };
        let of_field = |at: usize| {
            let changed = |other: Value| {
                let mut fields = fields.clone();
                fields[at].1 = other;
                Value::Struct {
                    type_name: type_name.clone(),
                    variant: variant.clone(),
                    shape: *shape,
                    fields,
                }
            };
            self.near(&fields[at].1).into_iter().map(changed).collect()
        };
        let is_named = |at: &usize| self.names.contains(&fields[*at].0);
        let (named, others): (Vec<usize>, Vec<usize>) = (0..fields.len()).partition(is_named);
        let of_fields = |fields: Vec<usize>| in_turn(fields.into_iter().map(of_field).collect());
        let others = of_fields(named).into_iter().chain(of_fields(others));
        self.pool.others(value).into_iter().chain(others).collect()
    }

    /// Returns lists in which one part differs.
    fn near_parts(&self, parts: &[Value]) -> Vec<Vec<Value>> {
        let of_part = |(at, part): (usize, &Value)| {
            let changed = |other: Value| {
                let mut changed = parts.to_vec();
                changed[at] = other;
                changed
            };
            self.near(part).into_iter().map(changed).collect()
        };
        in_turn(parts.iter().enumerate().map(of_part).collect())
    }

    fn near_list(&self, items: &[Value], has_any_length: bool) -> Vec<Vec<Value>> {
        if let (Some(text), true) = (text_of_bytes(items), has_any_length) {
            return self
                .near_text(&text)
                .into_iter()
                .map(|text| text.bytes().map(byte).collect())
                .collect();
        }
        let mut all = Vec::new();
        if let (Some(last), true) = (items.last(), has_any_length) {
            all.push(Vec::new());
            all.push(items[..items.len() - 1].to_vec());
            all.push(items[1..].to_vec());
            all.push([items, std::slice::from_ref(last)].concat());
        }
        let (first, rest) = items.split_at(items.len().min(MAX_ELEMENTS));
        all.extend(
            self.near_parts(first)
                .into_iter()
                .map(|first| [&first, rest].concat()),
        );
        all
    }

    fn near_number(&self, type_name: &'static str, bits: u128) -> Vec<Value> {
        let Some(own) = signed(type_name, bits) else {
            return Vec::new();
        };
        let (lowest, highest) = range(type_name);
        let beside = |edge: i128| [edge.saturating_sub(1), edge, edge.saturating_add(1)];
        let edges = self.numbers.iter().copied().flat_map(beside).collect();
        let [less, _, more] = beside(own);
        let at_edges = in_turn(vec![
            edges,
            vec![0, more, less, 1, highest, lowest, own.saturating_neg()],
        ]);
        // Equality is the most informative boundary, then its neighbours.
        let equal = self.equalizing.iter().copied();
        let all = equal.clone().chain(equal.flat_map(beside)).chain(at_edges);
        let mut seen = BTreeSet::from([own]);
        let fitting =
            all.filter(|number| (lowest..=highest).contains(number) && seen.insert(*number));
        fitting
            .map(|number| Value::Int {
                type_name,
                bits: number as u128,
            })
            .collect()
    }

    fn near_float(&self, double: bool, bits: u64) -> Vec<Value> {
        let own = if double {
            f64::from_bits(bits)
        } else {
            f64::from(f32::from_bits(bits as u32))
        };
        let bits_of = |number: f64| {
            if double {
                number.to_bits()
            } else {
                u64::from((number as f32).to_bits())
            }
        };
        let beside = [0.0, 1.0, -own, own + 1.0, own - 1.0, own / 2.0];
        let all = self.floats.iter().copied().chain(beside).map(bits_of);
        all.filter(|other| *other != bits)
            .map(|bits| Value::Float { double, bits })
            .collect()
    }

    fn near_letter(&self, own: char) -> Vec<char> {
        let beside = |letter: char| {
            let code = u32::from(letter);
            [
                code.checked_sub(1).and_then(char::from_u32),
                Some(letter),
                char::from_u32(code + 1),
            ]
            .into_iter()
            .flatten()
        };
        self.letters
            .iter()
            .flat_map(|letter| beside(*letter))
            .chain(['a', 'A', '0', ' '])
            .filter(|other| *other != own)
            .collect()
    }

    /// Returns strings near this one, simple changes first: truncation then drops only
    /// combinations.
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
        all.extend([format!(" {own}"), format!("{own} ")]);
        let with_word = |word: String| {
            let added = [
                word.clone(),
                format!("{word}{own}"),
                format!("{own}{word}"),
                format!("{own}{word}{own}"),
            ];
            let less = [
                format!("{own}{word}{word}"),
                own.replacen(&word, "", 1),
                own.replace(&word, ""),
            ];
            added.into_iter().chain(less).collect()
        };
        let with_words = in_turn(self.words().into_iter().map(with_word).collect());
        all.extend(in_turn(vec![with_words, letter_by_letter(own)]));
        all.extend([
            format!("{own}{own}"),
            own.to_uppercase(),
            own.to_lowercase(),
        ]);
        all
    }
}

/// Returns the string with one char less, or with one of another kind: a digit may be too large,
/// and a letter no digit.
fn letter_by_letter(own: &str) -> Vec<String> {
    let changed = own
        .char_indices()
        .take(MAX_LETTERS)
        .flat_map(|(at, letter)| {
            let (before, after) = (&own[..at], &own[at + letter.len_utf8()..]);
            let other = match letter {
                '9' => '0',
                '0'..='9' => '9',
                _ if letter.is_alphabetic() => '0',
                _ => 'a',
            };
            [
                format!("{before}{other}{after}"),
                format!("{before}{after}"),
            ]
        });
    changed.collect()
}

fn byte(number: u8) -> Value {
    Value::Int {
        type_name: "u8",
        bits: u128::from(number),
    }
}

/// Returns the string that bytes encode, or `None`.
fn text_of_bytes(items: &[Value]) -> Option<String> {
    let letter = |item: &Value| match item {
        Value::Int {
            type_name: "u8",
            bits,
        } => u8::try_from(*bits)
            .ok()
            .filter(|byte| is_of_text(*byte))
            .map(char::from),
        _ => None,
    };
    items
        .iter()
        .map(letter)
        .collect::<Option<String>>()
        .filter(|text| !text.is_empty())
}

fn is_of_text(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte.is_ascii_whitespace()
}

/// Returns all names in some code.
fn identifiers(tokens: TokenStream) -> BTreeSet<String> {
    let of_tree = |tree: TokenTree| match tree {
        TokenTree::Group(group) => identifiers(group.stream()),
        TokenTree::Ident(name) => BTreeSet::from([name.to_string()]),
        _ => BTreeSet::new(),
    };
    tokens.into_iter().flat_map(of_tree).collect()
}

/// Returns a number of this type, where it fits.
fn signed(type_name: &str, bits: u128) -> Option<i128> {
    if type_name.starts_with('i') {
        Some(bits as i128)
    } else {
        i128::try_from(bits).ok()
    }
}

/// Returns the smallest and the largest number of the integer type of this name, if it is one.
pub(crate) fn range_of(type_name: &str) -> Option<(i128, i128)> {
    INTEGER_TYPES.contains(&type_name).then(|| range(type_name))
}

/// Returns the smallest and the largest number of an integer type, as far as they fit.
fn range(type_name: &str) -> (i128, i128) {
    let width: u32 = type_name[1..].parse().unwrap_or(64);
    let largest = |bits: u32| {
        if bits >= 127 {
            i128::MAX
        } else {
            (1 << bits) - 1
        }
    };
    match type_name.starts_with('i') {
        true => (-largest(width - 1) - 1, largest(width - 1)),
        false => (0, largest(width)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_words_of_the_statement_itself_are_its_own_panics() {
        let pool = Pool::default();
        let edges = Edges::of(
            &quote::quote!(if a {
                panic!("{a} are too many of {b}")
            } else {
                unreachable!()
            }),
            &pool,
        );
        assert!(
            edges.says("internal error: entered unreachable code")
                && !edges.says("not implemented")
        );
        assert!(edges.says("7 are too many of 3"));
        assert!(!edges.says("index out of bounds: the len is 3 but the index is 7"));
        let edges = Edges::of(
            &quote::quote!(assert!(a > b, "too many letters: {a}")),
            &pool,
        );
        assert!(
            edges.says("too many letters: 7")
                && !edges.says("internal error: entered unreachable code")
        );
    }

    #[test]
    fn letters_become_others_one_by_one_also_in_bytes() {
        assert_eq!(
            letter_by_letter("1:9"),
            ["9:9", ":9", "1a9", "19", "1:0", "1:"]
        );
        let pool = Pool::default();
        let edges = Edges::of(&TokenStream::new(), &pool);
        let bytes = |text: &str| text.bytes().map(byte).collect::<Vec<Value>>();
        let near = edges.near_list(&bytes("1:9"), true);
        assert!(
            near.contains(&bytes("1a9")) && near.contains(&Vec::new()),
            "{near:?}"
        );
        assert!(
            edges
                .near_list(&bytes("1:9"), false)
                .iter()
                .all(|list| list.len() == 3)
        );
        assert_eq!(text_of_bytes(&[byte(0), byte(b'a')]), None);
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
