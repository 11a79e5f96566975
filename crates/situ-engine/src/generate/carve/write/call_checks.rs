//! The checks of an outgoing call: its arguments, and its order.

use crate::generate::carve::refusal::ArgumentUnchecked;
use crate::values::capture_loss::why_lost;
use crate::values::{byte_string, text};
use serde::Serialize;
use situ_recorder::value::{SeqKind, Value};

/// The maximum length of bytes that are written, if they are no UTF-8.
const MAX_BYTES: usize = 200;
/// The length above which bytes that are UTF-8 are written as a string.
const LONGEST_BYTE_STRING: usize = 120;

/// The checks of a test; each is tried if a test with the previous one does not compile or fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Looks {
    /// Every argument whose value has an expression, the number of calls, and their order.
    #[default]
    All,
    /// Of the arguments only numbers, strings, bytes and paths.
    Plain,
    /// No arguments but literals of the source.
    Calls,
    /// Not even the number and order of calls.
    Nothing,
}

impl Looks {
    /// Returns the next weaker checks, for a test that fails.
    pub fn less(self) -> Option<Looks> {
        match self {
            Looks::All | Looks::Plain => Some(Looks::Calls),
            Looks::Calls => Some(Looks::Nothing),
            Looks::Nothing => None,
        }
    }
}

/// A part of an outgoing call that no assertion checks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Unchecked {
    /// The call: `fs::write(..)`.
    pub call: String,
    /// The number of the argument, counted from one; `None` for the order of the calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<usize>,
    /// Why.
    pub reason: String,
}

impl Unchecked {
    /// Returns the entry for the order and number of all calls.
    pub fn order() -> Unchecked {
        let reason = "a test that checks the order of the calls fails".to_owned();
        Unchecked {
            call: String::new(),
            argument: None,
            reason,
        }
    }
}

/// Returns why an argument is not written, because of its value or of the checks.
pub(crate) fn why_not_looked_at(value: &Value, looks: Looks) -> Option<ArgumentUnchecked> {
    let is_changed = matches!(value, Value::Ref { mutable: true, .. });
    match looks {
        _ if is_changed => Some(ArgumentUnchecked::MutablyBorrowed),
        Looks::Calls | Looks::Nothing => Some(ArgumentUnchecked::DoesNotHold),
        Looks::Plain if plain(value).is_none() => Some(ArgumentUnchecked::DoesNotCompile),
        Looks::All | Looks::Plain => why_lost(value).map(ArgumentUnchecked::Lost),
    }
}

/// Returns a number, a string, bytes or a path as a literal that a mock compares with it, whatever
/// its type is.
pub(crate) fn plain(value: &Value) -> Option<String> {
    let mut value = value;
    for _ in 0..2 {
        if let Value::Ref {
            mutable: false,
            inner,
        } = value
        {
            value = inner;
        }
    }
    match value {
        Value::Bool(value) => Some(value.to_string()),
        Value::Char(letter) => Some(format!("{letter:?}")),
        Value::Int { bits, type_name } if type_name.starts_with('u') => Some(bits.to_string()),
        Value::Int { bits, .. } => Some((*bits as i128).to_string()),
        value => text_of(value).map(text).or_else(|| bytes_of(value)),
    }
}

/// The functions that convert a string into an owned type.
const OWNERS: [&str; 5] = [
    "String::from",
    "std::path::PathBuf::from",
    "*std::path::Path::new",
    "std::ffi::OsString::from",
    "*std::ffi::OsStr::new",
];

fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::Str(text) => Some(text),
        Value::Built {
            head, args, tail, ..
        } if tail.is_empty() && OWNERS.contains(&head.as_str()) => {
            args.first().map(Value::behind_references).and_then(text_of)
        }
        _ => None,
    }
}

fn bytes_of(value: &Value) -> Option<String> {
    let Value::Seq {
        kind: SeqKind::Array | SeqKind::Slice | SeqKind::Vec,
        items,
        ..
    } = value
    else {
        return None;
    };
    let byte = |item: &Value| match item {
        Value::Int {
            type_name: "u8",
            bits,
        } => u8::try_from(*bits).ok(),
        _ => None,
    };
    let bytes: Vec<u8> = items
        .iter()
        .map(byte)
        .collect::<Option<_>>()
        .filter(|bytes: &Vec<u8>| !bytes.is_empty())?;
    match std::str::from_utf8(&bytes) {
        Ok(own) if bytes.len() > LONGEST_BYTE_STRING || !own.is_ascii() => Some(text(own)),
        Err(_) if bytes.len() > MAX_BYTES => None,
        _ => Some(byte_string(&bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_bytes_and_paths_are_literals_whoever_owns_them() {
        let built = |head: &str| Value::Built {
            type_name: String::new(),
            head: head.to_owned(),
            args: vec![Value::Str("out.txt".to_owned())],
            tail: String::new(),
        };
        let borrowed = |inner: Value| Value::Ref {
            mutable: false,
            inner: Box::new(inner),
        };
        for value in [
            built("String::from"),
            built("std::path::PathBuf::from"),
            Value::Str("out.txt".to_owned()),
        ] {
            assert_eq!(plain(&value).unwrap(), "\"out.txt\"");
            assert_eq!(plain(&borrowed(borrowed(value))).unwrap(), "\"out.txt\"");
        }
        let bytes = |bytes: &[u8]| Value::Seq {
            kind: SeqKind::Vec,
            type_name: String::new(),
            items: bytes
                .iter()
                .map(|byte| Value::Int {
                    type_name: "u8",
                    bits: u128::from(*byte),
                })
                .collect(),
        };
        assert_eq!(plain(&bytes(b"done\n")).unwrap(), "b\"done\\n\"");
        assert_eq!(
            plain(&bytes(&[b'a'; 300])).unwrap(),
            format!("{:?}", "a".repeat(300))
        );
        assert_eq!(plain(&bytes(&[0xff; 300])), None);
        assert_eq!(plain(&built("Money::parse")), None);
    }

    #[test]
    fn what_may_be_changed_is_not_looked_at() {
        let lent = Value::Ref {
            mutable: true,
            inner: Box::new(Value::Bool(true)),
        };
        assert!(why_not_looked_at(&lent, Looks::All).is_some());
        assert_eq!(why_not_looked_at(&Value::Bool(true), Looks::Plain), None);
        assert!(why_not_looked_at(&Value::Tuple(Vec::new()), Looks::Plain).is_some());
        assert!(why_not_looked_at(&Value::Bool(true), Looks::Calls).is_some());
    }
}
