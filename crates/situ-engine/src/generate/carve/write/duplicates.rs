//! Behaviours: calls of a function that took the same path and ended alike; one test of each is
//! enough.

use crate::generate::carve::find::scenario::Call;
use crate::generate::carve::write::test::{changed, result_of, size};
use situ_recorder::recording::Exit;
use situ_recorder::value::Value;
use std::collections::BTreeMap;

/// Similar calls, shortest first.
#[derive(Clone, Debug)]
pub(crate) struct Behaviour<'s> {
    pub calls: Vec<Call<'s>>,
}

/// Groups a function's calls: one behaviour for each path, or for each call with `each_call`.
pub(crate) fn behaviours<'s>(calls: Vec<Call<'s>>, each_call: bool) -> Vec<Behaviour<'s>> {
    let mut by_path: BTreeMap<String, Vec<Call<'s>>> = BTreeMap::new();
    for (number, call) in calls.into_iter().enumerate() {
        let key = if each_call {
            format!("{number:08}")
        } else {
            path_of(&call)
        };
        by_path.entry(key).or_default().push(call);
    }
    let mut behaviours: Vec<Behaviour<'s>> = by_path
        .into_values()
        .map(|calls| Behaviour { calls })
        .collect();
    for behaviour in &mut behaviours {
        // The order of equally long calls must not depend on the order of the recording.
        behaviour
            .calls
            .sort_by_cached_key(|call| (size(call), format!("{:?}", call.set.slots)));
    }
    behaviours.sort_by_cached_key(|behaviour| {
        behaviour
            .calls
            .first()
            .map(|call| (size(call), path_of(call)))
    });
    behaviours
}

/// Returns the branches that a call took, how it ended, and what it changed.
fn path_of(call: &Call<'_>) -> String {
    let mut branches = call.set.target.clone();
    branches.sort_unstable();
    branches.dedup();
    format!("{branches:?} {}", outcome_of(call))
}

/// Returns how a call ended, and what it changed.
pub(crate) fn outcome_of(call: &Call<'_>) -> String {
    let outcome = match &call.set.exit {
        Exit::Panic(_) => "panics".to_owned(),
        _ => result_of(call).map(kind_of).unwrap_or_default(),
    };
    let changed: Vec<&str> = changed(call).into_iter().map(|(name, _, _)| name).collect();
    format!("{outcome} {changed:?}")
}

/// Returns what kind of result it is: values of one kind are one outcome.
fn kind_of(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Ref { inner, .. } => kind_of(inner),
        Value::Struct {
            variant: Some(variant),
            fields,
            ..
        } => match fields.as_slice() {
            [(_, inner)] => format!("{variant}({})", kind_of(inner)),
            _ => variant.clone(),
        },
        Value::Seq { items, .. } if items.is_empty() => "empty".to_owned(),
        Value::Str(text) if text.is_empty() => "empty".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_alike_when_their_variants_are() {
        let some = |inner: Value| Value::Struct {
            type_name: "core::option::Option<bool>".to_owned(),
            variant: Some("Some".to_owned()),
            shape: situ_recorder::value::Shape::Tuple,
            fields: vec![("0".to_owned(), inner)],
        };
        let number = |bits: u128| Value::Int {
            type_name: "u8",
            bits,
        };
        assert_eq!(kind_of(&some(number(1))), kind_of(&some(number(2))));
        assert_ne!(
            kind_of(&some(Value::Bool(true))),
            kind_of(&some(Value::Bool(false)))
        );
        assert_ne!(
            kind_of(&Value::Str(String::new())),
            kind_of(&Value::Str("a".to_owned()))
        );
    }
}
