//! Shorter values in the place of long ones: candidates with other inputs, of which nobody knows yet what comes of them.

use super::candidate::Candidate;
use proc_macro2::{TokenStream, TokenTree};
use situ_rt::value::{FROM_ELEMENTS, SeqKind, Value};
use std::collections::BTreeSet;

/// What has no more elements stays as it is.
const SHORT: usize = 4;

/// Other inputs that are tried for one candidate.
const MOST_VARIANTS: usize = 64;

/// Nobody would see a longer part that is there again and again.
const LONGEST_REPEATED: usize = 24;

/// A way to take elements out of a text or list.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cut {
    /// The first ones stay.
    First(usize),
    /// The last ones stay.
    Last(usize),
    /// So many stay at both ends.
    Ends(usize),
    /// So many stay of equal ones in a row.
    Equal(usize),
    /// So many stay of a kind in a row: letters, digits, spaces, others.
    OfAKind(usize),
    /// What is there again right behind itself stays once.
    Repeated,
    /// Of equal ones the first stays.
    Distinct,
    /// Of a text these words stay, with so many letters around them.
    Around(String, usize),
    /// The line with this number stays.
    Line(usize),
}

/// The candidate with shorter inputs, each in another way.
pub fn shorter(candidate: &Candidate, statement: &TokenStream) -> Vec<Candidate> {
    let ways = ways(statement);
    let leaves = leaves_of(candidate);
    // All of them together, then each by itself, the longest first: where two depend on one another they must agree.
    let mut which: Vec<Option<usize>> = vec![None];
    if leaves.len() > 1 {
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(leaves[*at]));
        which.extend(order.into_iter().map(Some));
    }
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let all = which.iter().flat_map(|which| ways.iter().map(|cuts| with_cuts(candidate, *which, cuts)));
    let shorter = all.filter(|other| other.size() < candidate.size());
    shorter
        .filter(|other| seen.insert(format!("{:?}{:?}", other.givens, other.arguments)))
        .take(MOST_VARIANTS)
        .collect()
}

/// The ways that are tried, each one cut after the other; those first that most often do. What the statement itself names may be
/// what counts.
fn ways(statement: &TokenStream) -> Vec<Vec<Cut>> {
    let mut named = Named::default();
    named.collect(statement.clone());
    let mut ways: Vec<Vec<Cut>> = [0, 1, 2, 3, 4, 8, 16, 32].map(|count| vec![Cut::First(count)]).into();
    let kinds = [vec![Cut::OfAKind(1), Cut::Repeated], vec![Cut::OfAKind(2), Cut::Repeated], vec![Cut::Repeated]];
    ways.extend(kinds.clone());
    ways.extend(named.texts.iter().flat_map(|text| [0, 1, 4].map(|around| vec![Cut::Around(text.clone(), around)])));
    ways.extend([1, 2, 4, 8, 16, 32].map(|count| vec![Cut::Last(count)]));
    ways.extend([1, 2, 4, 8].map(|count| vec![Cut::Ends(count)]));
    ways.extend([vec![Cut::Distinct], vec![Cut::Equal(1)], vec![Cut::Equal(2)], vec![Cut::OfAKind(1)]]);
    for kind in &kinds {
        let ends = [Cut::First(4), Cut::First(8), Cut::First(16), Cut::Last(8), Cut::Last(16), Cut::Ends(4)];
        ways.extend(ends.map(|end| [kind.clone(), vec![end]].concat()));
    }
    ways.extend(named.numbers.iter().flat_map(|number| {
        let near = [number.checked_sub(1), Some(*number), number.checked_add(1)].into_iter().flatten();
        near.map(|count| vec![Cut::First(count)])
    }));
    ways.extend([0, 1].map(|number| vec![Cut::Line(number)]));
    ways.push(vec![Cut::First(64)]);
    ways
}

/// The literals of a statement.
#[derive(Default)]
struct Named {
    texts: BTreeSet<String>,
    numbers: BTreeSet<usize>,
}

impl Named {
    fn collect(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => self.collect(group.stream()),
                TokenTree::Literal(literal) => match syn::parse_str::<syn::Lit>(&literal.to_string()) {
                    Ok(syn::Lit::Str(text)) => drop(self.texts.insert(text.value())),
                    Ok(syn::Lit::Char(letter)) => drop(self.texts.insert(letter.value().to_string())),
                    Ok(syn::Lit::Int(number)) => self.numbers.extend(number.base10_parse::<usize>().ok()),
                    _ => {}
                },
                _ => {}
            }
        }
    }
}

/// How long the leaves are that can be cut.
fn leaves_of(candidate: &Candidate) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut copy = candidate.clone();
    for value in inputs_of(&mut copy) {
        each_leaf(value, &mut |leaf| lengths.push(length(leaf)));
    }
    lengths
}

fn inputs_of(candidate: &mut Candidate) -> impl Iterator<Item = &mut Value> {
    candidate.givens.iter_mut().map(|(_, value)| value).chain(&mut candidate.arguments)
}

/// The candidate with one of its leaves cut, or all of them.
fn with_cuts(candidate: &Candidate, which: Option<usize>, cuts: &[Cut]) -> Candidate {
    let mut copy = candidate.clone();
    let mut number = 0;
    for value in inputs_of(&mut copy) {
        each_leaf(value, &mut |leaf| {
            if which.is_none_or(|which| which == number) {
                cuts.iter().for_each(|cut| apply(cut, leaf));
            }
            number += 1;
        });
    }
    copy
}

fn length(leaf: &Value) -> usize {
    match leaf {
        Value::Str(text) => text.chars().count(),
        Value::Seq { items, .. } => items.len(),
        _ => 0,
    }
}

/// The texts and lists in a value whose length is no part of their type. What is in an element of a list is none of its own:
/// the list is cut first.
fn each_leaf(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Str(_) | Value::Seq { .. } if length(value) > SHORT && !is_array(value) => visit(value),
        Value::Ref { inner, .. } => each_leaf(inner, visit),
        Value::Tuple(parts) => parts.iter_mut().for_each(|part| each_leaf(part, visit)),
        Value::Seq { items, .. } => items.iter_mut().for_each(|item| each_leaf(item, visit)),
        Value::Struct { fields, .. } => fields.iter_mut().for_each(|(_, field)| each_leaf(field, visit)),
        // An array that is collected into something else may have any length.
        Value::Built { head, args, .. } if head == FROM_ELEMENTS => {
            args.iter_mut().filter(|list| length(list) > SHORT).for_each(visit)
        }
        Value::Built { args, .. } => args.iter_mut().for_each(|part| each_leaf(part, visit)),
        _ => {}
    }
}

fn is_array(value: &Value) -> bool {
    matches!(value, Value::Seq { kind: SeqKind::Array, .. })
}

fn apply(cut: &Cut, leaf: &mut Value) {
    match leaf {
        Value::Str(text) => {
            let letters: Vec<char> = text.chars().collect();
            *text = match cut {
                Cut::Around(word, around) => surroundings(text, word, *around).unwrap_or_else(|| text.clone()),
                Cut::Line(number) => text.lines().nth(*number).unwrap_or(text).to_owned(),
                other => kept(other, &letters, &kind_of_letter).into_iter().collect(),
            };
        }
        Value::Seq { items, .. } => *items = kept(cut, items, &kind_of_item),
        _ => {}
    }
}

fn surroundings(text: &str, word: &str, around: usize) -> Option<String> {
    let (before, rest) = text.split_once(word).filter(|_| !word.is_empty())?;
    let before = before.chars().rev().take(around).collect::<Vec<_>>().into_iter().rev();
    Some(before.chain(word.chars()).chain(rest.chars().take(around)).collect())
}

fn kind_of_letter(letter: &char) -> u32 {
    match letter {
        letter if letter.is_lowercase() => 0,
        letter if letter.is_alphabetic() => 1,
        letter if letter.is_numeric() => 2,
        letter if letter.is_whitespace() && *letter != '\n' => 3,
        // Each sign is a kind by itself.
        other => 4 + u32::from(*other),
    }
}

/// Bytes are mostly letters.
fn kind_of_item(item: &Value) -> u32 {
    match item {
        Value::Int { type_name: "u8", bits } => kind_of_letter(&char::from(*bits as u8)),
        Value::Char(letter) => kind_of_letter(letter),
        _ => 0,
    }
}

/// The elements that a cut leaves.
fn kept<T: Clone + PartialEq>(cut: &Cut, all: &[T], kind: &dyn Fn(&T) -> u32) -> Vec<T> {
    let ends = |first: usize, last: usize| {
        let first = first.min(all.len());
        let last = last.min(all.len() - first);
        [&all[..first], &all[all.len() - last..]].concat()
    };
    match cut {
        Cut::First(count) => ends(*count, 0),
        Cut::Last(count) => ends(0, *count),
        Cut::Ends(count) => ends(*count, *count),
        Cut::Equal(count) => runs(all, *count, &|one, other| one == other),
        Cut::OfAKind(count) => runs(all, *count, &|one, other| kind(one) == kind(other)),
        Cut::Repeated => once(all),
        Cut::Distinct => {
            let mut distinct: Vec<T> = Vec::new();
            for element in all {
                if !distinct.contains(element) {
                    distinct.push(element.clone());
                }
            }
            distinct
        }
        Cut::Around(..) | Cut::Line(_) => all.to_vec(),
    }
}

/// Of elements in a row that are alike, so many.
fn runs<T: Clone>(all: &[T], count: usize, alike: &dyn Fn(&T, &T) -> bool) -> Vec<T> {
    let runs = all.chunk_by(|one, other| alike(one, other));
    runs.flat_map(|run| run.iter().take(count).cloned()).collect()
}

/// Elements without those that are there again right behind themselves, first one by one, then in longer parts.
fn once<T: Clone + PartialEq>(all: &[T]) -> Vec<T> {
    let mut left = all.to_vec();
    for length in 1..=LONGEST_REPEATED {
        let mut kept: Vec<T> = Vec::new();
        for element in left {
            kept.push(element);
            let (before, last) = kept.split_at(kept.len().saturating_sub(length));
            if before.ends_with(last) {
                kept.truncate(kept.len() - length);
            }
        }
        left = kept;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn text(text: &str) -> Value {
        Value::Ref { mutable: false, inner: Box::new(Value::Str(text.to_owned())) }
    }

    fn of(givens: Vec<(&str, Value)>) -> Candidate {
        Candidate {
            givens: givens.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            arguments: Vec::new(),
            mocks: Vec::new(),
            claims: Vec::new(),
            generics: Vec::new(),
            target: BTreeSet::new(),
            context: BTreeSet::new(),
        }
    }

    fn givens(candidates: &[Candidate]) -> Vec<Vec<Value>> {
        candidates.iter().map(|one| one.givens.iter().map(|(_, value)| value.clone()).collect()).collect()
    }

    #[test]
    fn a_long_text_is_cut_in_many_ways_and_never_longer() {
        let long = of(vec![("line", text(&format!("{}: {}", "a".repeat(900), "7".repeat(900))))]);
        let found = givens(&shorter(&long, &quote!(let n = line.split(": ").count();)));
        for wanted in ["", "aa", "a: 7", "aa: 77", ": ", "a: 7", "77"] {
            assert!(found.contains(&vec![text(wanted)]), "{wanted:?} in {found:?}");
        }
        assert!(found.len() <= MOST_VARIANTS);
    }

    #[test]
    fn what_the_statement_names_is_kept_with_its_surroundings() {
        let long = of(vec![("line", text(&format!("{}needle{}", "xyz ".repeat(50), "abc ".repeat(50))))]);
        let found = givens(&shorter(&long, &quote!(let at = line.find("needle");)));
        assert!(found.contains(&vec![text("needle")]) && found.contains(&vec![text(" needlea")]), "{found:?}");
    }

    #[test]
    fn what_is_repeated_is_there_once() {
        let letters = |text: &str| once(&text.chars().collect::<Vec<_>>()).into_iter().collect::<String>();
        assert_eq!(letters("aaaa"), "a");
        assert_eq!(letters("ab ab ab; cd cd;"), "ab ; cd ;");
        assert_eq!(letters("abc"), "abc");
        assert_eq!(letters(""), "");
    }

    #[test]
    fn two_long_inputs_are_cut_together_and_one_by_one() {
        let both = of(vec![("a", text(&"a".repeat(20))), ("b", text(&"b".repeat(30)))]);
        let found = givens(&shorter(&both, &quote!(let same = a == b;)));
        assert!(found.contains(&vec![text("a"), text("b")]), "{found:?}");
        assert!(found.contains(&vec![text(&"a".repeat(20)), text("b")]), "{found:?}");
    }

    #[test]
    fn what_is_short_and_what_has_its_length_in_its_type_stays() {
        let byte = Value::Int { type_name: "u8", bits: 1 };
        let array = Value::Seq { kind: SeqKind::Array, type_name: String::new(), items: vec![byte; 200] };
        assert!(shorter(&of(vec![("a", text("abc")), ("b", array)]), &quote!(f(a, b);)).is_empty());
    }
}
