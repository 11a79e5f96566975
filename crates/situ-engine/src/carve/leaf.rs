//! Leaves: calls that leave the program, and what has to stand for them so that a test runs alone.

use super::arrange::{arguments, receiver};
use super::scenario::Call;
use crate::extract::candidate::why_lost;
use crate::extract::mocks::{Mock, PlacedMock, find_mentions, is_only_in_mocks, mocks};
use situ_rt::value::Value;
use syn::Pat;

/// What a test of the whole body is given, and what stands for the calls that leave it.
#[derive(Clone, Debug)]
pub struct Leaves {
    /// Places with their values.
    pub givens: Vec<(String, Value)>,
    /// Calls with what they gave.
    pub mocks: Vec<Mock>,
}

/// The leaves of a call; none where it makes no call that a test has to stand in for.
pub fn leaves(call: &Call<'_>) -> Result<Option<Leaves>, String> {
    let inputs = inputs(call)?;
    let lost: Vec<(&str, String)> = inputs
        .iter()
        .filter(|(name, _)| is_mentioned(call, name))
        .filter_map(|(name, value)| Some((name.as_str(), why_lost(value)?)))
        .collect();
    let is_whole = inputs.iter().any(|(name, _)| name == "self") || call.subject.receiver.is_none();
    let placed = mocks(&call.outgoing, &lost, &call.subject.tokens)
        .map_err(|reason| reason.replace("an input cannot be rebuilt", "a value that it needs cannot be rebuilt"))?;
    let needs_no_mock = placed.is_empty() && !call.subject.is_async;
    if needs_no_mock && is_whole && lost.is_empty() {
        return Ok(None);
    }
    let givens = inputs.into_iter().filter(|(name, value)| is_given(call, name, value, &placed)).collect();
    let mocks = placed.into_iter().map(|placed| placed.mock).collect();
    Ok(Some(Leaves { givens, mocks }))
}

fn is_mentioned(call: &Call<'_>, place: &str) -> bool {
    let mut found = Vec::new();
    find_mentions(call.subject.tokens.clone(), &place.split('.').collect::<Vec<_>>(), &mut found);
    !found.is_empty()
}

fn is_given(call: &Call<'_>, place: &str, value: &Value, placed: &[PlacedMock]) -> bool {
    value.is_exact() && is_mentioned(call, place) && !is_only_in_mocks(place, placed, &call.subject.tokens)
}

/// Everything that the body can read: parameters, and `self` whole or field by field.
fn inputs(call: &Call<'_>) -> Result<Vec<(String, Value)>, String> {
    let mut inputs = Vec::new();
    if let Some(taken) = receiver(call) {
        match fields_of(call, taken) {
            Some(fields) if !taken.is_exact() => inputs.extend(fields),
            _ => inputs.push(("self".to_owned(), taken.clone())),
        }
    }
    let values = arguments(call)?;
    for (value, parameter) in values.into_iter().zip(&call.subject.parameters) {
        match parameter.name() {
            Some(name) => inputs.push((name, value)),
            None if matches!(parameter.pattern, Pat::Wild(_)) => {}
            None => return Err("a parameter has a pattern, and the body is tested by itself".to_owned()),
        }
    }
    Ok(inputs)
}

/// The fields of `self` as places, where the body looks at nothing else of it.
fn fields_of(call: &Call<'_>, value: &Value) -> Option<Vec<(String, Value)>> {
    let Value::Struct { variant: None, fields, .. } = value.behind_references() else { return None };
    let places: Vec<(String, Value)> =
        fields.iter().map(|(field, value)| (format!("self.{field}"), value.clone())).collect();
    let mut all = Vec::new();
    find_mentions(call.subject.tokens.clone(), &["self"], &mut all);
    let mut of_fields = Vec::new();
    for (place, _) in &places {
        find_mentions(call.subject.tokens.clone(), &place.split('.').collect::<Vec<_>>(), &mut of_fields);
    }
    (all.len() == of_fields.len()).then_some(places)
}
