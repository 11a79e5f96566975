//! Capture of types that own or wrap one value: strings, boxes, options, paths, times, addresses.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::Capture;
use crate::Writer;
use crate::foreign::{self, Purpose};
use crate::value::Shape;

/// Writes `head(value)tail`.
fn built<T: Capture + ?Sized>(
    writer: &mut Writer,
    type_name: &'static str,
    head: &'static str,
    value: &T,
    tail: &'static str,
) {
    writer.built(type_name, head, tail);
    // Every cycle of pointers passes here, and ends at the depth limit.
    if !writer.is_full() {
        value.capture(writer);
    }
    writer.end();
}

impl Capture for String {
    fn capture(&self, writer: &mut Writer) {
        built(
            writer,
            "alloc::string::String",
            "String::from",
            &self.as_str(),
            "",
        );
    }
}

impl<T: Capture> Capture for Option<T> {
    fn capture(&self, writer: &mut Writer) {
        match self {
            None => writer.structure(std::any::type_name::<Self>(), "None", Shape::Unit),
            Some(value) => variant(writer, std::any::type_name::<Self>(), "Some", value),
        }
        writer.end();
    }
}

impl<T: Capture, E: Capture> Capture for Result<T, E> {
    fn capture(&self, writer: &mut Writer) {
        match self {
            Ok(value) => variant(writer, std::any::type_name::<Self>(), "Ok", value),
            Err(error) => variant(writer, std::any::type_name::<Self>(), "Err", error),
        }
        writer.end();
    }
}

fn variant<T: Capture>(
    writer: &mut Writer,
    type_name: &'static str,
    name: &'static str,
    value: &T,
) {
    writer.structure(type_name, name, Shape::Tuple);
    writer.field("0");
    value.capture(writer);
}

macro_rules! boxes {
    ($($owner:ident $new:literal $from:literal)*) => {$(
        impl<T: Capture> Capture for $owner<T> {
            fn capture(&self, writer: &mut Writer) {
                built(writer, std::any::type_name::<Self>(), $new, &**self, "");
            }
        }

        impl Capture for $owner<str> {
            fn capture(&self, writer: &mut Writer) {
                writer.built(std::any::type_name::<Self>(), $from, "");
                (&**self).capture(writer);
                writer.end();
            }
        }

        impl<T: Capture> Capture for $owner<[T]> {
            fn capture(&self, writer: &mut Writer) {
                writer.built(std::any::type_name::<Self>(), $from, "");
                super::collections::vector(&**self, writer);
                writer.end();
            }
        }
    )*};
}

boxes! {
    Box "Box::new" "Box::from"
    Rc "std::rc::Rc::new" "std::rc::Rc::from"
    Arc "std::sync::Arc::new" "std::sync::Arc::from"
}

impl<B> Capture for Cow<'_, B>
where
    B: ToOwned + ?Sized + Capture,
    B::Owned: Capture,
{
    fn capture(&self, writer: &mut Writer) {
        match self {
            Cow::Borrowed(value) => built(
                writer,
                std::any::type_name::<Self>(),
                "std::borrow::Cow::Borrowed",
                value,
                "",
            ),
            Cow::Owned(value) => built(
                writer,
                std::any::type_name::<Self>(),
                "std::borrow::Cow::Owned",
                value,
                "",
            ),
        }
    }
}

/// Writes OS strings and paths if they are UTF-8; others have no literal.
fn system_text(writer: &mut Writer, type_name: &'static str, head: &'static str, text: &OsStr) {
    match text.to_str() {
        Some(text) => {
            writer.built(type_name, head, "");
            (&text).capture(writer);
            writer.end();
        }
        None => writer.opaque(type_name, "not UTF-8"),
    }
}

impl Capture for OsString {
    fn capture(&self, writer: &mut Writer) {
        system_text(
            writer,
            std::any::type_name::<Self>(),
            "std::ffi::OsString::from",
            self,
        );
    }
}

impl Capture for PathBuf {
    fn capture(&self, writer: &mut Writer) {
        system_text(
            writer,
            std::any::type_name::<Self>(),
            "std::path::PathBuf::from",
            self.as_os_str(),
        );
    }
}

/// Writes `&Path` as `Path::new("…")`: `*` undoes the reference.
impl Capture for Path {
    fn capture(&self, writer: &mut Writer) {
        system_text(
            writer,
            std::any::type_name::<Self>(),
            "*std::path::Path::new",
            self.as_os_str(),
        );
    }
}

impl Capture for OsStr {
    fn capture(&self, writer: &mut Writer) {
        system_text(
            writer,
            std::any::type_name::<Self>(),
            "*std::ffi::OsStr::new",
            self,
        );
    }
}

impl Capture for Duration {
    fn capture(&self, writer: &mut Writer) {
        writer.built(
            std::any::type_name::<Self>(),
            "std::time::Duration::new",
            "",
        );
        self.as_secs().capture(writer);
        self.subsec_nanos().capture(writer);
        writer.end();
    }
}

impl Capture for std::time::SystemTime {
    fn capture(&self, writer: &mut Writer) {
        match self.duration_since(std::time::UNIX_EPOCH) {
            Ok(since) => {
                let (type_name, head) = (std::any::type_name::<Self>(), "std::ops::Add::add");
                writer.built(type_name, head, "");
                writer.built(type_name, "", "std::time::UNIX_EPOCH");
                writer.end();
                since.capture(writer);
                writer.end();
            }
            Err(_) => writer.opaque(std::any::type_name::<Self>(), "before 1970"),
        }
    }
}

macro_rules! parsed {
    ($($address:ty),* $(,)?) => {$(
        impl Capture for $address {
            fn capture(&self, writer: &mut Writer) {
                writer.parsed(std::any::type_name::<Self>(), &self.to_string());
            }
        }
    )*};
}

parsed!(
    IpAddr,
    Ipv4Addr,
    Ipv6Addr,
    SocketAddr,
    SocketAddrV4,
    SocketAddrV6
);

impl<T: Capture> Capture for std::ops::Range<T> {
    fn capture(&self, writer: &mut Writer) {
        range(
            writer,
            "std::ops::Range",
            &[("start", &self.start), ("end", &self.end)],
        );
    }
}

impl<T: Capture> Capture for std::ops::RangeFrom<T> {
    fn capture(&self, writer: &mut Writer) {
        range(writer, "std::ops::RangeFrom", &[("start", &self.start)]);
    }
}

impl<T: Capture> Capture for std::ops::RangeTo<T> {
    fn capture(&self, writer: &mut Writer) {
        range(writer, "std::ops::RangeTo", &[("end", &self.end)]);
    }
}

impl<T: Capture> Capture for std::ops::RangeToInclusive<T> {
    fn capture(&self, writer: &mut Writer) {
        range(writer, "std::ops::RangeToInclusive", &[("end", &self.end)]);
    }
}

impl Capture for std::ops::RangeFull {
    fn capture(&self, writer: &mut Writer) {
        writer.built(std::any::type_name::<Self>(), "", "std::ops::RangeFull");
        writer.end();
    }
}

fn range(writer: &mut Writer, type_name: &'static str, ends: &[(&'static str, &dyn Capture)]) {
    writer.structure(type_name, "", Shape::Named);
    for (name, end) in ends {
        writer.field(name);
        (**end).capture(writer);
    }
    writer.end();
}

impl<T: Capture + Clone + PartialEq> Capture for std::ops::RangeInclusive<T> {
    fn capture(&self, writer: &mut Writer) {
        let type_name = std::any::type_name::<Self>();
        let is_fresh = foreign::run(type_name, Purpose::Rebuild, || {
            *self == std::ops::RangeInclusive::new(self.start().clone(), self.end().clone())
        });
        match is_fresh {
            Ok(true) => {}
            Ok(false) => {
                return writer.opaque(type_name, "an inclusive range that was iterated to its end");
            }
            Err(declined) => return writer.opaque(type_name, declined.reason()),
        }
        writer.built(type_name, "std::ops::RangeInclusive::new", "");
        self.start().capture(writer);
        self.end().capture(writer);
        writer.end();
    }
}
