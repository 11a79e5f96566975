//! Capture of the standard library's errors, by an expression that fails in the same way.

use std::num::{IntErrorKind, ParseFloatError, ParseIntError, TryFromIntError};
use std::str::{ParseBoolError, Utf8Error};
use std::string::FromUtf8Error;

use super::Capture;
use crate::Writer;

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
            _ => return writer.opaque(std::any::type_name::<Self>(), "an error of an unknown kind"),
        };
        failing(std::any::type_name::<Self>(), expression, writer);
    }
}

impl Capture for ParseFloatError {
    fn capture(&self, writer: &mut Writer) {
        let empty = "".parse::<f64>();
        let is_empty = empty.as_ref().err() == Some(self);
        let expression =
            if is_empty { "\"\".parse::<f64>().unwrap_err()" } else { "\"x\".parse::<f64>().unwrap_err()" };
        failing(std::any::type_name::<Self>(), expression, writer);
    }
}

impl Capture for ParseBoolError {
    fn capture(&self, writer: &mut Writer) {
        failing(std::any::type_name::<Self>(), "\"x\".parse::<bool>().unwrap_err()", writer);
    }
}

impl Capture for TryFromIntError {
    fn capture(&self, writer: &mut Writer) {
        failing(std::any::type_name::<Self>(), "u8::try_from(256).unwrap_err()", writer);
    }
}

impl Capture for std::fmt::Error {
    fn capture(&self, writer: &mut Writer) {
        failing(std::any::type_name::<Self>(), "std::fmt::Error", writer);
    }
}

/// A text that is wrong at the same place, for as many bytes.
impl Capture for Utf8Error {
    fn capture(&self, writer: &mut Writer) {
        let mut bytes = vec![b'a'; self.valid_up_to()];
        bytes.extend_from_slice(match self.error_len() {
            None => &[0xe1],
            Some(1) => &[0xff],
            Some(2) => &[0xe1, 0x80, b'a'],
            Some(_) => &[0xf1, 0x80, 0x80, b'a'],
        });
        writer.built(std::any::type_name::<Self>(), "std::str::from_utf8", ".unwrap_err()");
        (&bytes.as_slice()).capture(writer);
        writer.end();
    }
}

impl Capture for FromUtf8Error {
    fn capture(&self, writer: &mut Writer) {
        writer.built(std::any::type_name::<Self>(), "String::from_utf8", ".unwrap_err()");
        self.as_bytes().to_vec().capture(writer);
        writer.end();
    }
}

impl Capture for std::env::VarError {
    fn capture(&self, writer: &mut Writer) {
        match self {
            std::env::VarError::NotPresent => {
                failing(std::any::type_name::<Self>(), "std::env::VarError::NotPresent", writer);
            }
            std::env::VarError::NotUnicode(text) => {
                writer.built(std::any::type_name::<Self>(), "std::env::VarError::NotUnicode", "");
                text.capture(writer);
                writer.end();
            }
        }
    }
}

/// Errors of the system by their number; others hold what nobody can look at.
impl Capture for std::io::Error {
    fn capture(&self, writer: &mut Writer) {
        match self.raw_os_error() {
            Some(number) => {
                writer.built(std::any::type_name::<Self>(), "std::io::Error::from_raw_os_error", "");
                number.capture(writer);
                writer.end();
            }
            None => writer.debug(std::any::type_name::<Self>(), &format!("{self:?}")),
        }
    }
}
