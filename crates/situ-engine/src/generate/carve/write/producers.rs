//! Recorded calls that return values whose fields a test cannot write.

use crate::generate::carve::find::scenario::{Call, Seen, reaches_out_itself};
use crate::generate::carve::find::subject::Receiver;
use crate::generate::carve::write::assertion::type_path;
use crate::generate::carve::write::input::{arguments, receiver};
use crate::generate::carve::write::test::{result_of, size};
use crate::record::read::Recording;
use crate::values::{Producer, Producers, Produces, TypeTable};
use situ_recorder::recording::Exit;
use situ_recorder::value::Value;

/// The maximum nesting of such calls.
const MAX_ROUNDS: usize = 2;
/// The maximum length of such a call, in chars.
const LONGEST: usize = 2000;

/// Returns the calls of a crate's functions that returned values with private fields, shortest
/// first.
pub(crate) fn producers(
    recording: &Recording,
    functions: &[Seen<'_>],
    krate: &str,
    types: &TypeTable,
) -> Producers {
    let mut calls: Vec<Call<'_>> = Vec::new();
    for seen in functions
        .iter()
        .filter(|seen| seen.reaches_out_through.is_none())
    {
        let Some(subject) = seen.subject else {
            continue;
        };
        let is_plain = !subject.is_async && !subject.is_unsafe && subject.generics.is_empty();
        let is_callable = subject
            .owner
            .as_ref()
            .is_none_or(|owner| owner.of_trait.is_none());
        let is_taken = matches!(
            subject.receiver,
            None | Some(Receiver::Shared | Receiver::Value)
        );
        if subject.here.krate == krate
            && is_plain
            && is_callable
            && is_taken
            && !reaches_out_itself(recording, seen.recorded)
        {
            let own = seen
                .recorded
                .sets
                .iter()
                .filter(|set| set.exit == Exit::Through);
            calls.extend(own.map(|set| Call {
                subject,
                recorded: seen.recorded,
                set,
                outgoing: Vec::new(),
                reaching: Vec::new(),
            }));
        }
    }
    calls.retain(|call| size(call) <= LONGEST);
    calls.sort_by_cached_key(|call| (size(call), format!("{:?}", call.set.slots)));
    let mut producers = Producers::default();
    for _ in 0..MAX_ROUNDS {
        let known = producers.clone();
        for call in &calls {
            if let Some((value, producer)) = producer(call, types, &known) {
                producers.add(value, producer);
            }
        }
    }
    producers
}

/// Returns the value of a call, if it is new and all its inputs are known.
fn producer(call: &Call<'_>, types: &TypeTable, known: &Producers) -> Option<(Value, Producer)> {
    let (value, is_wrapped) = opened(result_of(call)?)?;
    if !types.has_private_fields(type_path(value)) || !value.is_exact() || known.has(value) {
        return None;
    }
    let arguments = arguments(call).ok()?;
    let taken = receiver(call).cloned();
    let is_known = |value: &Value| value.is_exact() && all_known(value, types, known);
    if !arguments.iter().chain(&taken).all(is_known) {
        return None;
    }
    let subject = call.subject;
    let name = subject.name.clone();
    let function = match (taken, &subject.owner) {
        (Some(taken), _) => Produces::Method(taken, name),
        (None, Some(_)) => Produces::Associated(name),
        (None, None) => Produces::Free(
            subject
                .module
                .iter()
                .cloned()
                .chain([name])
                .collect::<Vec<_>>()
                .join("::"),
        ),
    };
    let is_own = |owner: &str| type_path(value).ends_with(&format!("::{owner}"));
    if let (Produces::Associated(_), Some(owner)) = (&function, &subject.owner)
        && !owner.type_name.as_deref().is_some_and(is_own)
    {
        return None;
    }
    Some((
        value.clone(),
        Producer {
            function,
            visible: subject.visible.clone(),
            arguments,
            is_wrapped,
        },
    ))
}

/// Returns the value inside an `Ok` or a `Some`.
fn opened(value: &Value) -> Option<(&Value, bool)> {
    match value {
        Value::Struct { variant: None, .. } => Some((value, false)),
        Value::Struct {
            variant: Some(variant),
            fields,
            type_name,
            ..
        } if matches!(variant.as_str(), "Ok" | "Some") && type_name.starts_with("core::") => {
            let (_, inner) = fields.first()?;
            matches!(inner, Value::Struct { variant: None, .. }).then_some((inner, true))
        }
        _ => None,
    }
}

/// Returns whether all values with private fields in it are returned by known calls.
fn all_known(value: &Value, types: &TypeTable, known: &Producers) -> bool {
    if types.has_private_fields(type_path(value)) {
        return known.has(value);
    }
    value.children().all(|child| all_known(child, types, known))
}
