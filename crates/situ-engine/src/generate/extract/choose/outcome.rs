//! Kinds of outcomes: the path of a statement, whatever its values were.

use crate::generate::extract::candidate::statement::Statement;
use crate::generate::extract::candidate::{Candidate, Claim};
use crate::generate::extract::choose::{Passing, is_fragment};
use crate::generate::extract::find::comparison_sides::Comparisons;
use crate::generate::extract::table::rows::GroupIdx;
use situ_recorder::value::Value;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The maximum number of kinds of outcomes shown for one statement.
const MAX_SHOWN: usize = 3;

/// Returns the kept rows, and the shortest for each kind of outcome that they do not show: a
/// condition both ways, `Some` and `None`, a text and an empty one, a number below, at and above
/// what it is compared with. Mutants that nobody thought of mostly send a statement the other way.
pub(crate) fn with_other_outcomes(
    statement: &Statement,
    passing: &[Passing],
    mut kept: Vec<Passing>,
) -> Vec<Passing> {
    let candidate = |row: &Passing| &statement.candidates[row.candidate];
    let comparisons = statement.comparisons();
    let way = |row: &Passing| (outcome(candidate(row)), comparisons.sides(candidate(row)));
    let mut seen: BTreeSet<(String, Vec<Option<Ordering>>)> = kept.iter().map(way).collect();
    let groups: BTreeSet<GroupIdx> = kept.iter().map(|row| row.group).collect();
    let mut others: Vec<&Passing> = passing.iter().filter(|row| !kept.contains(row)).collect();
    // A row in an existing test costs a reader least.
    others.sort_by_cached_key(|row| (!groups.contains(&row.group), candidate(row).size()));
    for row in others {
        if kept.len() >= MAX_SHOWN {
            break;
        }
        if seen.insert(way(row)) {
            kept.push(*row);
        }
    }
    kept.sort_unstable();
    kept
}

/// Goals for the rows of a statement, as numbers that no mutant has: each operand true and false,
/// and each comparison below, at and above the other side.
pub(crate) struct Goals {
    comparisons: Comparisons,
    is_fragment: bool,
}

/// The maximum number of operands of a condition that count.
const MAX_OPERANDS: usize = 16;

/// The first goal number, far above those of mutants. Branches of fragments have such numbers too,
/// but fragments have no goals.
const FIRST_GOAL: u32 = u32::MAX - 64;

impl Goals {
    /// Returns the goals of a statement; none for a fragment, whose branches and exits count
    /// already.
    pub(crate) fn of(statement: &Statement) -> Goals {
        Goals {
            comparisons: statement.comparisons(),
            is_fragment: is_fragment(statement),
        }
    }

    /// Returns the goals that a candidate meets.
    pub(crate) fn met(&self, candidate: &Candidate) -> BTreeSet<u32> {
        if self.is_fragment {
            return BTreeSet::new();
        }
        let operand = |claim: &Claim| match claim {
            Claim::Operand(number, value) if *number < MAX_OPERANDS => {
                Some(number * 2 + usize::from(*value))
            }
            _ => None,
        };
        let operands = candidate.claims.iter().filter_map(operand);
        let sides = self.comparisons.sides(candidate).into_iter().enumerate();
        let sides = sides
            .filter_map(|(at, side)| Some(2 * MAX_OPERANDS + 3 * at + (side? as i8 + 1) as usize));
        operands
            .chain(sides)
            .map(|goal| FIRST_GOAL - goal as u32)
            .collect()
    }

    /// Returns all goals that candidates with the same inputs could meet.
    pub(crate) fn all(&self, candidate: &Candidate) -> BTreeSet<u32> {
        let met = self.met(candidate);
        let operands = (0..MAX_OPERANDS).map(|number| [2 * number, 2 * number + 1]);
        let first = 2 * MAX_OPERANDS;
        let sides = (0..self.comparisons.count())
            .map(|at| [first + 3 * at, first + 3 * at + 1, first + 3 * at + 2]);
        let alike = operands
            .map(|goals| goals.to_vec())
            .chain(sides.map(|goals| goals.to_vec()));
        let alike = alike.map(|goals| {
            goals
                .into_iter()
                .map(|goal| FIRST_GOAL - goal as u32)
                .collect::<Vec<u32>>()
        });
        alike
            .filter(|goals| goals.iter().any(|goal| met.contains(goal)))
            .flatten()
            .collect()
    }
}

/// Returns the path that a candidate claims.
pub(crate) fn outcome(candidate: &Candidate) -> String {
    let claims = candidate.claims.iter().map(|claim| match claim {
        Claim::Panics(_) => "panic".to_owned(),
        Claim::Breaks(label) => format!("break {label}"),
        Claim::Continues(label) => format!("continue {label}"),
        other => other.value().as_ref().map(kind).unwrap_or_default(),
    });
    claims.collect::<Vec<String>>().join("; ")
}

/// Returns a value without what differs between values of one kind.
fn kind(value: &Value) -> String {
    let all = |values: &mut dyn Iterator<Item = &Value>| {
        values.map(kind).collect::<Vec<String>>().join(", ")
    };
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int { bits, .. } => (if *bits == 0 { "0" } else { "number" }).to_owned(),
        Value::Str(text) | Value::Parsed { text, .. } => {
            (if text.is_empty() { "empty" } else { "text" }).to_owned()
        }
        Value::Ref { inner, .. } => kind(inner),
        Value::Tuple(parts) => all(&mut parts.iter()),
        Value::Seq { items, .. } => (if items.is_empty() { "none" } else { "some" }).to_owned(),
        Value::Struct {
            variant, fields, ..
        } => {
            format!(
                "{}({})",
                variant.as_deref().unwrap_or_default(),
                all(&mut fields.iter().map(|(_, field)| field))
            )
        }
        Value::Built {
            head, args, tail, ..
        } => format!("{head}({}){tail}", all(&mut args.iter())),
        _ => "value".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(claims: Vec<Claim>) -> String {
        outcome(&Candidate {
            claims,
            ..Candidate::default()
        })
    }

    fn text(text: &str) -> Claim {
        Claim::Place("x".to_owned(), Value::Str(text.to_owned()))
    }

    #[test]
    fn goals_are_all_sides_and_values_of_what_is_known() {
        let comparisons = Comparisons::of(&quote::quote!(a < 3 && f(b) > 4), &Default::default());
        let goals = Goals {
            comparisons,
            is_fragment: false,
        };
        let of = |number: u128, first: bool| Candidate {
            givens: vec![(
                "a".to_owned(),
                Value::Int {
                    type_name: "u8",
                    bits: number,
                },
            )],
            claims: vec![Claim::Condition(first), Claim::Operand(1, first)],
            ..Candidate::default()
        };
        assert_eq!(goals.met(&of(2, true)).len(), 2);
        assert_eq!(
            goals.all(&of(2, true)).len(),
            5,
            "what is compared with the call is not known"
        );
        let others: Vec<u32> = goals
            .met(&of(3, false))
            .difference(&goals.met(&of(2, true)))
            .copied()
            .collect();
        assert_eq!(others.len(), 2);
        assert_eq!(goals.met(&of(2, true)), goals.met(&of(1, true)));
    }

    #[test]
    fn outcomes_differ_by_their_way_and_not_by_their_values() {
        assert_ne!(
            of(vec![Claim::Condition(true)]),
            of(vec![Claim::Condition(false)])
        );
        assert_eq!(of(vec![text("a")]), of(vec![text("bcd")]));
        assert_ne!(of(vec![text("a")]), of(vec![text("")]));
        assert_ne!(
            of(vec![Claim::Breaks(String::new())]),
            of(vec![Claim::Continues(String::new())])
        );
        assert_eq!(
            of(vec![Claim::Panics("a".to_owned())]),
            of(vec![Claim::Panics("b".to_owned())])
        );
    }
}
