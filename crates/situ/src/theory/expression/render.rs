//! Formatting of a value as the expression that constructs it.

use super::debug_text::Value;
use super::type_text::Type;

/// Returns the expression for `value`, using its type if it is known.
///
/// Inside the user's structs types are unknown: `.into()` then converts a literal into a `String`
/// and an array into a `Vec`, and does nothing if the literal or the array itself is needed.
pub(super) fn render(value: &Value, known: Option<&Type>) -> String {
    if let Some(Type::Reference(target)) = known {
        let inner = render(value, Some(target));
        let is_reference_already =
            matches!(&**target, Type::Sequence(_, false)) || is_named(target, "str");
        return if is_reference_already {
            inner
        } else {
            format!("&{inner}")
        };
    }
    if let Some(expression) = wrapped(value, known) {
        return expression;
    }
    match value {
        Value::Word(word) => word_expression(word, known),
        Value::Literal(literal) => literal_expression(literal, known),
        Value::Tuple(name, items) => tuple_expression(name.as_deref(), items, known),
        Value::Struct(name, fields) => {
            let fields = fields
                .iter()
                .map(|(field, value)| format!("{field}: {}", render(value, None)));
            format!("{} {{ {} }}", variant_path(name, known), commas(fields))
        }
        Value::List(items) => list_expression(items, known),
        Value::Set(items) => from_array(
            items.iter().map(|item| render(item, argument(known, 0))),
            known,
        ),
        Value::Map(entries) => {
            let entry = |(key, value): &(Value, Value)| {
                format!(
                    "({}, {})",
                    render(key, argument(known, 0)),
                    render(value, argument(known, 1))
                )
            };
            from_array(entries.iter().map(entry), known)
        }
    }
}

/// Returns the expression of a smart pointer, which prints what it points to, or of a cell, which
/// prints a struct around it.
fn wrapped(value: &Value, known: Option<&Type>) -> Option<String> {
    let Some(Type::Named(name, arguments)) = known else {
        return None;
    };
    match (name.as_str(), value) {
        ("Box" | "Rc" | "Arc", value) => {
            Some(format!("{name}::new({})", render(value, arguments.first())))
        }
        ("Cell" | "RefCell", Value::Struct(_, fields)) => {
            let (_, value) = fields.first()?;
            Some(format!("{name}::new({})", render(value, arguments.first())))
        }
        _ => None,
    }
}

fn word_expression(word: &str, known: Option<&Type>) -> String {
    let float = known
        .filter(|known| is_named(known, "f32"))
        .map_or("f64", |_| "f32");
    match word {
        "NaN" => format!("{float}::NAN"),
        "inf" => format!("{float}::INFINITY"),
        "-inf" => format!("{float}::NEG_INFINITY"),
        "true" | "false" | "None" => String::from(word),
        _ if word.starts_with(|c: char| c.is_alphabetic() || c == '_') => variant_path(word, known),
        _ => String::from(word),
    }
}

fn literal_expression(literal: &str, known: Option<&Type>) -> String {
    match known {
        _ if literal.starts_with('\'') => String::from(literal),
        Some(Type::Named(name, _)) if name == "str" => String::from(literal),
        Some(Type::Named(name, _))
            if name == "String" || name == "PathBuf" || name == "OsString" =>
        {
            format!("{name}::from({literal})")
        }
        Some(Type::Named(name, _)) if name == "Path" || name == "OsStr" => {
            format!("{name}::new({literal})")
        }
        _ => format!("{literal}.into()"),
    }
}

fn tuple_expression(name: Option<&str>, items: &[Value], known: Option<&Type>) -> String {
    let Some(name) = name else {
        let types: &[Type] = if let Some(Type::Tuple(types)) = known {
            types
        } else {
            &[]
        };
        let items = items
            .iter()
            .enumerate()
            .map(|(at, item)| render(item, types.get(at)));
        let last = if items.len() == 1 { "," } else { "" };
        return format!("({}{last})", commas(items));
    };
    let inner = match name {
        "Some" | "Ok" => argument(known, 0),
        "Err" => argument(known, 1),
        _ => None,
    };
    let path = if ["Some", "Ok", "Err"].contains(&name) {
        String::from(name)
    } else {
        variant_path(name, known)
    };
    format!(
        "{path}({})",
        commas(items.iter().map(|item| render(item, inner)))
    )
}

fn list_expression(items: &[Value], known: Option<&Type>) -> String {
    let element = match known {
        Some(Type::Sequence(element, _)) => Some(&**element),
        known => argument(known, 0),
    };
    let items = commas(items.iter().map(|item| render(item, element)));
    match known {
        Some(Type::Sequence(_, true)) => format!("[{items}]"),
        Some(Type::Sequence(_, false)) => format!("&[{items}]"),
        Some(Type::Named(name, _)) if name == "Vec" => format!("vec![{items}]"),
        Some(Type::Named(name, _)) => format!("{name}::from([{items}])"),
        _ => format!("[{items}].into()"),
    }
}

fn from_array(items: impl Iterator<Item = String>, known: Option<&Type>) -> String {
    match known {
        Some(Type::Named(name, _)) => format!("{name}::from([{}])", commas(items)),
        _ => format!("[{}].into()", commas(items)),
    }
}

/// Returns the path of a struct or variant: a struct prints its own name, an enum only that of the
/// variant.
fn variant_path(name: &str, known: Option<&Type>) -> String {
    match known {
        Some(Type::Named(of, _)) if of != name => format!("{of}::{name}"),
        _ => String::from(name),
    }
}

fn is_named(known: &Type, name: &str) -> bool {
    matches!(known, Type::Named(of, _) if of == name)
}

fn argument(known: Option<&Type>, at: usize) -> Option<&Type> {
    if let Some(Type::Named(_, arguments)) = known {
        arguments.get(at)
    } else {
        None
    }
}

fn commas(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
