//! Inputs near recorded ones: equal except for one or two values, which are at untested boundaries.

use super::boundary_values::{Edges, Pool, in_turn, shortest};
use crate::generate::extract::candidate::Candidate;
use crate::generate::extract::find::comparison_sides::Comparisons;
use crate::generate::mocks::Mock;
use proc_macro2::TokenStream;
use situ_recorder::value::Value;
use std::collections::BTreeSet;

/// The maximum number of other inputs for one row.
const MAX_VARIANTS: usize = 160;

/// The number of inputs with one change that precede any with two.
pub(crate) const BEFORE_PAIRS: usize = 40;

/// The maximum number of parts that are changed together with another one, and of values that each
/// gets.
const MAX_PARTS: usize = 8;
const MAX_OF_A_PART: usize = 2;

/// Returns the candidate with one input changed a little, in every way that may take the statement
/// elsewhere, or as it is in one of the other candidates, which are given the same things; and with
/// two parts changed, since a condition often asks for both.
pub(crate) fn near(
    candidate: &Candidate,
    statement: &TokenStream,
    comparisons: &Comparisons,
    others: &[&Candidate],
    pool: &Pool,
) -> Vec<Candidate> {
    let mut edges = Edges::of(statement, pool);
    edges.collect_equalizing(comparisons, candidate);
    inputs(candidate).for_each(|value| edges.collect_lengths(value));
    let text = |of: &Candidate| format!("{:?}{:?}{:?}", of.givens, of.arguments, of.mocks);
    let mut seen: BTreeSet<String> = BTreeSet::from([text(candidate)]);
    let variants = |input: Input, own: &Value| -> Vec<Candidate> {
        let elsewhere = shortest(others.iter().filter_map(|other| input.of(other)));
        let values = in_turn(vec![edges.near(own), elsewhere]);
        values
            .into_iter()
            .map(|value| input.changed(candidate, value))
            .collect()
    };
    let inputs = Input::all(candidate);
    let single = in_turn(
        inputs
            .iter()
            .map(|(input, own)| variants(*input, own))
            .collect(),
    );
    let (first, others) = single.split_at(single.len().min(BEFORE_PAIRS));
    let pairs = pairs(&edges, &inputs)
        .into_iter()
        .map(|[one, other]| other.of(&one.of(candidate)));
    let all = first
        .iter()
        .cloned()
        .chain(in_turn(vec![pairs.collect(), others.to_vec()]));
    all.filter(|other| seen.insert(text(other)))
        .take(MAX_VARIANTS)
        .collect()
}

/// An input of a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    /// The given at this index.
    Given(usize),
    /// The closure argument at this index.
    Argument(usize),
    /// The mock at this index.
    Answer(usize),
}

impl Input {
    /// Returns the inputs with a single value, each with it.
    pub(crate) fn all(candidate: &Candidate) -> Vec<(Input, &Value)> {
        let givens = (0..candidate.givens.len()).map(Input::Given);
        let arguments = (0..candidate.arguments.len()).map(Input::Argument);
        let answers = (0..candidate.mocks.len()).map(Input::Answer);
        let all = givens.chain(arguments).chain(answers);
        all.filter_map(|input| Some((input, input.of(candidate)?)))
            .collect()
    }

    fn of(self, candidate: &Candidate) -> Option<&Value> {
        match self {
            Input::Given(at) => candidate.givens.get(at).map(|(_, value)| value),
            Input::Argument(at) => candidate.arguments.get(at),
            Input::Answer(at) => candidate.mocks.get(at).and_then(Mock::varying),
        }
    }

    /// Returns the candidate with another value in it.
    pub(crate) fn changed(self, candidate: &Candidate, value: Value) -> Candidate {
        let mut other = Candidate {
            is_near: true,
            ..candidate.clone()
        };
        match self {
            Input::Given(at) => other.givens[at].1 = value,
            Input::Argument(at) => other.arguments[at] = value,
            Input::Answer(at) => other.mocks[at].values = vec![value],
        }
        other
    }
}

/// A change of a part of an input, by its path of fields.
#[derive(Clone, Debug)]
struct Change {
    input: Input,
    path: Vec<usize>,
    value: Value,
}

impl Change {
    fn of(&self, candidate: &Candidate) -> Candidate {
        let own = self.input.of(candidate).cloned().unwrap_or(Value::Unit);
        self.input
            .changed(candidate, replaced(own, &self.path, &self.value))
    }
}

/// Returns the value with a part replaced.
fn replaced(mut whole: Value, path: &[usize], value: &Value) -> Value {
    let Some((at, rest)) = path.split_first() else {
        return value.clone();
    };
    let part = match &mut whole {
        Value::Ref { inner, .. } => Some(&mut **inner),
        Value::Tuple(parts) => parts.get_mut(*at),
        Value::Struct { fields, .. } => fields.get_mut(*at).map(|(_, field)| field),
        _ => None,
    };
    if let Some(part) = part {
        *part = replaced(part.clone(), rest, value);
    }
    whole
}

/// Returns pairs of changes of plain parts; parts with the fewest alternatives, such as booleans,
/// come first.
fn pairs(edges: &Edges<'_>, inputs: &[(Input, &Value)]) -> Vec<[Change; 2]> {
    let mut parts = Vec::new();
    for (input, own) in inputs {
        edges.plain_parts(own, &mut Vec::new(), &mut |path, part| {
            let change = |value| Change {
                input: *input,
                path: path.to_vec(),
                value,
            };
            parts.push(
                edges
                    .near(part)
                    .into_iter()
                    .take(MAX_OF_A_PART)
                    .map(change)
                    .collect::<Vec<_>>(),
            );
        });
    }
    parts.retain(|changes| !changes.is_empty());
    parts.sort_by_key(Vec::len);
    parts.truncate(MAX_PARTS);
    let mut pairs = Vec::new();
    for (at, changes) in parts.iter().enumerate() {
        for others in &parts[at + 1..] {
            let both = |one: &Change| {
                others
                    .iter()
                    .map(|other| [one.clone(), other.clone()])
                    .collect::<Vec<_>>()
            };
            pairs.extend(changes.iter().flat_map(both));
        }
    }
    pairs
}

/// Returns the values of all inputs.
pub(crate) fn inputs(candidate: &Candidate) -> impl Iterator<Item = &Value> {
    Input::all(candidate).into_iter().map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use situ_recorder::value::{SeqKind, Shape};

    fn of(value: Value) -> Candidate {
        Candidate {
            givens: vec![("x".to_owned(), value)],
            claims: Vec::new(),
            ..Candidate::default()
        }
    }

    fn found(value: Value, statement: &TokenStream) -> Vec<Value> {
        let near = near(
            &of(value),
            statement,
            &Comparisons::default(),
            &[],
            &Pool::default(),
        );
        assert!(near.iter().all(|candidate| candidate.is_near));
        near.into_iter()
            .map(|candidate| candidate.givens[0].1.clone())
            .collect()
    }

    fn byte(number: i128) -> Value {
        Value::Int {
            type_name: "u8",
            bits: number as u128,
        }
    }

    #[test]
    fn numbers_go_to_both_sides_of_what_they_are_compared_with_and_stay_in_their_type() {
        let all = found(byte(7), &quote!(if x > 9 && x < 300 {}));
        for wanted in [8, 9, 10, 6, 0, 255] {
            assert!(all.contains(&byte(wanted)), "{wanted} in {all:?}");
        }
        assert!(
            !all.contains(&byte(7)) && !all.contains(&byte(299)) && !all.contains(&byte(-1)),
            "{all:?}"
        );
    }

    #[test]
    fn the_widest_numbers_have_neighbours_on_one_side() {
        let widest = |number: i128| Value::Int {
            type_name: "i128",
            bits: number as u128,
        };
        for (own, beside) in [(i128::MAX, i128::MAX - 1), (i128::MIN, i128::MIN + 1)] {
            let all = found(widest(own), &quote!(if x > 0 {}));
            assert!(
                all.contains(&widest(beside)) && !all.contains(&widest(own)),
                "{all:?}"
            );
        }
    }

    #[test]
    fn floats_become_what_they_are_compared_with() {
        let float = |number: f64| Value::Float {
            double: true,
            bits: number.to_bits(),
        };
        let all = found(float(1536.5), &quote!(if x < 1024.0 {}));
        for wanted in [1024.0, 0.0, -1536.5, 1537.5] {
            assert!(all.contains(&float(wanted)), "{wanted} in {all:?}");
        }
    }

    #[test]
    fn texts_lose_and_get_letters_and_what_the_statement_names() {
        let all = found(Value::Str("ab".to_owned()), &quote!(let at = x.find("::");));
        for wanted in ["", "a", "b", "abb", "::", "ab::", "::ab", "ab::ab"] {
            assert!(
                all.contains(&Value::Str(wanted.to_owned())),
                "{wanted} in {all:?}"
            );
        }
    }

    #[test]
    fn lists_are_longer_and_shorter_by_one_and_arrays_are_not() {
        let list = |kind: SeqKind, items: Vec<Value>| Value::Seq {
            kind,
            type_name: String::new(),
            items,
        };
        let of_vec = found(
            list(SeqKind::Vec, vec![byte(1), byte(5)]),
            &quote!(x.sort();),
        );
        for wanted in [
            vec![],
            vec![byte(1)],
            vec![byte(5)],
            vec![byte(1), byte(5), byte(5)],
            vec![byte(0), byte(5)],
        ] {
            assert!(
                of_vec.contains(&list(SeqKind::Vec, wanted.clone())),
                "{wanted:?} in {of_vec:?}"
            );
        }
        let of_array = found(
            list(SeqKind::Array, vec![byte(1), byte(5)]),
            &quote!(x.sort();),
        );
        assert!(
            of_array
                .iter()
                .all(|value| matches!(value, Value::Seq { items, .. } if items.len() == 2)),
            "{of_array:?}"
        );
    }

    #[test]
    fn every_input_has_its_turn_before_one_of_them_has_all() {
        let long: String = ('a'..='z').collect();
        let givens = vec![
            ("x".to_owned(), Value::Str(long)),
            ("y".to_owned(), byte(7)),
        ];
        let candidate = Candidate {
            givens: givens.clone(),
            ..Candidate::default()
        };
        let statement: Vec<String> = ('a'..='z').map(|letter| format!("{letter:?}")).collect();
        let near = near(
            &candidate,
            &statement.join(" ").parse().unwrap(),
            &Comparisons::default(),
            &[],
            &Pool::default(),
        );
        assert_eq!(near.len(), MAX_VARIANTS);
        assert!(
            near.iter()
                .filter(|other| other.givens[1] != givens[1])
                .count()
                > 5,
            "{near:?}"
        );
    }

    #[test]
    fn what_an_input_was_elsewhere_and_other_variants_of_its_enum_are_tried() {
        let variant = |name: &str| Value::Struct {
            type_name: "mine::State".to_owned(),
            variant: Some(name.to_owned()),
            shape: Shape::Unit,
            fields: Vec::new(),
        };
        let pool = Pool::of(
            [
                variant("Ground"),
                Value::Tuple(vec![variant("Escape"), byte(1)]),
            ]
            .iter(),
        );
        let near = near(
            &of(variant("Ground")),
            &quote!(match x {}),
            &Comparisons::default(),
            &[&of(variant("Csi"))],
            &pool,
        );
        let found: Vec<&Value> = near.iter().map(|other| &other.givens[0].1).collect();
        assert!(
            found.contains(&&variant("Escape")) && found.contains(&&variant("Csi")),
            "{found:?}"
        );
        assert!(!found.contains(&&variant("Ground")), "{found:?}");
    }

    #[test]
    fn what_a_condition_asks_for_at_once_is_changed_together() {
        let state = |open: bool, done: bool| Value::Struct {
            type_name: "mine::State".to_owned(),
            variant: None,
            shape: Shape::Named,
            fields: vec![
                ("open".to_owned(), Value::Bool(open)),
                ("done".to_owned(), Value::Bool(done)),
            ],
        };
        let all = found(state(false, false), &quote!(if x.open && x.done {}));
        assert!(
            all.contains(&state(true, false)) && all.contains(&state(true, true)),
            "{all:?}"
        );
        let givens = vec![
            ("a".to_owned(), byte(1)),
            ("b".to_owned(), Value::Bool(true)),
        ];
        let candidate = Candidate {
            givens,
            ..Candidate::default()
        };
        let near = near(
            &candidate,
            &quote!(if a > 9 && !b {}),
            &Comparisons::default(),
            &[],
            &Pool::default(),
        );
        let is_both = |other: &Candidate| {
            other.givens[0].1 != byte(1) && other.givens[1].1 == Value::Bool(false)
        };
        assert!(near.iter().any(is_both), "{near:?}");
    }
}
