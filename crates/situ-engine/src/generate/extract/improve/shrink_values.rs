//! Shorter values instead of long ones: candidates with other inputs, whose outputs are not known
//! yet.

use super::cuts::{Cut, Left, apply, ways};
use crate::generate::extract::candidate::Candidate;
use proc_macro2::TokenStream;
use situ_recorder::value::{FROM_ELEMENTS, SeqKind, Value};
use std::collections::BTreeSet;

/// The number of elements up to which a string or list is not shortened.
const SHORT: usize = 16;

/// The maximum number of other inputs for one candidate.
const MAX_VARIANTS: usize = 64;

/// Returns the candidate with shorter inputs, each shortened in another way.
pub(crate) fn shorter(candidate: &Candidate, statement: &TokenStream) -> Vec<Candidate> {
    let ways = ways(statement);
    let leaves = leaves_of(candidate);
    // All of them together, then each separately, longest first: inputs that depend on each other
    // must agree.
    let mut which: Vec<Option<usize>> = vec![None];
    if leaves.len() > 1 {
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(leaves[*at]));
        which.extend(order.into_iter().map(Some));
    }
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let all = which.iter().flat_map(|which| {
        ways.iter()
            .flat_map(|cuts| with_cuts(candidate, *which, cuts))
    });
    let shorter = all.filter(|other| other.size() < candidate.size());
    shorter
        .filter(|other| seen.insert(format!("{:?}{:?}", other.givens, other.arguments)))
        .take(MAX_VARIANTS)
        .collect()
}

/// Returns the length in chars of the longest string or list that could be cut.
pub(crate) fn longest(candidate: &Candidate) -> usize {
    leaves_of(candidate).into_iter().max().unwrap_or(0)
}

/// Returns the length in chars of each leaf that can be cut.
fn leaves_of(candidate: &Candidate) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut copy = candidate.clone();
    for value in inputs_of(&mut copy) {
        each_leaf(value, &mut |leaf| lengths.push(letters(leaf)));
    }
    lengths
}

/// Returns the approximate length of a value's expression in chars.
fn letters(value: &Value) -> usize {
    let all = |values: &mut dyn Iterator<Item = &Value>| {
        values.map(|value| letters(value) + 2).sum::<usize>()
    };
    match value {
        Value::Str(text) | Value::Parsed { text, .. } => text.chars().count() + 2,
        Value::Int { bits, .. } => bits.to_string().len().min(20),
        Value::Ref { inner, .. } => letters(inner) + 1,
        Value::Tuple(parts) => all(&mut parts.iter()),
        Value::Seq { items, .. } if items.iter().all(is_printed) => items.len() + 3,
        Value::Seq { items, .. } => all(&mut items.iter()),
        Value::Struct { fields, .. } => fields
            .iter()
            .map(|(name, field)| name.len() + letters(field) + 4)
            .sum(),
        Value::Built { head, args, .. } => head.len() + all(&mut args.iter()),
        _ => 4,
    }
}

/// Returns whether a byte is printable in `b"…"`.
fn is_printed(item: &Value) -> bool {
    let byte = match item {
        Value::Int {
            type_name: "u8",
            bits,
        } => u8::try_from(*bits).ok(),
        _ => None,
    };
    byte.is_some_and(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace())
}

fn inputs_of(candidate: &mut Candidate) -> impl Iterator<Item = &mut Value> {
    candidate
        .givens
        .iter_mut()
        .map(|(_, value)| value)
        .chain(&mut candidate.arguments)
}

/// Returns the candidate with one or all of its leaves cut. Numbers that may be indices into them
/// or their lengths are adjusted too.
fn with_cuts(candidate: &Candidate, which: Option<usize>, cuts: &[Cut]) -> Vec<Candidate> {
    let mut copy = candidate.clone();
    let mut number = 0;
    let mut left: Vec<Left> = Vec::new();
    for value in inputs_of(&mut copy) {
        each_leaf(value, &mut |leaf| {
            if which.is_none_or(|which| which == number) {
                left.push(apply(cuts, leaf));
            }
            number += 1;
        });
    }
    let mut smaller = copy.clone();
    inputs_of(&mut smaller).for_each(|value| follow(value, &left));
    if smaller.givens == copy.givens && smaller.arguments == copy.arguments {
        vec![copy]
    } else {
        vec![smaller, copy]
    }
}

fn follow(value: &mut Value, left: &[Left]) {
    match value {
        Value::Int { bits, .. } => {
            let place = usize::try_from(*bits).ok();
            if let Some(now) =
                place.and_then(|place| left.iter().find_map(|left| left.place_now(place)))
            {
                *bits = now as u128;
            }
        }
        Value::Ref { inner, .. } => follow(inner, left),
        Value::Tuple(parts) => parts.iter_mut().for_each(|part| follow(part, left)),
        Value::Struct { fields, .. } => {
            fields.iter_mut().for_each(|(_, field)| follow(field, left))
        }
        _ => {}
    }
}

fn length(leaf: &Value) -> usize {
    match leaf {
        Value::Str(text) => text.chars().count(),
        Value::Seq { items, .. } => items.len(),
        _ => 0,
    }
}

/// Visits the strings and lists in a value whose length is not part of their type. Elements of a
/// list are not visited: the list is cut first.
fn each_leaf(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Str(_) | Value::Seq { .. } if length(value) > SHORT && !is_array(value) => {
            visit(value)
        }
        Value::Ref { inner, .. } => each_leaf(inner, visit),
        Value::Tuple(parts) => parts.iter_mut().for_each(|part| each_leaf(part, visit)),
        Value::Seq { items, .. } => items.iter_mut().for_each(|item| each_leaf(item, visit)),
        Value::Struct { fields, .. } => fields
            .iter_mut()
            .for_each(|(_, field)| each_leaf(field, visit)),
        // An array that is collected into something else may have any length.
        Value::Built { head, args, .. } if head == FROM_ELEMENTS => args
            .iter_mut()
            .filter(|list| length(list) > SHORT)
            .for_each(visit),
        Value::Built { args, .. } => args.iter_mut().for_each(|part| each_leaf(part, visit)),
        _ => {}
    }
}

fn is_array(value: &Value) -> bool {
    matches!(
        value,
        Value::Seq {
            kind: SeqKind::Array,
            ..
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn text(text: &str) -> Value {
        Value::Ref {
            mutable: false,
            inner: Box::new(Value::Str(text.to_owned())),
        }
    }

    fn of(givens: Vec<(&str, Value)>) -> Candidate {
        Candidate {
            givens: givens
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            claims: Vec::new(),
            ..Candidate::default()
        }
    }

    fn givens(candidates: &[Candidate]) -> Vec<Vec<Value>> {
        candidates
            .iter()
            .map(|one| one.givens.iter().map(|(_, value)| value.clone()).collect())
            .collect()
    }

    #[test]
    fn a_long_text_is_cut_in_many_ways_and_never_longer() {
        let long = of(vec![(
            "line",
            text(&format!("{}: {}", "a".repeat(900), "7".repeat(900))),
        )]);
        let found = givens(&shorter(&long, &quote!(let n = line.split(": ").count();)));
        for wanted in ["", "aa", "a: 7", "aa: 77", ": ", "a: 7", "77"] {
            assert!(
                found.contains(&vec![text(wanted)]),
                "{wanted:?} in {found:?}"
            );
        }
        assert!(found.len() <= MAX_VARIANTS);
    }

    #[test]
    fn what_the_statement_names_is_kept_with_its_surroundings() {
        let long = of(vec![(
            "line",
            text(&format!("{}needle{}", "xyz ".repeat(50), "abc ".repeat(50))),
        )]);
        let found = givens(&shorter(&long, &quote!(let at = line.find("needle");)));
        assert!(
            found.contains(&vec![text("needle")]) && found.contains(&vec![text(" needlea")]),
            "{found:?}"
        );
    }

    #[test]
    fn two_long_inputs_are_cut_together_and_one_by_one() {
        let both = of(vec![
            ("a", text(&"a".repeat(20))),
            ("b", text(&"b".repeat(30))),
        ]);
        let found = givens(&shorter(&both, &quote!(let same = a == b;)));
        assert!(found.contains(&vec![text("a"), text("b")]), "{found:?}");
        assert!(
            found.contains(&vec![text(&"a".repeat(20)), text("b")]),
            "{found:?}"
        );
    }

    #[test]
    fn a_number_that_is_a_length_follows_it() {
        let number = |bits: u128| Value::Int {
            type_name: "usize",
            bits,
        };
        let long = of(vec![
            ("text", text(&"x".repeat(2000))),
            ("limit", number(1999)),
        ]);
        let found = givens(&shorter(&long, &quote!(let over = text.len() > limit;)));
        assert!(found.contains(&vec![text("xx"), number(1)]), "{found:?}");
        assert!(found.contains(&vec![text("xx"), number(1999)]), "{found:?}");
    }

    #[test]
    fn what_is_short_and_what_has_its_length_in_its_type_stays() {
        let byte = Value::Int {
            type_name: "u8",
            bits: 1,
        };
        let array = Value::Seq {
            kind: SeqKind::Array,
            type_name: String::new(),
            items: vec![byte; 200],
        };
        let both = of(vec![("a", text("abc@example.org")), ("b", array)]);
        assert!(shorter(&both, &quote!(f(a, b);)).is_empty());
        assert_eq!(longest(&both), 0);
        assert_eq!(longest(&of(vec![("a", text(&"é".repeat(100)))])), 102);
        let bytes = |bits: u128| {
            let byte = Value::Int {
                type_name: "u8",
                bits,
            };
            of(vec![(
                "a",
                Value::Seq {
                    kind: SeqKind::Vec,
                    type_name: String::new(),
                    items: vec![byte; 50],
                },
            )])
        };
        assert_eq!(
            (longest(&bytes(97)), longest(&bytes(200))),
            (53, 250),
            "letters, and numbers with commas"
        );
    }
}
