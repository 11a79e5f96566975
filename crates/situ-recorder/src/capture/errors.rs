//! Capture of the standard library's errors, as an expression that fails in the same way.

use std::io::ErrorKind;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError, TryFromIntError};
use std::str::{ParseBoolError, Utf8Error};
use std::string::FromUtf8Error;

use super::Capture;
use crate::Writer;
use crate::foreign::{self, Purpose};

fn failing(type_name: &'static str, expression: &'static str, writer: &mut Writer) {
    writer.built(type_name, "", expression);
    writer.end();
}

impl Capture for ParseIntError {
    fn capture(&self, writer: &mut Writer) {
        let expression = match self.kind() {
            IntErrorKind::Empty => "\"\".parse::<u8>().unwrap_err()",
            IntErrorKind::InvalidDigit => "\"x\".parse::<u8>().unwrap_err()",
            IntErrorKind::PosOverflow => "\"256\".parse::<u8>().unwrap_err()",
            IntErrorKind::NegOverflow => "\"-129\".parse::<i8>().unwrap_err()",
            IntErrorKind::Zero => "\"0\".parse::<std::num::NonZero<u8>>().unwrap_err()",
            _ => {
                return writer.opaque(std::any::type_name::<Self>(), "an error of an unknown kind");
            }
        };
        failing(std::any::type_name::<Self>(), expression, writer);
    }
}

impl Capture for ParseFloatError {
    fn capture(&self, writer: &mut Writer) {
        let empty = "".parse::<f64>();
        let is_empty = empty.as_ref().err() == Some(self);
        let expression = if is_empty {
            "\"\".parse::<f64>().unwrap_err()"
        } else {
            "\"x\".parse::<f64>().unwrap_err()"
        };
        failing(std::any::type_name::<Self>(), expression, writer);
    }
}

impl Capture for ParseBoolError {
    fn capture(&self, writer: &mut Writer) {
        failing(
            std::any::type_name::<Self>(),
            "\"x\".parse::<bool>().unwrap_err()",
            writer,
        );
    }
}

impl Capture for TryFromIntError {
    fn capture(&self, writer: &mut Writer) {
        failing(
            std::any::type_name::<Self>(),
            "u8::try_from(256).unwrap_err()",
            writer,
        );
    }
}

impl Capture for std::fmt::Error {
    fn capture(&self, writer: &mut Writer) {
        failing(std::any::type_name::<Self>(), "std::fmt::Error", writer);
    }
}

/// Writes a byte string with an error at the same position and of the same length.
impl Capture for Utf8Error {
    fn capture(&self, writer: &mut Writer) {
        let mut bytes = vec![b'a'; self.valid_up_to()];
        bytes.extend_from_slice(match self.error_len() {
            None => &[0xe1],
            Some(1) => &[0xff],
            Some(2) => &[0xe1, 0x80, b'a'],
            Some(_) => &[0xf1, 0x80, 0x80, b'a'],
        });
        writer.built(
            std::any::type_name::<Self>(),
            "std::str::from_utf8",
            ".unwrap_err()",
        );
        (&bytes.as_slice()).capture(writer);
        writer.end();
    }
}

impl Capture for FromUtf8Error {
    fn capture(&self, writer: &mut Writer) {
        writer.built(
            std::any::type_name::<Self>(),
            "String::from_utf8",
            ".unwrap_err()",
        );
        self.as_bytes().to_vec().capture(writer);
        writer.end();
    }
}

impl Capture for std::env::VarError {
    fn capture(&self, writer: &mut Writer) {
        match self {
            std::env::VarError::NotPresent => {
                failing(
                    std::any::type_name::<Self>(),
                    "std::env::VarError::NotPresent",
                    writer,
                );
            }
            std::env::VarError::NotUnicode(text) => {
                writer.built(
                    std::any::type_name::<Self>(),
                    "std::env::VarError::NotUnicode",
                    "",
                );
                text.capture(writer);
                writer.end();
            }
        }
    }
}

/// Writes OS errors by their number, others by their kind and message. Some have a payload that
/// cannot be inspected.
impl Capture for std::io::Error {
    fn capture(&self, writer: &mut Writer) {
        let type_name = std::any::type_name::<Self>();
        if let Some(number) = self.raw_os_error() {
            writer.built(type_name, "std::io::Error::from_raw_os_error", "");
            number.capture(writer);
            return writer.end();
        }
        // The payload may be of any type, and formatting it executes that type's code.
        let text = self
            .get_ref()
            .map(|cause| foreign::evaluate(CAUSE, Purpose::Show, || text_of(cause)))
            .transpose();
        match (written_kind(self.kind()), text) {
            (Some(kind), Ok(None)) if is_nothing_but_kind(self) => {
                writer.built(type_name, "std::io::Error::from", "");
                failing("std::io::ErrorKind", kind, writer);
                writer.end();
            }
            (Some(kind), Ok(Some(Some(text)))) => {
                writer.built(type_name, "std::io::Error::new", "");
                failing("std::io::ErrorKind", kind, writer);
                (&text.as_str()).capture(writer);
                writer.end();
            }
            (_, Ok(_)) => match foreign::evaluate(CAUSE, Purpose::Show, || format!("{self:?}")) {
                Ok(text) => writer.debug(type_name, &text),
                Err(declined) => writer.opaque(type_name, declined.reason()),
            },
            (_, Err(declined)) => writer.opaque(type_name, declined.reason()),
        }
    }
}

/// The name under which the payload's code is noted.
const CAUSE: &str = "the cause of a std::io::Error";

/// Returns whether an error consists of its kind alone. The standard library makes errors without a
/// payload that still have a message.
fn is_nothing_but_kind(error: &std::io::Error) -> bool {
    format!("{error:?}") == format!("{:?}", std::io::Error::from(error.kind()))
}

/// Returns the string that a payload was made from: such a payload displays nothing else.
fn text_of(cause: &(dyn std::error::Error + Send + Sync)) -> Option<String> {
    let text = cause.to_string();
    (format!("{cause:?}") == format!("{text:?}")).then_some(text)
}

/// Returns the path of an error kind, for the kinds that programs construct errors with.
fn written_kind(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::AddrInUse => "std::io::ErrorKind::AddrInUse",
        ErrorKind::AlreadyExists => "std::io::ErrorKind::AlreadyExists",
        ErrorKind::BrokenPipe => "std::io::ErrorKind::BrokenPipe",
        ErrorKind::ConnectionRefused => "std::io::ErrorKind::ConnectionRefused",
        ErrorKind::ConnectionReset => "std::io::ErrorKind::ConnectionReset",
        ErrorKind::Interrupted => "std::io::ErrorKind::Interrupted",
        ErrorKind::InvalidData => "std::io::ErrorKind::InvalidData",
        ErrorKind::InvalidInput => "std::io::ErrorKind::InvalidInput",
        ErrorKind::NotConnected => "std::io::ErrorKind::NotConnected",
        ErrorKind::NotFound => "std::io::ErrorKind::NotFound",
        ErrorKind::Other => "std::io::ErrorKind::Other",
        ErrorKind::OutOfMemory => "std::io::ErrorKind::OutOfMemory",
        ErrorKind::PermissionDenied => "std::io::ErrorKind::PermissionDenied",
        ErrorKind::TimedOut => "std::io::ErrorKind::TimedOut",
        ErrorKind::UnexpectedEof => "std::io::ErrorKind::UnexpectedEof",
        ErrorKind::Unsupported => "std::io::ErrorKind::Unsupported",
        ErrorKind::WouldBlock => "std::io::ErrorKind::WouldBlock",
        ErrorKind::WriteZero => "std::io::ErrorKind::WriteZero",
        _ => return None,
    })
}
