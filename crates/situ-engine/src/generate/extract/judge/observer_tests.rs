//! Observer tests: rows of inputs without claims, which report what their statement does with them.

use crate::generate::extract::candidate::claims::is_partly_known;
use crate::generate::extract::candidate::clauses::{Comparison, Writing};
use crate::generate::extract::candidate::{Candidate, Claim, ClaimIdx};
use crate::generate::extract::table::group_refusal::GroupRefusal;
use crate::generate::extract::table::rows::{Group, Part, ROW, RowsTest, push_clauses};
use crate::values::Style;
use crate::values::capture_loss::why_lost;
use crate::values::unstable_text::unstable_part;
use situ_recorder::observe::PATH_SLOT;
use situ_recorder::value::{SeqKind, Value};
use std::collections::{BTreeMap, BTreeSet};

/// An oracle that always holds. A plain `true` is refused, as it should be in handwritten tests.
const CONTENT: &str = "check(::situ::rt::core::convert::identity(true))";

/// The receiver of observations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nobody: this only checks that everything compiles.
    Nobody,
    Recorder,
}

/// Returns the number of the run of a row.
pub(crate) fn run_number(group: usize, row: usize) -> u64 {
    (group as u64) << 32 | row as u64
}

impl Group {
    /// Returns a test that reports every claimed place of its rows, and the branches taken.
    pub(crate) fn observing(
        &self,
        candidates: &[Candidate],
        writing: &Writing<'_>,
        told: Told,
    ) -> Result<RowsTest, GroupRefusal> {
        let mut test = self.arranged(candidates, &[], ROW, writing)?;
        if told == Told::Recorder {
            test.text
                .push_str(", setup({ ::situ_recorder::observe::begin(); })");
        }
        self.push_oracles(candidates, writing, told, &mut test);
        // Nothing can be observed after a panic.
        if self.rows.iter().any(|row| panics(&candidates[*row])) {
            test.text.push_str(");");
            return Ok(test);
        }
        test.text.push_str(&match told {
            Told::Nobody => format!(", {CONTENT});"),
            Told::Recorder => {
                let tell = self.tell(PATH_SLOT);
                format!(
                    ", check(match &::situ_recorder::observe::taken() {{ situ_seen => {tell} }}));"
                )
            }
        });
        Ok(test)
    }

    /// Adds an oracle for each claim that reports the value and always holds.
    fn push_oracles(
        &self,
        candidates: &[Candidate],
        writing: &Writing<'_>,
        told: Told,
        test: &mut RowsTest,
    ) {
        let claims = self
            .rows
            .first()
            .map(|row| candidates[*row].claims.as_slice())
            .unwrap_or_default();
        for (at, claim) in claims.iter().enumerate() {
            let oracles = match is_observed(claim, self.comparisons[at]) {
                true => Some(vec![self.telling(at, claim, writing, told)]),
                false => writing.oracles(claim, self.comparisons[at]),
            };
            test.part(Part::Claim(ClaimIdx::new(at)), |test| {
                push_clauses(test, oracles)
            });
        }
    }

    /// Returns a test with one row of values with holes, which runs again and again and reports the
    /// branches taken.
    pub(crate) fn seeking(
        &self,
        candidates: &[Candidate],
        writing: &Writing<'_>,
        told: Told,
    ) -> Result<RowsTest, GroupRefusal> {
        let branches = match told {
            Told::Nobody => "::situ::rt::seek::no_branches",
            Told::Recorder => "::situ_recorder::observe::since",
        };
        let row = format!("::situ::rt::seek::begin({}, {branches})", self.number);
        let mut test = self.arranged(candidates, &[], &row, writing)?;
        self.push_oracles(candidates, writing, Told::Nobody, &mut test);
        test.text.push_str(&format!(", {CONTENT});"));
        Ok(test)
    }

    /// Returns the oracle that reports the value of a claim.
    fn telling(&self, at: usize, claim: &Claim, writing: &Writing<'_>, told: Told) -> String {
        let place = match claim {
            Claim::FirstItems(_) => writing.items(""),
            other => writing.compared(other),
        };
        let seen = match (self.comparisons[at], writing.type_of(claim)) {
            (Comparison::EqualAs, Some(of_type))
                if matches!(claim.value(), Some(Value::Int { .. })) =>
            {
                format!("&{of_type}::clone(&{place})")
            }
            (Comparison::EqualAs, Some(of_type)) => format!("&{place} as &{of_type}"),
            (Comparison::EqualTyped, _) => match like(claim, writing) {
                // It is never evaluated.
                Some(like) => {
                    format!(
                        "{{ let situ_seen = &{place}; if false {{ let _ = [situ_seen, &{like}]; }} situ_seen }}"
                    )
                }
                None => format!("&{place}"),
            },
            _ => format!("&{place}"),
        };
        let (name, tell) = match told {
            Told::Nobody => ("_", "true".to_owned()),
            Told::Recorder => ("situ_seen", self.tell(slot(at))),
        };
        format!("check(match {seen} {{ {name} => {tell} }})")
    }

    fn tell(&self, slot: u32) -> String {
        let run = run_number(self.number, 0);
        format!(
            "::situ_recorder::observed!({run}u64 | ::situ::rt::rows::row() as u64, {slot}, situ_seen)"
        )
    }

    /// Returns the candidate with the observed value of each place and the branches taken, or
    /// `None` if one of them cannot be compared.
    pub(crate) fn as_seen(
        &self,
        candidate: &Candidate,
        seen: &BTreeMap<u32, Value>,
    ) -> Option<Candidate> {
        let mut claims = Vec::new();
        for (at, claim) in candidate.claims.iter().enumerate() {
            claims.push(match is_observed(claim, self.comparisons[at]) {
                true => with_value(claim, seen.get(&slot(at))?)?,
                false => claim.clone(),
            });
        }
        let target = branches(seen.get(&PATH_SLOT)?)?;
        Some(Candidate {
            claims,
            target,
            ..candidate.clone()
        })
    }
}

/// Returns an expression of the claim's type, if the value does not determine it: `None` could be
/// any option, and no oracle compares it with a typed one yet.
fn like(claim: &Claim, writing: &Writing<'_>) -> Option<String> {
    let (Claim::Returns(value) | Claim::BlockValue(value)) = claim else {
        return None;
    };
    leaves_type_open(value).then(|| writing.expression(value, Style::default()))?
}

fn leaves_type_open(value: &Value) -> bool {
    match value {
        Value::Struct { type_name, .. } if type_name.starts_with("core::option::") => true,
        Value::Struct { type_name, .. } if type_name.starts_with("core::result::") => true,
        other => other.children().any(leaves_type_open),
    }
}

/// Returns whether a candidate claims that the code panics.
pub(crate) fn panics(candidate: &Candidate) -> bool {
    said_by_panic(candidate).is_some()
}

/// Returns the panic message that a candidate claims.
pub(crate) fn said_by_panic(candidate: &Candidate) -> Option<String> {
    candidate.claims.iter().find_map(|claim| match claim {
        Claim::Panics(text) => Some(text.clone()),
        _ => None,
    })
}

fn slot(claim: usize) -> u32 {
    PATH_SLOT + 1 + claim as u32
}

fn is_observed(claim: &Claim, comparison: Comparison) -> bool {
    comparison != Comparison::No && claim.value().is_some()
}

/// Returns the claim with the observed value.
fn with_value(claim: &Claim, seen: &Value) -> Option<Claim> {
    if why_lost(seen).is_some() && !is_partly_known(seen) {
        return None;
    }
    let seen = match claim.value() {
        Some(own) => typed_like(seen.clone(), &own),
        None => seen.clone(),
    };
    Some(match (claim, seen) {
        // A value behind a mutable reference is observed without it.
        (Claim::Place(name, Value::Ref { mutable: true, .. }), seen) => {
            let is_behind = matches!(seen, Value::Ref { mutable: true, .. });
            let behind = |inner| Value::Ref {
                mutable: true,
                inner: Box::new(inner),
            };
            Claim::Place(name.clone(), if is_behind { seen } else { behind(seen) })
        }
        (Claim::Place(name, _), seen) => Claim::Place(name.clone(), seen),
        (Claim::Returns(_), seen) => Claim::Returns(seen),
        (Claim::BlockValue(_), seen) => Claim::BlockValue(seen),
        (Claim::Scrutinee(_), seen) => Claim::Scrutinee(seen),
        (Claim::Condition(_), Value::Bool(seen)) => Claim::Condition(seen),
        (Claim::Operand(number, _), Value::Bool(seen)) => Claim::Operand(*number, seen),
        (
            Claim::Items(_) | Claim::FirstItems(_),
            Value::Seq {
                kind: SeqKind::Vec,
                items,
                ..
            },
        ) => Claim::Items(items),
        (
            Claim::Yields(place, _),
            seen @ Value::Seq {
                kind: SeqKind::Vec, ..
            },
        ) => Claim::Yields(place.clone(), seen),
        (Claim::Shows(place, _), seen) => Claim::Shows(
            place.clone(),
            text_of(&seen).filter(|text| unstable_part(text).is_none())?,
        ),
        _ => return None,
    })
}

/// Returns the value with the integer types of another one of the same structure: in a test nothing
/// may determine that `(0, 1)` are no `i32`s, as the statement's surroundings do.
fn typed_like(seen: Value, own: &Value) -> Value {
    let all = |parts: Vec<Value>, own: &[Value]| -> Vec<Value> {
        parts
            .into_iter()
            .zip(own)
            .map(|(part, own)| typed_like(part, own))
            .collect()
    };
    match (seen, own) {
        (
            Value::Int {
                type_name: "i32",
                bits,
            },
            Value::Int { type_name, .. },
        ) if i32::try_from(bits).is_ok() => Value::Int { type_name, bits },
        (Value::Ref { mutable, inner }, Value::Ref { inner: own, .. }) => Value::Ref {
            mutable,
            inner: Box::new(typed_like(*inner, own)),
        },
        (Value::Tuple(parts), Value::Tuple(own)) if parts.len() == own.len() => {
            Value::Tuple(all(parts, own))
        }
        (seen, _) => seen,
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(text.clone()),
        Value::Ref { inner, .. } => text_of(inner),
        Value::Built { args, .. } => args.first().and_then(text_of),
        _ => None,
    }
}

/// Returns the branches that a test told of.
pub(crate) fn branches(seen: &Value) -> Option<BTreeSet<u32>> {
    let Value::Seq { items, .. } = seen else {
        return None;
    };
    let marks = items.iter().map(|item| match item {
        Value::Int { bits, .. } => u32::try_from(*bits).ok(),
        _ => None,
    });
    marks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_whose_type_nothing_tells_have_that_of_the_recorded_ones() {
        let of = |type_name, numbers: &[u128]| {
            Value::Tuple(
                numbers
                    .iter()
                    .map(|bits| Value::Int {
                        type_name,
                        bits: *bits,
                    })
                    .collect(),
            )
        };
        assert_eq!(
            typed_like(of("i32", &[0, 7]), &of("usize", &[1, 2])),
            of("usize", &[0, 7])
        );
        assert_eq!(
            typed_like(of("u8", &[0, 7]), &of("usize", &[1, 2])),
            of("u8", &[0, 7]),
            "its type was told"
        );
        assert_eq!(
            typed_like(of("i32", &[7]), &of("usize", &[1, 2])),
            of("i32", &[7]),
            "something else"
        );
        let negative = of("i32", &[-7_i128 as u128]);
        assert_eq!(typed_like(negative.clone(), &of("u8", &[1])), negative);
    }
}
