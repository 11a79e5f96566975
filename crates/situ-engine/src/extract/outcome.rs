//! Kinds of outcomes: which way a statement went, whatever the values on that way were.

use super::candidate::{Candidate, Claim};
use super::choose::Passing;
use super::sides::Comparisons;
use super::statement::Statement;
use situ_rt::value::Value;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Kinds of outcomes of one statement that a reader is shown.
const MOST_SHOWN: usize = 3;

/// The kept rows, and the shortest for each kind of outcome that they do not show: a condition both ways, `Some` and
/// `None`, a text and an empty one, a number below, at and above what it is compared with. Mutants that nobody thought of mostly
/// send a statement the other way.
pub fn with_other_outcomes(statement: &Statement, passing: &[Passing], mut kept: Vec<Passing>) -> Vec<Passing> {
    let candidate = |row: &Passing| &statement.candidates[row.candidate];
    let comparisons = Comparisons::of(&statement.tokens());
    let way = |row: &Passing| (outcome(candidate(row)), comparisons.sides(candidate(row)));
    let mut seen: BTreeSet<(String, Vec<Option<Ordering>>)> = kept.iter().map(way).collect();
    let groups: BTreeSet<usize> = kept.iter().map(|row| row.group).collect();
    let mut others: Vec<&Passing> = passing.iter().filter(|row| !kept.contains(row)).collect();
    // A row of a test that is there already costs a reader least.
    others.sort_by_cached_key(|row| (!groups.contains(&row.group), candidate(row).size()));
    for row in others {
        if kept.len() >= MOST_SHOWN {
            break;
        }
        if seen.insert(way(row)) {
            kept.push(*row);
        }
    }
    kept.sort_unstable();
    kept
}

/// Which way a candidate says that the statement goes.
pub fn outcome(candidate: &Candidate) -> String {
    let claims = candidate.claims.iter().map(|claim| match claim {
        Claim::Panics(_) => "panic".to_owned(),
        Claim::Breaks(label) => format!("break {label}"),
        Claim::Continues(label) => format!("continue {label}"),
        other => other.value().as_ref().map(kind).unwrap_or_default(),
    });
    claims.collect::<Vec<String>>().join("; ")
}

/// A value without what differs between values of one kind.
fn kind(value: &Value) -> String {
    let all = |values: &mut dyn Iterator<Item = &Value>| values.map(kind).collect::<Vec<String>>().join(", ");
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int { bits, .. } => (if *bits == 0 { "0" } else { "number" }).to_owned(),
        Value::Str(text) | Value::Parsed { text, .. } => (if text.is_empty() { "empty" } else { "text" }).to_owned(),
        Value::Ref { inner, .. } => kind(inner),
        Value::Tuple(parts) => all(&mut parts.iter()),
        Value::Seq { items, .. } => (if items.is_empty() { "none" } else { "some" }).to_owned(),
        Value::Struct { variant, fields, .. } => {
            format!("{}({})", variant.as_deref().unwrap_or_default(), all(&mut fields.iter().map(|(_, field)| field)))
        }
        Value::Built { head, args, tail, .. } => format!("{head}({}){tail}", all(&mut args.iter())),
        _ => "value".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(claims: Vec<Claim>) -> String {
        outcome(&Candidate { claims, ..Candidate::default() })
    }

    fn text(text: &str) -> Claim {
        Claim::Place("x".to_owned(), Value::Str(text.to_owned()))
    }

    #[test]
    fn outcomes_differ_by_their_way_and_not_by_their_values() {
        assert_ne!(of(vec![Claim::Condition(true)]), of(vec![Claim::Condition(false)]));
        assert_eq!(of(vec![text("a")]), of(vec![text("bcd")]));
        assert_ne!(of(vec![text("a")]), of(vec![text("")]));
        assert_ne!(of(vec![Claim::Breaks(String::new())]), of(vec![Claim::Continues(String::new())]));
        assert_eq!(of(vec![Claim::Panics("a".to_owned())]), of(vec![Claim::Panics("b".to_owned())]));
    }
}
