//! Values that an expression can produce repeatedly.

use super::is_copied;
use situ_recorder::value::Value;

/// Returns whether a value is easy to read: literals, strings, and lists and structs of such.
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

/// Returns whether a value is certainly `Copy`, or cheap to write as an expression that clones it.
pub(crate) fn is_known_as_clone(value: &Value) -> bool {
    is_copied(value) || matches!(value, Value::Built { .. }) && is_plain(value)
}
