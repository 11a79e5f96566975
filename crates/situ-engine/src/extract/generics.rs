//! What a generic parameter was, told from a declared type and a value that had it.

use crate::render::{Here, written_type};
use situ_rt::value::Value;
use syn::{GenericArgument, PathArguments, Signature, Type};

/// Compares a declared type with a value, and notes what the signature's type parameters stand for.
pub fn unify(declared: &Type, value: &Value, signature: &Signature, here: &Here, found: &mut Vec<(String, String)>) {
    match (declared, value) {
        (Type::Reference(reference), Value::Ref { inner, .. }) => unify(&reference.elem, inner, signature, here, found),
        (Type::Paren(inner), _) => unify(&inner.elem, value, signature, here, found),
        (Type::Slice(slice), Value::Seq { items, .. }) => unify_first(&slice.elem, items, signature, here, found),
        (Type::Array(array), Value::Seq { items, .. }) => unify_first(&array.elem, items, signature, here, found),
        (Type::Tuple(tuple), Value::Tuple(parts)) => {
            for (declared, value) in tuple.elems.iter().zip(parts) {
                unify(declared, value, signature, here, found);
            }
        }
        (Type::Path(path), _) => {
            let Some(last) = path.path.segments.last() else { return };
            let is_parameter = path.path.segments.len() == 1
                && signature.generics.type_params().any(|parameter| parameter.ident == last.ident);
            if is_parameter {
                note(&last.ident.to_string(), value, here, found);
            } else if let (PathArguments::AngleBracketed(arguments), Value::Seq { items, .. }) = (&last.arguments, value)
                && let Some(GenericArgument::Type(element)) = arguments.args.first()
            {
                unify_first(element, items, signature, here, found);
            }
        }
        _ => {}
    }
}

fn unify_first(declared: &Type, items: &[Value], signature: &Signature, here: &Here, found: &mut Vec<(String, String)>) {
    if let Some(first) = items.first() {
        unify(declared, first, signature, here, found);
    }
}

fn note(parameter: &str, value: &Value, here: &Here, found: &mut Vec<(String, String)>) {
    if found.iter().any(|(known, _)| known == parameter) {
        return;
    }
    if let Some(name) = type_of(value, here) {
        found.push((parameter.to_owned(), name));
    }
}

/// The type of a value, where the recording tells.
fn type_of(value: &Value, here: &Here) -> Option<String> {
    match value {
        Value::Unit => Some("()".to_owned()),
        Value::Bool(_) => Some("bool".to_owned()),
        Value::Int { type_name, .. } => Some((*type_name).to_owned()),
        Value::Float { double, .. } => Some(if *double { "f64" } else { "f32" }.to_owned()),
        Value::Char(_) => Some("char".to_owned()),
        Value::Str(_) => Some("str".to_owned()),
        Value::Ref { mutable, inner } => {
            Some(format!("&{}{}", if *mutable { "mut " } else { "" }, type_of(inner, here)?))
        }
        Value::Tuple(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(|part| type_of(part, here)).collect();
            Some(format!("({},)", parts?.join(", ")))
        }
        Value::Seq { type_name, .. }
        | Value::Struct { type_name, .. }
        | Value::Built { type_name, .. }
        | Value::Parsed { type_name, .. } => written_type(type_name, here),
        Value::Debug { .. } | Value::Opaque { .. } | Value::Cut { .. } | Value::Withheld => None,
    }
}
