//! `Debug` output of a value as Rust source, written as the expected value beside it is.

use crate::source::{byte_range, parse_part, parse_tokens_with};
use quote::ToTokens as _;
use std::fmt;
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, LitInt, Path, Token, UnOp};

/// Reason why `Debug` output cannot be written as an expected value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotWritable {
    /// The output is no Rust expression.
    NoExpression(String),
    /// The output names something whose path is unknown.
    UnknownName(String),
}

impl fmt::Display for NotWritable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotWritable::NoExpression(shown) => write!(
                formatter,
                "what was found is no Rust expression as `Debug` shows it: {shown}"
            ),
            NotWritable::UnknownName(name) => {
                write!(
                    formatter,
                    "the path of `{name}` in what was found is unknown"
                )
            }
        }
    }
}

/// Type of the strings for which the expected value has no example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Strings {
    /// `&str`
    #[default]
    Borrowed,
    /// `String`
    Owned,
}

/// Returns the source of a found value. `expected` is the source that it replaces.
pub(super) fn source_of(
    found: &str,
    expected: &str,
    strings: Strings,
) -> Result<String, NotWritable> {
    let value: Expr = parse_part(found).map_err(|_| no_expression(found))?;
    let like: Option<Expr> = parse_part(expected).ok();
    let writer = Writer {
        text: found,
        strings,
    };
    writer.value(&value, like.as_ref())
}

fn no_expression(found: &str) -> NotWritable {
    NotWritable::NoExpression(found.to_owned())
}

struct Writer<'t> {
    /// `Debug` output.
    text: &'t str,
    strings: Strings,
}

impl Writer<'_> {
    fn shown(&self, value: &Expr) -> String {
        self.text[byte_range(value)].to_owned()
    }

    /// Writes a value like another one, if there is one.
    fn value(&self, value: &Expr, like: Option<&Expr>) -> Result<String, NotWritable> {
        if let Some(Expr::Reference(like)) = like {
            return Ok(format!("&{}", self.value(value, Some(&like.expr))?));
        }
        match value {
            Expr::Lit(literal) => Ok(self.literal(&literal.lit, like)),
            Expr::Unary(negative)
                if matches!(negative.op, UnOp::Neg(_))
                    && matches!(*negative.expr, Expr::Lit(_)) =>
            {
                Ok(format!("{}{}", self.shown(value), suffix_of(like)))
            }
            Expr::Tuple(tuple) => {
                let like = match like {
                    Some(Expr::Tuple(like)) => Some(&like.elems),
                    _ => None,
                };
                let parts = self.each(&tuple.elems, |at| like.and_then(|like| like.get(at)))?;
                let comma = if parts.len() == 1 { "," } else { "" };
                Ok(format!("({}{comma})", parts.join(", ")))
            }
            Expr::Array(array) => self.list(&array.elems, like),
            Expr::Path(path) => self.path(&path.path, like),
            Expr::Call(call) => {
                let Expr::Path(function) = &*call.func else {
                    return Err(no_expression(self.text));
                };
                let arguments_like = match like {
                    Some(Expr::Call(like)) => Some(&like.args),
                    _ => None,
                };
                let parts = self.each(&call.args, |at| {
                    arguments_like.and_then(|like| like.get(at))
                })?;
                let path = self.path(&function.path, like)?;
                Ok(format!("{path}({})", parts.join(", ")))
            }
            Expr::Struct(fields) if fields.rest.is_none() => self.fields(fields, like),
            _ => Err(no_expression(self.text)),
        }
    }

    fn each<'e>(
        &self,
        values: &Punctuated<Expr, Token![,]>,
        like: impl Fn(usize) -> Option<&'e Expr>,
    ) -> Result<Vec<String>, NotWritable> {
        let values = values.iter().enumerate();
        values
            .map(|(at, value)| self.value(value, like(at)))
            .collect()
    }

    fn fields(&self, value: &syn::ExprStruct, like: Option<&Expr>) -> Result<String, NotWritable> {
        let path = self.path(&value.path, like)?;
        let like_of = |field: &syn::FieldValue| match like {
            Some(Expr::Struct(like)) => {
                let same = like.fields.iter().find(|own| own.member == field.member);
                same.map(|own| &own.expr)
            }
            _ => None,
        };
        let mut parts = Vec::new();
        for field in &value.fields {
            let name = field.member.to_token_stream();
            parts.push(format!(
                "{name}: {}",
                self.value(&field.expr, like_of(field))?
            ));
        }
        Ok(format!("{path} {{ {} }}", parts.join(", ")))
    }

    fn literal(&self, literal: &Lit, like: Option<&Expr>) -> String {
        let shown = self.text[byte_range(literal)].to_owned();
        match (literal, like) {
            (Lit::Int(number), Some(Expr::Lit(like))) => {
                integer(number, &like.lit).unwrap_or(shown)
            }
            (Lit::Int(_) | Lit::Float(_), _) => shown + &suffix_of(like),
            // `"a".to_owned()`, `"a".into()`
            (Lit::Str(_), Some(Expr::MethodCall(like)))
                if like.args.is_empty() && is_string(&like.receiver) =>
            {
                format!("{shown}.{}()", like.method)
            }
            // `String::from("a")`
            (Lit::Str(_), Some(Expr::Call(like)))
                if like.args.len() == 1 && like.args.first().is_some_and(is_string) =>
            {
                let function: String = like.func.to_token_stream().to_string();
                format!("{}({shown})", function.replace(' ', ""))
            }
            (Lit::Str(_), Some(Expr::Lit(_))) => shown,
            (Lit::Str(_), _) if self.strings == Strings::Owned => format!("{shown}.to_owned()"),
            _ => shown,
        }
    }

    /// Writes a path as far as `Debug` shows it, with the qualifiers of the expected value.
    fn path(&self, path: &Path, like: Option<&Expr>) -> Result<String, NotWritable> {
        let Some(name) = path.get_ident().map(ToString::to_string) else {
            return Err(no_expression(self.text));
        };
        let like = match like {
            Some(Expr::Path(like)) => Some(&like.path),
            Some(Expr::Struct(like)) => Some(&like.path),
            Some(Expr::Call(like)) => match &*like.func {
                Expr::Path(function) => Some(&function.path),
                _ => None,
            },
            _ => None,
        };
        if matches!(name.as_str(), "None" | "Some" | "Ok" | "Err") {
            return Ok(name);
        }
        let Some(like) = like else {
            return Err(NotWritable::UnknownName(name));
        };
        let segments: Vec<String> = like
            .segments
            .iter()
            .map(|part| part.ident.to_string())
            .collect();
        match segments.split_last() {
            Some((last, qualifiers)) if *last == name || !qualifiers.is_empty() => {
                let qualifiers: String =
                    qualifiers.iter().map(|part| format!("{part}::")).collect();
                Ok(format!("{qualifiers}{name}"))
            }
            _ => Err(NotWritable::UnknownName(name)),
        }
    }

    /// Writes a list as an array, or as `vec![…]` or a byte string if the expected value is one.
    fn list(
        &self,
        values: &Punctuated<Expr, Token![,]>,
        like: Option<&Expr>,
    ) -> Result<String, NotWritable> {
        let (open, elements) = match like {
            Some(Expr::Macro(call)) if call.mac.path.is_ident("vec") => {
                let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
                let tokens = call.mac.tokens.clone();
                ("vec![", parse_tokens_with(parser, tokens).ok())
            }
            Some(Expr::Array(like)) => ("[", Some(like.elems.clone())),
            Some(Expr::Lit(like)) if matches!(like.lit, Lit::ByteStr(_)) => {
                if let Some(bytes) = bytes_of(values) {
                    return Ok(format!("b\"{}\"", bytes.escape_ascii()));
                }
                ("[", None)
            }
            _ => ("[", None),
        };
        let first = elements.as_ref().and_then(Punctuated::first);
        let parts = self.each(values, |at| {
            elements.as_ref().and_then(|all| all.get(at)).or(first)
        })?;
        Ok(format!("{open}{}]", parts.join(", ")))
    }
}

fn is_string(value: &Expr) -> bool {
    matches!(value, Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_)))
}

fn bytes_of(values: &Punctuated<Expr, Token![,]>) -> Option<Vec<u8>> {
    let byte = |value: &Expr| match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    };
    values.iter().map(byte).collect()
}

/// Returns the type suffix of an expected number.
fn suffix_of(like: Option<&Expr>) -> String {
    match like {
        Some(Expr::Unary(like)) => suffix_of(Some(&like.expr)),
        Some(Expr::Lit(like)) => match &like.lit {
            Lit::Int(number) => number.suffix().to_owned(),
            Lit::Float(number) => number.suffix().to_owned(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// Writes a number in the notation of another one: `0xff`, `b'a'`, `1u8`.
fn integer(number: &LitInt, like: &Lit) -> Option<String> {
    let value: u128 = number.base10_parse().ok()?;
    match like {
        Lit::Byte(_) => {
            let byte = u8::try_from(value).ok()?;
            Some(format!("b'{}'", byte.escape_ascii()))
        }
        Lit::Int(like) => {
            let written = like.to_string();
            let digits = match written.get(..2) {
                Some("0x") => format!("{value:#x}"),
                Some("0b") => format!("{value:#b}"),
                Some("0o") => format!("{value:#o}"),
                _ => value.to_string(),
            };
            Some(digits + like.suffix())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: &str, expected: &str, source: &str) {
        assert_eq!(
            source_of(found, expected, Strings::Borrowed).as_deref(),
            Ok(source),
            "{found} for {expected}"
        );
    }

    #[test]
    fn a_value_is_written_as_the_expected_one_is() {
        check("255", "1", "255");
        check("255", "0x01u8", "0xffu8");
        check("10", "b'a'", "b'\\n'");
        check("-3", "2_i8", "-3i8");
        check("1.5", "2.0", "1.5");
        check("\"a\\n\"", "\"b\"", "\"a\\n\"");
        check("\"a\"", "\"b\".to_owned()", "\"a\".to_owned()");
        check("\"a\"", "String::from(\"b\")", "String::from(\"a\")");
        check("Some(\"a\")", "Some(\"b\".into())", "Some(\"a\".into())");
        check("Some(3)", "None", "Some(3)");
        check("[1, 2]", "vec![0x1]", "vec![0x1, 0x2]");
        check("[1, 2]", "&[3]", "&[1, 2]");
        check("[97, 34]", "b\"x\"", "b\"a\\\"\"");
        check("(1,)", "(2,)", "(1,)");
        check("Ok((true, 'x'))", "Err(())", "Ok((true, 'x'))");
        check("Right", "Side::Left", "Side::Right");
        check(
            "P { x: 1, y: Some(2) }",
            "P { x: 0x0, y: None }",
            "P { x: 0x1, y: Some(2) }",
        );
        check("Word(\"a\")", "Token::Number(_)", "Token::Word(\"a\")");
    }

    #[test]
    fn a_value_without_source_is_refused() {
        for found in [
            "{1: 2}",
            "NaN",
            "it ran to its end",
            "Instant { .. }",
            "\"aaa… (500 characters)",
            "P { x: 1 }",
        ] {
            assert!(source_of(found, "1", Strings::Borrowed).is_err(), "{found}");
        }
    }
}
