//! Which values can be given as often as they are asked for.

use super::is_copied;
use situ_recorder::value::Value;

/// Whether a reader sees at once what a value is.
pub(crate) fn is_plain(value: &Value) -> bool {
    match value {
        Value::Built { type_name, .. } => type_name == "alloc::string::String",
        Value::Struct { fields, .. } => fields.iter().all(|(_, field)| is_plain(field)),
        Value::Tuple(parts) => parts.iter().all(is_plain),
        Value::Seq { items, .. } => items.iter().all(is_plain),
        Value::Ref { mutable, inner } => !mutable && is_plain(inner),
        Value::Int { .. }
        | Value::Bool(_)
        | Value::Char(_)
        | Value::Float { .. }
        | Value::Str(_)
        | Value::Unit => true,
        _ => false,
    }
}

/// Whether a value can surely be given as often as it is asked for.
pub(crate) fn is_known_as_clone(value: &Value) -> bool {
    is_copied(value) || matches!(value, Value::Built { .. }) && is_plain(value)
}
