//! What a recording does not know of a value.

use situ_rt::value::Value;

/// How a value shows itself, where that is all that is known of it.
pub fn shown(value: &Value) -> Option<String> {
    match value.behind_references() {
        Value::Debug { text, .. } => Some(text.clone()),
        _ => None,
    }
}

/// Why a value cannot be written in a test, if it cannot.
pub fn why_lost(value: &Value) -> Option<String> {
    if value.is_exact() {
        return None;
    }
    Some(match value.behind_references() {
        Value::Debug { .. } => "only its Debug text is known".to_owned(),
        Value::Opaque { reason, .. } | Value::Cut { reason } => reason.clone(),
        Value::Withheld => "a secret".to_owned(),
        Value::Refused(refusal) => refusal.to_string(),
        _ => "a part of it is not known".to_owned(),
    })
}
