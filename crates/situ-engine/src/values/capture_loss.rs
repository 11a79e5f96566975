//! Reasons why a captured value cannot be written in a test.

use super::unstable_text::{UnstablePart, unstable_part};
use situ_recorder::value::{Refusal as BadName, Value};
use std::fmt;

/// Reason why a captured value cannot be written in a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum CaptureLoss {
    /// Only the value's `Debug` output was captured.
    OnlyDebug,
    /// Only the value's `Debug` output was captured, and that varies between runs or machines.
    UnstableDebug(UnstablePart),
    /// The recorder cannot inspect the value: a closure, a handle, a trait object.
    Opaque(String),
    /// The value exceeded a size limit of the recording.
    Cut(String),
    /// The value may be a secret.
    Secret,
    /// The recording contains a name that no program can have.
    BadName(BadName),
    /// A field or an element is missing.
    Partial,
    /// The value is known, but its expression is not possible in the module of the test.
    Unwritable,
    /// The value could not be captured, because the compiler rejects borrowing it there.
    Unseen,
}

impl fmt::Display for CaptureLoss {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            CaptureLoss::OnlyDebug => "only its `Debug` output is known",
            CaptureLoss::UnstableDebug(part) => {
                return write!(
                    formatter,
                    "only its `Debug` output is known, which contains {part}"
                );
            }
            CaptureLoss::Opaque(reason) | CaptureLoss::Cut(reason) => reason,
            CaptureLoss::Secret => "a secret",
            CaptureLoss::BadName(name) => return name.fmt(formatter),
            CaptureLoss::Partial => "a part of it was not recorded",
            CaptureLoss::Unwritable => "its value cannot be written in the module of the test",
            CaptureLoss::Unseen => "the compiler rejects borrowing it there",
        })
    }
}

/// Returns the `Debug` output of a value if nothing else was captured and it is the same in every
/// run.
pub(crate) fn shown(value: &Value) -> Option<String> {
    match value.behind_references() {
        Value::Debug { text, .. } => {
            Some(text.clone()).filter(|text| unstable_part(text).is_none())
        }
        _ => None,
    }
}

/// Returns why a value cannot be written in a test, or `None` if it was captured completely.
pub(crate) fn why_lost(value: &Value) -> Option<CaptureLoss> {
    if value.is_exact() {
        return None;
    }
    Some(match value.behind_references() {
        Value::Debug { text, .. } => {
            unstable_part(text).map_or(CaptureLoss::OnlyDebug, CaptureLoss::UnstableDebug)
        }
        Value::Opaque { reason, .. } => CaptureLoss::Opaque(reason.clone()),
        Value::Cut { reason } => CaptureLoss::Cut(reason.clone()),
        Value::Withheld => CaptureLoss::Secret,
        Value::Refused(name) => CaptureLoss::BadName(*name),
        _ => CaptureLoss::Partial,
    })
}
