//! Streams that a statement uses: their replacements in a test, and how bytes are written.

use super::verbatim_givens::{formatter, is_formatter};
use crate::generate::refusal::Refusal;
use crate::record::plan::Phase;
use crate::record::read::RecordedSite;
use crate::values;
use crate::values::capture_loss::why_lost;
use situ_recorder::recording::ValueSet;
use situ_recorder::value::{SeqKind, Value};

/// A stream of a statement.
pub(crate) struct Stream<'r> {
    /// The place of the stream, as source code.
    pub place: &'r str,
    /// The replacement.
    pub given: Value,
    /// The replacement's state after the statement, if it can be compared.
    pub left: Option<&'r Value>,
}

/// Returns the streams of a statement, or why their content is not known.
pub(crate) fn streams<'r>(
    recorded: &'r RecordedSite,
    set: &'r ValueSet,
) -> Result<Vec<Stream<'r>>, Refusal> {
    let passed = recorded.values(set, Phase::Passed);
    let slots = recorded
        .site
        .slots
        .iter()
        .filter(|slot| slot.phase == Phase::Passed);
    let ends = slots.map(|slot| {
        let found = passed
            .iter()
            .find(|(name, _)| Some(*name) == slot.key.source())
            .map(|(_, value)| *value);
        match found {
            Some(Value::Tuple(ends)) if !ends.is_empty() => match ends.iter().find_map(why_lost) {
                Some(loss) => Err(Refusal::Input(loss)),
                None => Ok(Stream {
                    place: slot.key.source().unwrap_or_default(),
                    given: given(&ends[0]),
                    left: ends.get(1),
                }),
            },
            _ => Err(Refusal::Stream),
        }
    });
    ends.collect()
}

/// Returns the replacement of a stream. The format of a formatter is part of the test, and never
/// varied.
fn given(value: &Value) -> Value {
    match value {
        Value::Built { args, .. } if is_formatter(value) => {
            match args.first().map(Value::behind_references) {
                Some(Value::Str(format)) => formatter(format),
                _ => formatter("{}"),
            }
        }
        other => other.clone(),
    }
}

/// How bytes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bytes {
    /// As a slice, whatever their number.
    Slice,
    /// As a literal, if they are ASCII.
    Literal,
}

/// Replaces bytes of a stream by the string that they are, if they are UTF-8.
pub(crate) fn told(value: &Value, bytes: Bytes) -> Value {
    let text = match value {
        Value::Ref {
            mutable: true,
            inner,
        } => {
            return Value::Ref {
                mutable: true,
                inner: Box::new(told(inner, bytes)),
            };
        }
        Value::Built {
            type_name,
            head,
            args,
            tail,
        } if !head.is_empty() && !args.is_empty() => {
            let args = args.iter().map(|argument| told(argument, bytes)).collect();
            let (type_name, head, tail) = (type_name.clone(), head.clone(), tail.clone());
            return Value::Built {
                type_name,
                head,
                args,
                tail,
            };
        }
        Value::Ref {
            mutable: false,
            inner,
        } => match &**inner {
            Value::Seq {
                kind: SeqKind::Slice,
                items,
                ..
            } => slice(items, bytes),
            _ => None,
        },
        Value::Seq {
            kind: SeqKind::Vec,
            items,
            ..
        } if !items.is_empty() => slice(items, bytes),
        _ => None,
    };
    let made = |tail| Value::Built {
        type_name: "&[u8]".to_owned(),
        head: String::new(),
        args: Vec::new(),
        tail,
    };
    text.map_or_else(|| value.clone(), made)
}

/// Returns an expression of bytes.
fn slice(items: &[Value], written: Bytes) -> Option<String> {
    let byte = |item: &Value| match item {
        Value::Int {
            type_name: "u8",
            bits,
        } => u8::try_from(*bits).ok(),
        _ => None,
    };
    let bytes: Vec<u8> = items.iter().map(byte).collect::<Option<_>>()?;
    let text = std::str::from_utf8(&bytes)
        .ok()
        .filter(|text| text.chars().all(is_readable));
    Some(match text {
        Some(text) if written == Bytes::Slice || !text.is_ascii() => {
            format!("{}.as_bytes()", values::text(text))
        }
        Some(_) => values::byte_string(&bytes),
        None => format!("{}.as_slice()", values::byte_string(&bytes)),
    })
}

fn is_readable(letter: char) -> bool {
    !letter.is_control() || matches!(letter, '\n' | '\t' | '\r')
}
