//! The expressions of the standard library with which a recording may construct a value. Any other
//! expression in a recording is refused.

use crate::rust_names::is_identifier;
use crate::value::{
    FORMATTER, FROM_ELEMENTS, FROM_THE_MIDDLE, INTEGER_TYPES, ONLY_VALUE, OWN_FUNCTION,
};

/// Functions whose call is the whole expression.
const FUNCTIONS: &[&str] = &[
    "*std::ffi::OsStr::new",
    "*std::path::Path::new",
    "<[_]>::chunks",
    "<[_]>::chunks_exact",
    "<[_]>::windows",
    "Box::from",
    "Box::new",
    "Iterator::zip",
    "String::from",
    "std::borrow::Cow::Borrowed",
    "std::borrow::Cow::Owned",
    "std::cell::Cell::new",
    "std::cell::OnceCell::from",
    "std::cell::OnceCell::new",
    "std::cell::RefCell::new",
    "std::env::VarError::NotUnicode",
    "std::ffi::OsString::from",
    "std::io::BufReader::new",
    "std::io::Error::from",
    "std::io::Error::from_raw_os_error",
    "std::io::Error::new",
    "std::num::Wrapping",
    "std::ops::Add::add",
    "std::ops::RangeInclusive::new",
    "std::path::PathBuf::from",
    "std::rc::Rc::from",
    "std::rc::Rc::new",
    "std::sync::Arc::from",
    "std::sync::Arc::new",
    "std::sync::Mutex::new",
    "std::sync::OnceLock::from",
    "std::sync::OnceLock::new",
    "std::sync::RwLock::new",
    "std::sync::atomic::AtomicBool::new",
    "std::sync::atomic::AtomicI16::new",
    "std::sync::atomic::AtomicI32::new",
    "std::sync::atomic::AtomicI64::new",
    "std::sync::atomic::AtomicI8::new",
    "std::sync::atomic::AtomicIsize::new",
    "std::sync::atomic::AtomicU16::new",
    "std::sync::atomic::AtomicU32::new",
    "std::sync::atomic::AtomicU64::new",
    "std::sync::atomic::AtomicU8::new",
    "std::sync::atomic::AtomicUsize::new",
    "std::time::Duration::new",
    "str::split",
];

/// Functions whose result is unwrapped.
const FALLIBLE: &[(&str, &str)] = &[
    ("String::from_utf8", ".unwrap_err()"),
    ("std::str::from_utf8", ".unwrap_err()"),
    (FROM_THE_MIDDLE, ""),
    (FROM_THE_MIDDLE, ".peekable()"),
];

/// Methods that are called on the one argument.
const METHODS: &[&str] = &[
    ".bytes()",
    ".char_indices()",
    ".char_indices().peekable()",
    ".chars()",
    ".chars().enumerate()",
    ".chars().peekable()",
    ".chars().skip(0)",
    ".into_iter()",
    ".into_iter().peekable()",
    ".iter()",
    ".iter().cloned()",
    ".iter().copied()",
    ".iter().enumerate()",
    ".iter().peekable()",
    ".lines()",
    ".rev()",
    ".split_whitespace()",
];

/// Expressions without arguments.
const CONSTANTS: &[&str] = &[
    "\"\".parse::<f64>().unwrap_err()",
    "\"\".parse::<u8>().unwrap_err()",
    "\"-129\".parse::<i8>().unwrap_err()",
    "\"0\".parse::<std::num::NonZero<u8>>().unwrap_err()",
    "\"256\".parse::<u8>().unwrap_err()",
    "\"x\".parse::<bool>().unwrap_err()",
    "\"x\".parse::<f64>().unwrap_err()",
    "\"x\".parse::<u8>().unwrap_err()",
    "std::cmp::Ordering::Equal",
    "std::cmp::Ordering::Greater",
    "std::cmp::Ordering::Less",
    "std::env::VarError::NotPresent",
    "std::fmt::Error",
    "std::io::ErrorKind::AddrInUse",
    "std::io::ErrorKind::AlreadyExists",
    "std::io::ErrorKind::BrokenPipe",
    "std::io::ErrorKind::ConnectionRefused",
    "std::io::ErrorKind::ConnectionReset",
    "std::io::ErrorKind::Interrupted",
    "std::io::ErrorKind::InvalidData",
    "std::io::ErrorKind::InvalidInput",
    "std::io::ErrorKind::NotConnected",
    "std::io::ErrorKind::NotFound",
    "std::io::ErrorKind::Other",
    "std::io::ErrorKind::OutOfMemory",
    "std::io::ErrorKind::PermissionDenied",
    "std::io::ErrorKind::TimedOut",
    "std::io::ErrorKind::UnexpectedEof",
    "std::io::ErrorKind::Unsupported",
    "std::io::ErrorKind::WouldBlock",
    "std::io::ErrorKind::WriteZero",
    "std::marker::PhantomData",
    "std::ops::RangeFull",
    "std::time::UNIX_EPOCH",
    "u8::try_from(256).unwrap_err()",
];

/// Returns whether a value may be constructed as `head(arguments)tail`, or as `argument tail` with
/// an empty head.
pub fn is_known(type_name: &str, head: &str, arguments: usize, tail: &str) -> bool {
    match (head, tail) {
        ("", "") => type_name == FORMATTER,
        ("", tail) if arguments == 0 => CONSTANTS.contains(&tail),
        ("", tail) => arguments == 1 && METHODS.contains(&tail),
        (ONLY_VALUE, "") => arguments == 0,
        (FROM_ELEMENTS, "") => arguments == 1,
        (head, "") if FUNCTIONS.contains(&head) => true,
        (head, tail) if FALLIBLE.contains(&(head, tail)) => true,
        (head, tail) => is_own_function(head, tail) || tail == ".unwrap()" && is_non_zero(head),
    }
}

/// Returns whether the head is a function of the constructed type, which may be fallible.
fn is_own_function(head: &str, tail: &str) -> bool {
    head.strip_prefix(OWN_FUNCTION).is_some_and(is_identifier) && matches!(tail, "" | ".unwrap()")
}

/// Returns whether the head is one such as `std::num::NonZero::<u8>::new`.
fn is_non_zero(head: &str) -> bool {
    let of_type = head
        .strip_prefix("std::num::NonZero::<")
        .and_then(|rest| rest.strip_suffix(">::new"));
    of_type.is_some_and(|name| INTEGER_TYPES.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn code_is_not_among_the_expressions() {
        assert!(is_known("alloc::string::String", "String::from", 1, ""));
        assert!(
            is_known("T", "Self::try_from", 1, ".unwrap()")
                && is_known("T", "std::num::NonZero::<u8>::new", 1, ".unwrap()")
        );
        for (head, arguments, tail) in [
            ("{ f(); String::from }", 1, ""),
            ("std::fs::remove_dir_all", 1, ""),
            ("String::from", 1, ".as_str(); f()"),
            ("", 0, "f()"),
            ("", 0, ".chars()"),
            ("", 1, "std::cmp::Ordering::Less"),
            ("Self::f() + Self::g", 1, ""),
            ("Self::f", 1, ".g()"),
            ("std::num::NonZero::<{ f() }>::new", 1, ".unwrap()"),
            ("", 1, ""),
        ] {
            assert!(
                !is_known("mine::T", head, arguments, tail),
                "{head}(..){tail}"
            );
        }
    }

    /// Every string in the capturing code that looks like a part of an expression is listed.
    #[test]
    fn everything_that_captures_write_is_here() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/capture");
        let mut seen = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "rs")
                || path.ends_with("tests.rs")
            {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for literal in strings(code)
                .into_iter()
                .filter(|literal| is_expression(literal))
            {
                let all = [FUNCTIONS, METHODS, CONSTANTS].concat();
                let is_here = all.contains(&literal.as_str())
                    || FALLIBLE
                        .iter()
                        .any(|(head, tail)| literal == *head || literal == *tail)
                    || is_non_zero(&literal);
                assert!(is_here, "{}: {literal}", path.display());
                seen += 1;
            }
        }
        assert!(seen > 90, "only {seen}");
    }

    fn is_expression(literal: &str) -> bool {
        const OTHERS: [&str; 9] = [
            "std::",
            "std::num::NonZero::<",
            "std::io::ErrorKind",
            "std::ops::Range",
            "std::ops::RangeFrom",
            "std::ops::RangeTo",
            "std::ops::RangeToInclusive",
            ".unwrap()",
            ".unwrap_err()",
        ];
        let starts = [
            "std::",
            "*std::",
            "<[_]>",
            "String::",
            "Box::",
            "Iterator::",
            "str::",
            "u8::",
            "\"",
            "(|",
            ".",
        ];
        let is_path = starts.iter().any(|start| literal.starts_with(start));
        is_path && !OTHERS.contains(&literal) && literal.len() > 1
    }

    /// Returns the unescaped string literals of source code.
    fn strings(code: &str) -> Vec<String> {
        let mut found = Vec::new();
        let lines = code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        for line in lines {
            let mut rest = line;
            while let Some((_, after)) = rest.split_once('"') {
                let mut text = String::new();
                let mut chars = after.char_indices();
                let end = loop {
                    match chars.next() {
                        Some((_, '\\')) => text.extend(chars.next().map(|(_, char)| char)),
                        Some((at, '"')) => break at + 1,
                        Some((_, char)) => text.push(char),
                        None => break after.len(),
                    }
                };
                found.push(text);
                rest = &after[end..];
            }
        }
        found
    }
}
