//! Sinks: what a function writes to, where all that it knows of it is that it can be written to. A list of bytes or a text
//! takes its place, and shows what came.

use super::scenario::Call;
use super::subject::{Parameter, Subject};
use crate::extract::mocks::find_mentions;
use crate::record::read::has_more_calls;
use quote::ToTokens as _;
use situ_rt::value::{SeqKind, Value};
use syn::{Expr, GenericParam, Lit, Type, TypeParamBound, WherePredicate};

/// What stands for something that is written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sink {
    /// The parameter.
    pub name: String,
    /// Whether it takes bytes, rather than text.
    pub takes_bytes: bool,
    /// All that was written, where that is known.
    pub written: Option<String>,
}

impl Sink {
    /// What takes the place of the parameter.
    pub fn value(&self, is_borrowed: bool) -> Value {
        let tail = if self.takes_bytes { "Vec::<u8>::new()" } else { "String::new()" };
        let made =
            Value::Built { type_name: String::new(), head: String::new(), args: Vec::new(), tail: tail.to_owned() };
        if is_borrowed { Value::Ref { mutable: true, inner: Box::new(made) } } else { made }
    }

    /// The assertion of what was written, where a variable shows it.
    pub fn assertion(&self, variable: &str) -> Option<String> {
        let text = self.written.as_ref()?;
        Some(match self.takes_bytes {
            true => format!("assert_eq!(String::from_utf8({variable}).unwrap(), {text:?});"),
            false => format!("assert_eq!({variable}, {text:?});"),
        })
    }
}

/// The sink that a parameter is, and whether it is borrowed.
pub fn sink(call: &Call<'_>, parameter: &Parameter) -> Option<(Sink, bool)> {
    let name = parameter.name()?;
    let (of_type, is_borrowed) = match &parameter.of_type {
        Type::Reference(reference) if reference.mutability.is_some() => (&*reference.elem, true),
        Type::Reference(_) => return None,
        other => (other, false),
    };
    let takes_bytes = takes_bytes(of_type, call.subject)?;
    let written = written(call, &name);
    Some((Sink { name, takes_bytes, written }, is_borrowed))
}

/// Whether a type that is only known by `Write` is that of `std::io` rather than that of `std::fmt`; none for other types.
fn takes_bytes(of_type: &Type, subject: &Subject) -> Option<bool> {
    let bounds = match of_type {
        Type::ImplTrait(object) => object.bounds.iter().cloned().collect::<Vec<_>>(),
        Type::TraitObject(object) => object.bounds.iter().cloned().collect(),
        Type::Path(path) => bounds_of(path.path.get_ident()?.to_string().as_str(), subject),
        Type::Paren(inner) => return takes_bytes(&inner.elem, subject),
        _ => return None,
    };
    let mut traits = bounds.iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(bound.path.to_token_stream().to_string().replace(' ', "")),
        _ => None,
    });
    let (Some(only), None) = (traits.next(), traits.next()) else { return None };
    let imports = &subject.here.imports;
    let is = |path: &str, name: &str| only == name && imports.name_of(path).as_deref() == name.split("::").next();
    let of_bytes = [("std::io::Write", "Write"), ("std::io::prelude::Write", "Write"), ("std::io", "io::Write")];
    let of_text = [("std::fmt::Write", "Write"), ("std::fmt", "fmt::Write")];
    match only.as_str() {
        "std::io::Write" => Some(true),
        "std::fmt::Write" => Some(false),
        _ if of_bytes.iter().any(|(path, name)| is(path, name)) => Some(true),
        _ if of_text.iter().any(|(path, name)| is(path, name)) => Some(false),
        _ => None,
    }
}

fn bounds_of(name: &str, subject: &Subject) -> Vec<TypeParamBound> {
    let mut all = Vec::new();
    for generics in &subject.bounds {
        for parameter in &generics.params {
            if let GenericParam::Type(own) = parameter
                && own.ident == name
            {
                all.extend(own.bounds.iter().cloned());
            }
        }
        for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
            if let WherePredicate::Type(own) = predicate
                && own.bounded_ty.to_token_stream().to_string() == name
            {
                all.extend(own.bounds.iter().cloned());
            }
        }
    }
    all
}

/// All that a call wrote, where it used nothing but plain methods that were watched, and the text is readable.
fn written(call: &Call<'_>, name: &str) -> Option<String> {
    let mentions = |words: &[&str]| {
        let mut found = Vec::new();
        find_mentions(call.subject.tokens.clone(), words, &mut found);
        found.len()
    };
    let is_plain = mentions(&[name]) == mentions(&[name, "write_all"]) + mentions(&[name, "write_str"]);
    let mut has_written = false;
    let mut bytes = Vec::new();
    for one in &call.outgoing {
        let Ok(Expr::MethodCall(made)) = syn::parse_str::<Expr>(&one.call.site.text) else { continue };
        if made.receiver.to_token_stream().to_string() != name {
            continue;
        }
        has_written = true;
        let recorded = one.call.argument(1).and_then(bytes_of);
        bytes.extend(recorded.or_else(|| literal_bytes(made.args.first()?))?);
    }
    let is_all = is_plain && has_written && !has_more_calls(call.set);
    String::from_utf8(bytes).ok().filter(|_| is_all)
}

/// An argument that its text says is not recorded.
fn literal_bytes(argument: &Expr) -> Option<Vec<u8>> {
    match argument {
        Expr::Reference(reference) => literal_bytes(&reference.expr),
        Expr::Lit(literal) => match &literal.lit {
            Lit::ByteStr(bytes) => Some(bytes.value()),
            Lit::Str(text) => Some(text.value().into_bytes()),
            _ => None,
        },
        _ => None,
    }
}

fn bytes_of(value: &Value) -> Option<Vec<u8>> {
    match value.behind_references() {
        Value::Str(text) => Some(text.clone().into_bytes()),
        Value::Built { head, args, .. } if head == "String::from" => bytes_of(args.first()?),
        Value::Seq { kind: SeqKind::Slice | SeqKind::Array | SeqKind::Vec, items, .. } => {
            let byte = |item: &Value| match item {
                Value::Int { type_name: "u8", bits } => u8::try_from(*bits).ok(),
                _ => None,
            };
            items.iter().map(byte).collect()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sink_shows_what_was_written() {
        let mut sink = Sink { name: "out".to_owned(), takes_bytes: true, written: Some("a\n".to_owned()) };
        assert_eq!(sink.assertion("out").unwrap(), "assert_eq!(String::from_utf8(out).unwrap(), \"a\\n\");");
        sink.takes_bytes = false;
        assert_eq!(sink.assertion("out").unwrap(), "assert_eq!(out, \"a\\n\");");
        sink.written = None;
        assert_eq!(sink.assertion("out"), None);
    }

    #[test]
    fn bytes_and_texts_are_both_written() {
        let bytes = [b'a', b'b'].map(|byte| Value::Int { type_name: "u8", bits: byte.into() });
        let bytes = Value::Seq { kind: SeqKind::Slice, type_name: "[u8]".to_owned(), items: bytes.to_vec() };
        assert_eq!(bytes_of(&bytes).unwrap(), b"ab");
        assert_eq!(bytes_of(&Value::Str("c".to_owned())).unwrap(), b"c");
        assert_eq!(bytes_of(&Value::Unit), None);
        assert_eq!(literal_bytes(&syn::parse_quote!(b"d\n")).unwrap(), b"d\n");
    }
}
