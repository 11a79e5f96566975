//! The output of a derived `Debug` for a captured value.

use super::assertion::type_path;
use crate::values::TypeTable;
use situ_recorder::value::{SeqKind, Shape, Value};

/// Returns the output, or `None` if `Debug` is not derived, or its output is unknown or unordered.
pub(crate) fn debug_text(value: &Value, types: &TypeTable) -> Option<String> {
    let all = |values: &[Value]| {
        values
            .iter()
            .map(|value| debug_text(value, types))
            .collect::<Option<Vec<_>>>()
    };
    match value {
        Value::Unit => Some("()".to_owned()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Int { type_name, bits } => Some(if type_name.starts_with('u') {
            bits.to_string()
        } else {
            (*bits as i128).to_string()
        }),
        Value::Float { double: true, bits } => Some(format!("{:?}", f64::from_bits(*bits))),
        Value::Float {
            double: false,
            bits,
        } => Some(format!("{:?}", f32::from_bits(*bits as u32))),
        Value::Char(value) => Some(format!("{value:?}")),
        Value::Str(text) => Some(format!("{text:?}")),
        Value::Ref { inner, .. } => debug_text(inner, types),
        Value::Tuple(parts) if parts.len() == 1 => {
            Some(format!("({},)", debug_text(&parts[0], types)?))
        }
        Value::Tuple(parts) => Some(format!("({})", all(parts)?.join(", "))),
        Value::Seq { kind, items, .. } => sequence(*kind, items, types),
        Value::Struct { .. } => structure(value, types),
        Value::Built { head, args, .. } if head == "String::from" => {
            debug_text(args.first()?, types)
        }
        Value::Debug { text, .. } => Some(text.clone()),
        _ => None,
    }
}

fn sequence(kind: SeqKind, items: &[Value], types: &TypeTable) -> Option<String> {
    let is_unordered = matches!(
        kind,
        SeqKind::HashMap | SeqKind::HashSet | SeqKind::BinaryHeap
    );
    if is_unordered && items.len() > 1 {
        return None;
    }
    let is_map = matches!(kind, SeqKind::HashMap | SeqKind::BTreeMap);
    let one = |item: &Value| match item {
        Value::Tuple(pair) if is_map && pair.len() == 2 => Some(format!(
            "{}: {}",
            debug_text(&pair[0], types)?,
            debug_text(&pair[1], types)?
        )),
        item => debug_text(item, types),
    };
    let texts = items
        .iter()
        .map(one)
        .collect::<Option<Vec<_>>>()?
        .join(", ");
    let is_set = is_map || matches!(kind, SeqKind::HashSet | SeqKind::BTreeSet);
    Some(if is_set {
        format!("{{{texts}}}")
    } else {
        format!("[{texts}]")
    })
}

fn structure(value: &Value, types: &TypeTable) -> Option<String> {
    let Value::Struct {
        variant,
        shape,
        fields,
        ..
    } = value
    else {
        return None;
    };
    if !types.may_derive(type_path(value), "Debug") {
        return None;
    }
    let name = match variant {
        Some(variant) => variant.as_str(),
        None => type_path(value).rsplit("::").next().unwrap_or_default(),
    };
    let mut texts = Vec::new();
    for (field, value) in fields {
        let text = debug_text(value, types)?;
        texts.push(if *shape == Shape::Named {
            format!("{field}: {text}")
        } else {
            text
        });
    }
    Some(match shape {
        Shape::Unit => name.to_owned(),
        Shape::Tuple => format!("{name}({})", texts.join(", ")),
        Shape::Named if texts.is_empty() => name.to_owned(),
        Shape::Named => format!("{name} {{ {} }}", texts.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_that_of_a_derived_debug() {
        #[derive(Debug)]
        #[allow(dead_code, reason = "it is shown")]
        struct Pair(i8, Option<&'static str>);
        let some = Value::Struct {
            type_name: "core::option::Option<&str>".to_owned(),
            variant: Some("Some".to_owned()),
            shape: Shape::Tuple,
            fields: vec![("0".to_owned(), Value::Str("a\"b".to_owned()))],
        };
        let pair = Value::Struct {
            type_name: "mine::Pair".to_owned(),
            variant: None,
            shape: Shape::Tuple,
            fields: vec![
                (
                    "0".to_owned(),
                    Value::Int {
                        type_name: "i8",
                        bits: -3_i128 as u128,
                    },
                ),
                ("1".to_owned(), some),
            ],
        };
        let text = debug_text(&pair, &TypeTable::default());
        assert_eq!(text, Some(format!("{:?}", Pair(-3, Some("a\"b")))));
    }
}
