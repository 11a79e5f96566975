//! Fields as inputs instead of a value that cannot be constructed: `given(self.width = 3)`, if
//! calls on the rest of `self` are mocked.

use super::Claim;
use super::clauses::Writing;
use crate::generate::mocks::field_mentions::{find_fields, is_assignment};
use crate::generate::mocks::{PlacedMock, is_mocked, is_place_at};
use crate::generate::refusal::Refusal;
use crate::record::plan::Phase;
use crate::record::read::RecordedSite;
use crate::values::Style;
use crate::values::capture_loss::{CaptureLoss, why_lost};
use proc_macro2::{TokenStream, TokenTree};
use situ_recorder::recording::ValueSet;
use situ_recorder::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The fields of inputs that are lost.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    /// The value of each field before the statement, by its source.
    before: BTreeMap<String, Value>,
    /// The places that are lost as a whole.
    wholes: Vec<String>,
    /// The value of each field after the statement, by its source, if it is known.
    after: BTreeMap<String, Value>,
    /// Fields that are assigned, as source.
    assigned: BTreeSet<String>,
}

impl Fields {
    /// Returns the fields that a test needs for the lost inputs, or why it needs one of the inputs
    /// as a whole.
    pub(crate) fn of(
        recorded: &RecordedSite,
        set: &ValueSet,
        lost: &[(&str, CaptureLoss)],
        mocks: &[PlacedMock],
        writing: &Writing<'_>,
    ) -> Result<Fields, Refusal> {
        let mut fields = Fields::default();
        for (whole, loss) in lost {
            let refusal = || Refusal::Input(loss.clone());
            let value_in = |phase: Phase| {
                recorded
                    .values(set, phase)
                    .into_iter()
                    .find(|(name, _)| name == whole)
                    .map(|(_, value)| value)
            };
            let (before, after) = (value_in(Phase::Before), value_in(Phase::After));
            let mut mentions = Vec::new();
            let words: Vec<&str> = whole.split('.').collect();
            find_fields(writing.spot.tokens.clone(), &words, &mut |mention| {
                mentions.push(mention)
            });
            if mentions.is_empty() {
                return Err(refusal());
            }
            for mention in mentions
                .into_iter()
                .filter(|mention| !is_mocked(&mention.bytes, mocks))
            {
                let field = mention.field.ok_or_else(refusal)?;
                let place = format!("{whole}.{field}");
                if mention.is_assigned {
                    fields.assigned.insert(place.clone());
                }
                let value = before
                    .and_then(|value| field_of(value, &field))
                    .ok_or_else(refusal)?;
                if why_lost(value).is_some()
                    || writing.given(&place, value, Style::default()).is_none()
                {
                    return Err(refusal());
                }
                fields.before.insert(place.clone(), value.clone());
                let known = after
                    .and_then(|value| field_of(value, &field))
                    .filter(|value| why_lost(value).is_none());
                fields
                    .after
                    .extend(known.map(|value| (place, value.clone())));
            }
            fields.wholes.push((*whole).to_owned());
        }
        Ok(fields)
    }

    /// Returns what is given of them.
    pub(crate) fn givens(&self) -> impl Iterator<Item = (String, Value)> + '_ {
        self.before
            .iter()
            .map(|(place, value)| (place.clone(), value.clone()))
    }

    /// Replaces claims about the whole by claims about its fields.
    pub(crate) fn replace(&self, claims: &mut Vec<Claim>) {
        claims
            .retain(|claim| !matches!(claim, Claim::Place(name, _) if self.wholes.contains(name)));
        let changed = self.after.iter().filter(|(place, after)| {
            self.assigned.contains(*place) || self.before.get(*place) != Some(after)
        });
        claims.extend(changed.map(|(place, after)| Claim::Place(place.clone(), after.clone())));
    }
}

/// Returns the mentions of lost inputs, as a whole or by fields that cannot be given either, with
/// the reasons.
pub(crate) fn lost_mentions(
    recorded: &RecordedSite,
    set: &ValueSet,
    lost: &[(&str, CaptureLoss)],
    writing: &Writing<'_>,
) -> Vec<(Range<usize>, CaptureLoss)> {
    let before = recorded.values(set, Phase::Before);
    let mut found = Vec::new();
    for (whole, loss) in lost {
        let value = before
            .iter()
            .find(|(name, _)| name == whole)
            .map(|(_, value)| *value);
        let is_given = |field: &String| {
            let value = value
                .and_then(|value| field_of(value, field))
                .filter(|value| why_lost(value).is_none());
            value.is_some_and(|value| {
                writing
                    .given(&format!("{whole}.{field}"), value, Style::default())
                    .is_some()
            })
        };
        let words: Vec<&str> = whole.split('.').collect();
        find_fields(writing.spot.tokens.clone(), &words, &mut |mention| {
            if !mention.field.as_ref().is_some_and(is_given) {
                found.push((mention.bytes, loss.clone()));
            }
        });
    }
    found
}

/// Replaces the claim about a value without `==` by claims about its changed fields.
pub(crate) fn claim_changed_fields(
    claims: &mut Vec<Claim>,
    recorded: &RecordedSite,
    set: &ValueSet,
    writing: &Writing<'_>,
) {
    let before = recorded.values(set, Phase::Before);
    let mut told = Vec::new();
    for claim in std::mem::take(claims) {
        let fields = match &claim {
            Claim::Place(name, after) => {
                let before = before
                    .iter()
                    .find(|(own, _)| own == name)
                    .map(|(_, value)| *value);
                before
                    .map(|before| changed_fields(name, before, after, writing))
                    .unwrap_or_default()
            }
            _ => Vec::new(),
        };
        match fields.is_empty() {
            true => told.push(claim),
            false => told.extend(fields),
        }
    }
    *claims = told;
}

fn changed_fields(name: &str, before: &Value, after: &Value, writing: &Writing<'_>) -> Vec<Claim> {
    let (
        Value::Struct {
            variant: None,
            type_name,
            fields,
            ..
        },
        Value::Struct {
            variant: None,
            fields: earlier,
            ..
        },
    ) = (after.behind_references(), before.behind_references())
    else {
        return Vec::new();
    };
    if writing.types.may_have(
        type_name.split('<').next().unwrap_or(type_name),
        "PartialEq",
    ) {
        return Vec::new();
    }
    let changed = fields
        .iter()
        .zip(earlier)
        .enumerate()
        .filter(|(_, (after, before))| after != before);
    let told = changed.filter(|(at, ((_, value), _))| {
        writing.sees_field(type_name, *at) && why_lost(value).is_none()
    });
    let claims =
        told.map(|(_, ((field, value), _))| Claim::Place(format!("{name}.{field}"), value.clone()));
    // Private fields of other modules can change too.
    claims.filter(|claim| writing.can_expect(claim)).collect()
}

/// Returns a field of a value, through references.
fn field_of<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value.behind_references() {
        Value::Struct {
            variant: None,
            fields,
            ..
        } => fields
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, field)| field),
        _ => None,
    }
}

/// Returns whether a place is given a value somewhere.
pub(crate) fn is_assigned(place: &str, tokens: &TokenStream) -> bool {
    let Some((whole, last)) = place.rsplit_once('.') else {
        return false;
    };
    let mut assigned = false;
    find_fields(
        tokens.clone(),
        &whole.split('.').collect::<Vec<_>>(),
        &mut |mention| {
            assigned |= mention.is_assigned && mention.field.is_some_and(|field| field == last);
        },
    );
    assigned
}

/// Returns whether a place is assigned before it is read, or `None` if it is not mentioned.
pub(crate) fn is_assigned_first(tokens: &TokenStream, words: &[&str]) -> Option<bool> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    trees.iter().enumerate().find_map(|(at, tree)| match tree {
        TokenTree::Group(group) => is_assigned_first(&group.stream(), words),
        _ if is_place_at(&trees, at, words) => {
            Some(is_assignment(&trees[at + 2 * words.len() - 1..]))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(tokens: &str, place: &[&str]) -> Vec<Option<String>> {
        let mut all = Vec::new();
        find_fields(tokens.parse().unwrap(), place, &mut |mention| {
            all.push(mention.field)
        });
        all
    }

    #[test]
    fn what_is_assigned_is_told_from_what_is_compared() {
        let mut assigned = Vec::new();
        let tokens =
            "self.a = 1; self.b == 2; self.c <<= 3; self.d <= 4; self.e += *x; self.f => ()";
        find_fields(tokens.parse().unwrap(), &["self"], &mut |mention| {
            assigned.extend(mention.field.filter(|_| mention.is_assigned));
        });
        assert_eq!(assigned, ["a", "c", "e"]);
    }

    #[test]
    fn what_is_assigned_before_it_is_read_needs_no_value() {
        let first = |text: &str| is_assigned_first(&text.parse().unwrap(), &["a"]);
        assert_eq!(first("if b { a = 1; } f(a)"), Some(true));
        assert_eq!(first("if b { f(a); } a = 1;"), Some(false));
        assert_eq!(first("f(b)"), None);
    }

    #[test]
    fn fields_are_told_from_methods_and_from_the_whole() {
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(
            fields("self.a += self.b.c; self.d()", &["self"]),
            [some("a"), some("b"), None]
        );
        assert_eq!(
            fields("f(self); self.0 = 1; other.self_.a", &["self"]),
            [None, some("0")]
        );
        assert_eq!(fields("self.b.c + x.self.b", &["self", "b"]), [some("c")]);
        assert_eq!(fields("self.parse::<u8>()", &["self"]), [None]);
    }
}
