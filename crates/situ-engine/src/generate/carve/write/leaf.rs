//! Leaves: calls that leave the program or the chosen modules, and their mocks, so that a test runs
//! alone.

use super::input::{arguments, receiver};
use super::mocks::{Mocks, Writing, mocks};
use crate::generate::carve::find::scenario::{Call, Leaf, Outgoing};
use crate::generate::carve::refusal::CarveRefusal;
use crate::generate::mocks::{
    PlacedMock, answer, find_mentions, is_mocked, is_only_in_mocks, mentions_any,
};
use crate::record::read::RecordedCall;
use crate::source::byte_range;
use crate::values::capture_loss::{CaptureLoss, why_lost};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use situ_recorder::value::Value;
use std::ops::Range;
use syn::Pat;

/// The maximum number of results of one mocked call; with more, the test makes the call if it can.
const MAX_ANSWERS: usize = 8;

/// The givens and mocks of a test of the whole body.
#[derive(Clone, Debug)]
pub(crate) struct Leaves {
    /// Places with their values.
    pub givens: Vec<(String, Value)>,
    /// Calls with what they were given and gave.
    pub mocks: Mocks,
}

/// Returns the leaves of a call, or `None` if it makes no call that has to be mocked.
pub(crate) fn leaves(
    call: &Call<'_>,
    writing: &Writing<'_>,
) -> Result<Option<Leaves>, CarveRefusal> {
    let inputs = inputs(call)?;
    let lost: Vec<(&str, CaptureLoss)> = inputs
        .iter()
        .filter(|(name, _)| is_mentioned(call, name))
        .filter_map(|(name, value)| Some((name.as_str(), why_lost(value)?)))
        .collect();
    let is_whole = inputs.iter().any(|(name, _)| name == "self") || call.subject.receiver.is_none();
    let needed: Vec<&RecordedCall<'_>> = call
        .outgoing
        .iter()
        .filter(|one| is_needed(call, one, &lost))
        .map(|one| &one.call)
        .collect();
    let mocks = mocks(&needed, &lost, &call.subject.tokens, writing)?;
    if is_reaching_unseen(call, &mocks.placed) {
        return Err(CarveRefusal::ReachesOutside);
    }
    let needs_no_mock =
        mocks.placed.is_empty() && (!call.subject.is_async || call.subject.has_tokio);
    if needs_no_mock && is_whole && lost.is_empty() {
        return Ok(None);
    }
    let givens = inputs
        .into_iter()
        .filter(|(name, value)| is_given(call, name, value, &mocks.placed))
        .collect();
    Ok(Some(Leaves { givens, mocks }))
}

/// Returns whether a call has to be mocked. One that only leaves the chosen modules is made if its
/// result has no expression.
pub(crate) fn is_needed(call: &Call<'_>, one: &Outgoing<'_>, lost: &[(&str, CaptureLoss)]) -> bool {
    match one.leaf {
        Some(Leaf::ReachesOut) => true,
        Some(Leaf::OtherModule) => {
            let same = call
                .outgoing
                .iter()
                .filter(|other| other.call.site.id == one.call.site.id);
            let same: Vec<_> = same.collect();
            let is_constant = same
                .iter()
                .all(|other| other.call.result() == one.call.result());
            let is_short = is_constant || same.len() <= MAX_ANSWERS;
            mentions_any(one.call.site, lost)
                || (is_short && same.iter().all(|other| answer(&other.call).is_ok()))
        }
        None => mentions_any(one.call.site, lost),
    }
}

/// Returns whether the source interacts with the outside world inside a macro, where no probe
/// records it.
fn is_reaching_unseen(call: &Call<'_>, placed: &[PlacedMock]) -> bool {
    let mut calls = Vec::new();
    calls_in_macros(call.subject.tokens.clone(), false, &mut calls);
    calls
        .iter()
        .any(|(name, at)| call.reaching.contains(&name.as_str()) && !is_mocked(at, placed))
}

/// Collects the names before parentheses inside macro calls, with their ranges.
fn calls_in_macros(tokens: TokenStream, is_inside: bool, found: &mut Vec<(String, Range<usize>)>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else {
            continue;
        };
        let before = |back: usize| at.checked_sub(back).map(|at| &trees[at]);
        let is_macro = matches!(before(1), Some(TokenTree::Punct(mark)) if mark.as_char() == '!')
            && matches!(before(2), Some(TokenTree::Ident(_)));
        if let (true, Delimiter::Parenthesis, Some(TokenTree::Ident(name))) =
            (is_inside, group.delimiter(), before(1))
        {
            found.push((name.to_string(), byte_range(name)));
        }
        calls_in_macros(group.stream(), is_inside || is_macro, found);
    }
}

fn is_mentioned(call: &Call<'_>, place: &str) -> bool {
    let mut found = Vec::new();
    find_mentions(
        call.subject.tokens.clone(),
        &place.split('.').collect::<Vec<_>>(),
        &mut found,
    );
    !found.is_empty()
}

fn is_given(call: &Call<'_>, place: &str, value: &Value, placed: &[PlacedMock]) -> bool {
    value.is_exact()
        && is_mentioned(call, place)
        && !is_only_in_mocks(place, placed, &call.subject.tokens)
}

/// Returns everything that the body can read: parameters, and `self` as a whole or by field.
fn inputs(call: &Call<'_>) -> Result<Vec<(String, Value)>, CarveRefusal> {
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
            None => {
                return Err(CarveRefusal::PatternParameter);
            }
        }
    }
    Ok(inputs)
}

/// Returns the fields of `self` as places, if the body uses nothing else of it.
fn fields_of(call: &Call<'_>, value: &Value) -> Option<Vec<(String, Value)>> {
    let Value::Struct {
        variant: None,
        fields,
        ..
    } = value.behind_references()
    else {
        return None;
    };
    let places: Vec<(String, Value)> = fields
        .iter()
        .map(|(field, value)| (format!("self.{field}"), value.clone()))
        .collect();
    let mut all = Vec::new();
    find_mentions(call.subject.tokens.clone(), &["self"], &mut all);
    let mut of_fields = Vec::new();
    for (place, _) in &places {
        find_mentions(
            call.subject.tokens.clone(),
            &place.split('.').collect::<Vec<_>>(),
            &mut of_fields,
        );
    }
    (all.len() == of_fields.len()).then_some(places)
}
