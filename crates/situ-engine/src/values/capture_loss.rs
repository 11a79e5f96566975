//! Why a captured value cannot be written in a test.

use super::unstable_text::{UnstablePart, unstable_part};
use situ_recorder::value::{Refusal as BadName, Value};
use std::fmt;

/// Why a captured value cannot be written in a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum CaptureLoss {
    /// The recorder knows nothing but what its `Debug` writes.
    OnlyDebug,
    /// The recorder knows nothing but what its `Debug` writes, and that is another text elsewhere.
    UnstableDebug(UnstablePart),
    /// The recorder could not look into it: a closure, a handle, a trait object.
    Opaque(String),
    /// It was longer than a recording holds.
    Cut(String),
    /// It may be a secret.
    Secret,
    /// The recording names something that no program can have.
    BadName(BadName),
    /// A field or an element of it is missing.
    Partial,
    /// The value is known, and the module of the test cannot write it.
    Unwritable,
    /// A borrow was in the way when it would have been captured.
    Unseen,
}

impl fmt::Display for CaptureLoss {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            CaptureLoss::OnlyDebug => "only its `Debug` text is known",
            CaptureLoss::UnstableDebug(part) => {
                return write!(
                    formatter,
                    "only its `Debug` text is known, which holds {part}"
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

/// Returns the `Debug` text of a value, where that is all that is known of it and it is the same text everywhere.
pub(crate) fn shown(value: &Value) -> Option<String> {
    match value.behind_references() {
        Value::Debug { text, .. } => {
            Some(text.clone()).filter(|text| unstable_part(text).is_none())
        }
        _ => None,
    }
}

/// Returns why a value cannot be written in a test; nothing where it is known whole.
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
