//! Streams: readers and writers that a function knows by a trait only. A test supplies the bytes
//! that were read, or a `Vec` that collects what is written.

use super::shared::SharedItem;
use crate::generate::carve::find::declared::{Declared, DeclaredTrait};
use crate::generate::carve::find::scenario::Call;
use crate::generate::carve::find::subject::{Parameter, Subject};
use crate::generate::mocks::find_mentions;
use crate::record::plan::{Phase, StreamParameter, StreamTrait, known_as_stream, stream_below};
use crate::record::read::has_more_calls;
use crate::source::parse_part;
use crate::values::{Imports, TestModule, TypeTable, written_type};
use quote::ToTokens as _;
use situ_recorder::value::{SeqKind, Value};
use syn::{Expr, Generics, Lit, Path};

/// Bytes that are no text are written down up to this length.
const MAX_BYTES: usize = 200;

/// The replacement of a stream.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    /// The parameter.
    pub name: String,
    /// Whether it is passed by reference.
    is_borrowed: bool,
    /// The trait of the standard library.
    of: StreamTrait,
    /// The trait of the workspace that has it as a supertrait.
    of_trait: Option<DeclaredTrait>,
    /// The bytes that were read or written, if they are known.
    passed: Option<Vec<u8>>,
}

impl Stream {
    /// Returns the value that replaces the parameter.
    pub(crate) fn value(&self) -> Value {
        let (tail, is_borrowed) = match (&self.of_trait, self.of) {
            (Some(of_trait), _) => (
                format!("{}::default()", double_name(of_trait)),
                self.is_borrowed,
            ),
            // A writer is borrowed, so that its content can be compared.
            (None, StreamTrait::Write) => ("Vec::<u8>::new()".to_owned(), true),
            (None, StreamTrait::Text) => ("String::new()".to_owned(), true),
            (None, StreamTrait::Read | StreamTrait::BufRead) => (self.read(), self.is_borrowed),
        };
        let made = Value::Built {
            type_name: String::new(),
            head: String::new(),
            args: Vec::new(),
            tail,
        };
        if is_borrowed {
            Value::Ref {
                mutable: true,
                inner: Box::new(made),
            }
        } else {
            made
        }
    }

    /// Returns the bytes that were read, as an expression.
    fn read(&self) -> String {
        let bytes = self.passed.as_deref().unwrap_or_default();
        match std::str::from_utf8(bytes) {
            Ok(text) => format!("{text:?}.as_bytes()"),
            Err(_) => format!("b\"{}\".as_slice()", bytes.escape_ascii()),
        }
    }

    /// Returns the assertion on the written bytes, if a variable contains them.
    pub(crate) fn assertion(&self, variable: &str) -> Option<String> {
        let bytes = self.passed.as_ref()?;
        let place = match (&self.of_trait, self.of) {
            (_, StreamTrait::Read | StreamTrait::BufRead) => return None,
            (Some(_), _) if !self.is_borrowed => return None,
            (Some(_), _) => format!("{variable}.written"),
            (None, _) => variable.to_owned(),
        };
        match (std::str::from_utf8(bytes), self.of) {
            (Ok(""), _) => Some(format!("assert!({place}.is_empty());")),
            (Ok(text), StreamTrait::Text) => Some(format!("assert_eq!({place}, {text:?});")),
            (Ok(text), _) => Some(format!(
                "assert_eq!(String::from_utf8({place}).unwrap(), {text:?});"
            )),
            (Err(_), _) if bytes.len() <= MAX_BYTES => Some(format!(
                "assert_eq!({place}, b\"{}\");",
                bytes.escape_ascii()
            )),
            (Err(_), _) => None,
        }
    }

    /// Returns the type that replaces it, if the workspace has a trait of its own for such streams.
    pub(crate) fn item(&self, here: &TestModule, types: &TypeTable) -> Option<SharedItem> {
        let of_trait = self.of_trait.as_ref()?;
        let name = double_name(of_trait);
        let path = written_type(&of_trait.path(), here, types)
            .unwrap_or_else(|| of_trait.item.ident.to_string());
        let text = format!(
            "/// A writer that keeps its bytes.\n#[derive(Default)]\nstruct {name} {{\nwritten: Vec<u8>,\n}}\n\n\
             impl std::io::Write for {name} {{\nfn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {{\n\
             self.written.extend_from_slice(bytes);\nOk(bytes.len())\n}}\n\n\
             fn flush(&mut self) -> std::io::Result<()> {{\nOk(())\n}}\n}}\n\nimpl {path} for {name} {{}}\n"
        );
        Some(SharedItem {
            name,
            text,
            file: None,
        })
    }
}

fn double_name(of_trait: &DeclaredTrait) -> String {
    format!("{}Double", of_trait.item.ident)
}

/// Returns the stream that a parameter is, if it can be replaced.
pub(crate) fn stream(
    call: &Call<'_>,
    parameter: &Parameter,
    declared: &Declared,
) -> Option<Stream> {
    let name = parameter.name()?;
    let imports = &call.subject.here.imports;
    let own_trait = |path: &Path| declared.of_name(&path.segments.last()?.ident.to_string());
    let of_own = |path: &Path| {
        let of_trait = own_trait(path)?;
        stream_below(&of_trait.item, &|path| meaning(path, &of_trait.imports))
    };
    let generics: Vec<&Generics> = call.subject.bounds.iter().collect();
    let found = known_as_stream(&parameter.of_type, &generics, &|path| {
        meaning(path, imports).or_else(|| of_own(path))
    })?;
    let of_trait = parse_part::<Path>(&found.named)
        .ok()
        .filter(|path| meaning(path, imports).is_none());
    let of_trait = of_trait.and_then(|path| own_trait(&path).cloned());
    let passed = passed(call, &name).or_else(|| written(call, &name));
    let is_written =
        found.of == StreamTrait::Write || (found.of == StreamTrait::Text && of_trait.is_none());
    // All bytes that were read must be known; a trait with methods of its own is trusted if its
    // calls were recorded.
    let has_place = if of_trait.is_none() {
        is_written || passed.is_some()
    } else {
        is_written && passed.is_some()
    };
    has_place.then_some(Stream {
        name,
        is_borrowed: found.is_borrowed,
        of: found.of,
        of_trait,
        passed,
    })
}

/// Returns the stream of the standard library that a parameter is.
pub(crate) fn stream_of(subject: &Subject, parameter: &Parameter) -> Option<StreamParameter> {
    let generics: Vec<&Generics> = subject.bounds.iter().collect();
    known_as_stream(&parameter.of_type, &generics, &|path| {
        meaning(path, &subject.here.imports)
    })
}

/// Resolves a path by the imports of its module.
fn meaning(path: &Path, imports: &Imports) -> Option<StreamTrait> {
    let text = path.to_token_stream().to_string().replace(' ', "");
    let (first, rest) = text
        .split_once("::")
        .map_or((text.as_str(), ""), |(first, rest)| (first, rest));
    let whole = match imports.path_of(first) {
        Some(path) if rest.is_empty() => path.to_owned(),
        Some(path) => format!("{path}::{rest}"),
        None => text.clone(),
    };
    let of_prelude = || {
        let path = format!("std::io::prelude::{text}");
        imports
            .name_of(&path)
            .and_then(|_| StreamTrait::of_path(&path.split("::").collect::<Vec<_>>()))
    };
    StreamTrait::of_path(&whole.split("::").collect::<Vec<_>>()).or_else(of_prelude)
}

/// Returns all bytes that passed through a stream, if the recorder kept them.
fn passed(call: &Call<'_>, name: &str) -> Option<Vec<u8>> {
    let all = call.recorded.values(call.set, Phase::Passed);
    all.iter()
        .find(|(own, _)| *own == name)
        .and_then(|(_, value)| bytes_of(value))
}

/// Returns all bytes that a call wrote, if it used only plain recorded methods.
fn written(call: &Call<'_>, name: &str) -> Option<Vec<u8>> {
    let is_plain = is_plainly_written(call.subject, name);
    let mut has_written = false;
    let mut bytes = Vec::new();
    for one in &call.outgoing {
        let Ok(Expr::MethodCall(made)) = parse_part::<Expr>(&one.call.site.text) else {
            continue;
        };
        if made.receiver.to_token_stream().to_string() != name {
            continue;
        }
        has_written = true;
        let recorded = one.call.argument(1).and_then(bytes_of);
        bytes.extend(recorded.or_else(|| literal_bytes(made.args.first()?))?);
    }
    (is_plain && has_written && !has_more_calls(call.set)).then_some(bytes)
}

fn is_plainly_written(subject: &Subject, name: &str) -> bool {
    let mentions = |words: &[&str]| {
        let mut found = Vec::new();
        find_mentions(subject.tokens.clone(), words, &mut found);
        found.len()
    };
    mentions(&[name]) == mentions(&[name, "write_all"]) + mentions(&[name, "write_str"])
}

/// Returns the bytes of a literal argument, which is not recorded.
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
        Value::Seq {
            kind: SeqKind::Slice | SeqKind::Array | SeqKind::Vec,
            items,
            ..
        } => {
            let byte = |item: &Value| match item {
                Value::Int {
                    type_name: "u8",
                    bits,
                } => u8::try_from(*bits).ok(),
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

    fn stream(of: StreamTrait, passed: &[u8]) -> Stream {
        Stream {
            name: "io".to_owned(),
            is_borrowed: false,
            of,
            of_trait: None,
            passed: Some(passed.to_vec()),
        }
    }

    #[test]
    fn what_is_written_to_shows_what_came() {
        let said = |of: StreamTrait, passed: &[u8]| stream(of, passed).assertion("out");
        let of_text = "assert_eq!(String::from_utf8(out).unwrap(), \"a\\n\");";
        assert_eq!(said(StreamTrait::Write, b"a\n").as_deref(), Some(of_text));
        assert_eq!(
            said(StreamTrait::Text, b"a\n").as_deref(),
            Some("assert_eq!(out, \"a\\n\");")
        );
        assert_eq!(
            said(StreamTrait::Write, b"").as_deref(),
            Some("assert!(out.is_empty());")
        );
        assert_eq!(
            said(StreamTrait::Write, b"\xff").as_deref(),
            Some("assert_eq!(out, b\"\\xff\");")
        );
        assert_eq!(said(StreamTrait::Read, b"a"), None);
    }

    #[test]
    fn what_is_read_is_there_from_the_start() {
        assert_eq!(
            stream(StreamTrait::Read, b"a\"b").read(),
            "\"a\\\"b\".as_bytes()"
        );
        assert_eq!(
            stream(StreamTrait::BufRead, b"\x80\"").read(),
            "b\"\\x80\\\"\".as_slice()"
        );
    }

    #[test]
    fn bytes_and_texts_are_both_written() {
        let bytes = [b'a', b'b'].map(|byte| Value::Int {
            type_name: "u8",
            bits: byte.into(),
        });
        let bytes = Value::Seq {
            kind: SeqKind::Slice,
            type_name: "[u8]".to_owned(),
            items: bytes.to_vec(),
        };
        assert_eq!(bytes_of(&bytes).unwrap(), b"ab");
        assert_eq!(bytes_of(&Value::Str("c".to_owned())).unwrap(), b"c");
        assert_eq!(bytes_of(&Value::Unit), None);
        assert_eq!(literal_bytes(&syn::parse_quote!(b"d\n")).unwrap(), b"d\n");
    }
}
