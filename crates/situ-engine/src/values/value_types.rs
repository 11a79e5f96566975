//! Types of captured values as source code.

use super::{TestModule, TypeTable, written_type};
use situ_recorder::value::Value;

/// Returns the type of a value, with `lifetime` (`'static ` or empty) after every `&`. Returns
/// `None` if the type cannot be written.
pub fn type_of(
    value: &Value,
    here: &TestModule,
    types: &TypeTable,
    lifetime: &str,
) -> Option<String> {
    let of = |value: &Value| type_of(value, here, types, lifetime);
    let named = |name: &str| Some(with_lifetime(&written_type(name, here, types)?, lifetime));
    match value {
        Value::Unit => Some("()".to_owned()),
        Value::Bool(_) => Some("bool".to_owned()),
        Value::Int { type_name, .. } => Some((*type_name).to_owned()),
        Value::Float { double, .. } => Some(if *double { "f64" } else { "f32" }.to_owned()),
        Value::Char(_) => Some("char".to_owned()),
        Value::Str(_) => Some("str".to_owned()),
        Value::Ref { mutable, inner } => Some(format!(
            "&{lifetime}{}{}",
            if *mutable { "mut " } else { "" },
            of(inner)?
        )),
        Value::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(of).collect::<Option<_>>()?;
            Some(if parts.len() == 1 {
                format!("({},)", parts[0])
            } else {
                format!("({})", parts.join(", "))
            })
        }
        Value::Seq { type_name, .. }
        | Value::Struct { type_name, .. }
        | Value::Built { type_name, .. }
        | Value::Parsed { type_name, .. } => named(type_name),
        Value::Debug { .. }
        | Value::Opaque { .. }
        | Value::Cut { .. }
        | Value::Withheld
        | Value::Refused(_) => None,
    }
}

/// Inserts a lifetime into a type name, because the compiler's type names have none.
fn with_lifetime(name: &str, lifetime: &str) -> String {
    if lifetime.is_empty() {
        return name.to_owned();
    }
    let named = name.replace('&', &format!("&{lifetime}"));
    let cow = format!("Cow<{}, ", lifetime.trim());
    named.replace("Cow<", &cow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use situ_recorder::value::SeqKind;

    #[test]
    fn a_value_says_its_type() {
        let here = TestModule {
            krate: "mine".to_owned(),
            ..TestModule::default()
        };
        let types = TypeTable::default();
        let text = Value::Ref {
            mutable: false,
            inner: Box::new(Value::Str("a".to_owned())),
        };
        let list = Value::Seq {
            kind: SeqKind::Vec,
            type_name: "alloc::vec::Vec<&str>".to_owned(),
            items: vec![],
        };
        let pair = Value::Tuple(vec![
            text.clone(),
            Value::Int {
                type_name: "u8",
                bits: 1,
            },
        ]);
        assert_eq!(type_of(&text, &here, &types, "").as_deref(), Some("&str"));
        assert_eq!(
            type_of(&pair, &here, &types, "'static ").as_deref(),
            Some("(&'static str, u8)")
        );
        assert_eq!(
            type_of(&list, &here, &types, "'static ").as_deref(),
            Some("Vec<&'static str>")
        );
        assert_eq!(type_of(&Value::Withheld, &here, &types, ""), None);
    }
}
