//! Streams: readers and writers that a function knows by a trait only. What passes through is
//! recorded with the function or statement, even if it passes the stream on.
//!
//! Each stream wrapper is one type, whatever it wraps: a recursive function that passes its stream
//! on would otherwise make the compiler instantiate wrappers of wrappers without end. Every method
//! is forwarded to the same method of the wrapped stream, so that a program reads and writes the
//! same bytes in the same steps as without the recorder.

mod formatter;

pub use formatter::FormatterWritten;

use std::fmt;
use std::io::{self, BufRead, IoSlice, IoSliceMut, Read, Write};
use std::sync::{Arc, Mutex};

use crate::capture::Capture;
use crate::probe::Guard;
use crate::reentrancy::{is_disabled, unrecorded};
use crate::value::{FORMATTER, SeqKind};
use crate::{Writer, secret::Secrecy};

/// The value that replaces a statement's stream in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandIn {
    /// A slice of the bytes that were read.
    Bytes,
    /// A `Vec` that bytes are written to.
    List,
    /// A `String` that is written to.
    Text,
    /// A `BufReader` of the bytes that were read; its remaining content cannot be compared.
    Buffered,
    /// A format string, from which a test constructs a formatter to compare the written string.
    Formatter,
}

/// What passed through a stream; empty if the call is not recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passed(Option<Arc<Mutex<Kept>>>);

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    /// Bytes that were peeked at but not consumed.
    ahead: Vec<u8>,
    most: usize,
    /// Whether something is missing: there was too much, or an error.
    is_lost: bool,
    /// The replacement of the stream in a test, and whether it is borrowed.
    stand_in: Option<(StandIn, bool)>,
    /// The format string of a formatter.
    format: String,
}

impl Kept {
    /// Adds consumed bytes and removes them from the peeked ones.
    fn add(&mut self, bytes: &[u8]) {
        self.is_lost |= self.bytes.len() + bytes.len() > self.most;
        if !self.is_lost {
            self.bytes.extend_from_slice(bytes);
            self.ahead.drain(..bytes.len().min(self.ahead.len()));
        }
    }

    /// Writes the consumed bytes, as a string if they are UTF-8.
    fn put_taken(&self, writer: &mut Writer) {
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => writer.str(text),
            Err(_) => put_list(SeqKind::Slice, "[u8]", &self.bytes, writer),
        }
    }

    /// Writes the format string, and what was written.
    fn put_formatted(&self, writer: &mut Writer) {
        writer.tuple();
        writer.built(FORMATTER, "", "");
        writer.reference(false);
        writer.str(&self.format);
        writer.end();
        writer.reference(false);
        writer.str(&String::from_utf8_lossy(&self.bytes));
        writer.end();
    }

    /// Writes the stream that a test supplies, and its final state if that can be compared.
    fn put_ends(&self, (stand_in, is_borrowed): (StandIn, bool), writer: &mut Writer) {
        let whole = [&self.bytes[..], &self.ahead[..]].concat();
        let (given, left) = match stand_in {
            StandIn::Bytes => (&whole[..], Some(&self.ahead[..])),
            StandIn::Buffered => (&whole[..], None),
            StandIn::List | StandIn::Text => (&[][..], Some(&self.bytes[..])),
            StandIn::Formatter => return self.put_formatted(writer),
        };
        writer.tuple();
        for bytes in [Some(given), left].into_iter().flatten() {
            if is_borrowed {
                writer.reference(true);
            }
            match stand_in {
                StandIn::Bytes => {
                    writer.reference(false);
                    put_list(SeqKind::Slice, "[u8]", bytes, writer);
                }
                StandIn::List => put_list(SeqKind::Vec, "alloc::vec::Vec<u8>", bytes, writer),
                StandIn::Buffered => {
                    writer.built(
                        "std::io::buffered::bufreader::BufReader<&[u8]>",
                        "std::io::BufReader::new",
                        "",
                    );
                    writer.reference(false);
                    put_list(SeqKind::Slice, "[u8]", bytes, writer);
                    writer.end();
                }
                StandIn::Text | StandIn::Formatter => {
                    String::from_utf8_lossy(bytes).into_owned().capture(writer)
                }
            }
        }
        writer.end();
    }
}

fn put_list(kind: SeqKind, type_name: &'static str, bytes: &[u8], writer: &mut Writer) {
    writer.seq(kind, type_name);
    writer.byte_items(bytes);
    writer.end();
}

impl Passed {
    /// Creates a log of at most `most` bytes.
    pub(crate) fn keeping(most: usize) -> Passed {
        Passed(Some(Arc::new(Mutex::new(Kept {
            most,
            ..Kept::default()
        }))))
    }

    /// Sets the replacement of the stream in tests of the recorded statement.
    pub(crate) fn stood_for_by(&self, stand_in: StandIn, is_borrowed: bool) {
        self.kept(|kept| kept.stand_in = Some((stand_in, is_borrowed)));
    }

    /// Sets the format of the recorded formatter.
    pub(crate) fn formatted_as(&self, format: String) {
        self.kept(|kept| kept.format = format);
    }

    /// Returns whether passing bytes are logged.
    fn is_watched(&self) -> bool {
        self.0.is_some()
    }

    /// Notes that the log is incomplete.
    fn lose(&self) {
        self.kept(|kept| kept.is_lost = true);
    }

    fn kept(&self, change: impl FnOnce(&mut Kept)) {
        let Some(kept) = self.0.as_ref().filter(|_| !is_disabled()) else {
            return;
        };
        let _inside = unrecorded();
        if let Ok(mut kept) = kept.lock() {
            change(&mut kept);
        }
    }

    fn add(&self, bytes: &[u8]) {
        self.kept(|kept| kept.add(bytes));
    }

    fn seen<T, E>(&self, result: Result<T, E>) -> Result<T, E> {
        if result.is_err() {
            self.lose();
        }
        result
    }

    /// Logs bytes that are peeked at.
    fn look_ahead(&self, bytes: &[u8]) {
        self.kept(|kept| {
            kept.is_lost |= kept.bytes.len() + bytes.len() > kept.most;
            if !kept.is_lost {
                kept.ahead = bytes.to_vec();
            }
        });
    }

    /// Consumes so many of the peeked bytes; bytes that were never peeked at make the log
    /// incomplete.
    fn consume(&self, amount: usize) {
        self.kept(|kept| match kept.ahead.get(..amount).map(<[u8]>::to_vec) {
            Some(bytes) => kept.add(&bytes),
            None => kept.is_lost = true,
        });
    }

    /// Logs the first `count` bytes of several parts.
    fn add_parts<'p>(&self, parts: impl Iterator<Item = &'p [u8]>, mut count: usize) {
        for part in parts {
            let taken = count.min(part.len());
            self.add(&part[..taken]);
            count -= taken;
        }
    }

    /// Writes the log as the value of a slot, if it is complete.
    pub(crate) fn put(&self, slot: u32, writer: &mut Writer) {
        self.kept(|kept| {
            if kept.is_lost {
                return;
            }
            writer.start_value(slot, Secrecy::None);
            match kept.stand_in {
                Some(ends) => kept.put_ends(ends, writer),
                None => kept.put_taken(writer),
            }
            writer.end_value();
        });
    }
}

macro_rules! streams {
    ($($(#[$meaning:meta])* $name:ident: $bound:path;)*) => {$(
        $(#[$meaning])*
        pub struct $name<'s> {
            inner: &'s mut dyn $bound,
            passed: Passed,
        }

        impl<'s> $name<'s> {
            /// Wraps a stream and logs it for a slot of a record.
            pub fn new(guard: &mut Guard, slot: u32, inner: &'s mut dyn $bound) -> Self {
                $name { inner, passed: guard.passing(slot) }
            }
        }

        impl Capture for $name<'_> {
            fn capture(&self, writer: &mut Writer) {
                writer.opaque(std::any::type_name::<Self>(), "a stream");
            }
        }

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(stringify!($name))
            }
        }
    )*};
}

streams! {
    /// A logged reader.
    BytesRead: Read;
    /// A logged buffered reader.
    LinesRead: BufRead;
    /// A logged writer of bytes.
    BytesWritten: Write;
    /// A logged writer of strings.
    TextWritten: fmt::Write;
}

macro_rules! reading {
    ($($name:ident)*) => {$(
        impl Read for $name<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let count = self.passed.seen(self.inner.read(buffer))?;
                self.passed.add(&buffer[..count]);
                Ok(count)
            }

            fn read_vectored(&mut self, buffers: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
                let count = self.passed.seen(self.inner.read_vectored(buffers))?;
                self.passed.add_parts(buffers.iter().map(|buffer| &buffer[..]), count);
                Ok(count)
            }

            fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
                let start = buffer.len();
                let count = self.passed.seen(self.inner.read_to_end(buffer))?;
                self.passed.add(&buffer[start..]);
                Ok(count)
            }

            fn read_to_string(&mut self, buffer: &mut String) -> io::Result<usize> {
                let start = buffer.len();
                let count = self.passed.seen(self.inner.read_to_string(buffer))?;
                self.passed.add(&buffer.as_bytes()[start..]);
                Ok(count)
            }

            fn read_exact(&mut self, buffer: &mut [u8]) -> io::Result<()> {
                self.passed.seen(self.inner.read_exact(buffer))?;
                self.passed.add(buffer);
                Ok(())
            }
        }
    )*};
}

reading! { BytesRead LinesRead }

impl BufRead for LinesRead<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let bytes = self.passed.seen(self.inner.fill_buf())?;
        self.passed.look_ahead(bytes);
        Ok(bytes)
    }

    fn consume(&mut self, amount: usize) {
        self.passed.consume(amount);
        self.inner.consume(amount);
    }

    fn read_until(&mut self, byte: u8, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let start = buffer.len();
        let count = self.passed.seen(self.inner.read_until(byte, buffer))?;
        self.passed.add(&buffer[start..]);
        Ok(count)
    }

    fn read_line(&mut self, buffer: &mut String) -> io::Result<usize> {
        let start = buffer.len();
        let count = self.passed.seen(self.inner.read_line(buffer))?;
        self.passed.add(&buffer.as_bytes()[start..]);
        Ok(count)
    }
}

impl Write for BytesWritten<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.passed.seen(self.inner.write(bytes))?;
        self.passed.add(&bytes[..count]);
        Ok(count)
    }

    fn write_vectored(&mut self, buffers: &[IoSlice<'_>]) -> io::Result<usize> {
        let count = self.passed.seen(self.inner.write_vectored(buffers))?;
        self.passed
            .add_parts(buffers.iter().map(|buffer| &buffer[..]), count);
        Ok(count)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.passed.seen(self.inner.write_all(bytes))?;
        self.passed.add(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.passed.seen(self.inner.flush())
    }
}

impl fmt::Write for TextWritten<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.passed.seen(self.inner.write_str(text))?;
        self.passed.add(text.as_bytes());
        Ok(())
    }

    fn write_char(&mut self, letter: char) -> fmt::Result {
        self.passed.seen(self.inner.write_char(letter))?;
        self.passed.add(letter.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::tests::decoded;
    use crate::value::Value;

    fn kept(passed: &Passed) -> Option<Vec<u8>> {
        let mut found = None;
        passed.kept(|kept| found = (!kept.is_lost).then(|| kept.bytes.clone()));
        found
    }

    #[test]
    fn what_passes_is_kept_up_to_a_bound() {
        let (mut target, passed) = (Vec::new(), Passed::keeping(5));
        let mut out = BytesWritten {
            inner: &mut target,
            passed: passed.clone(),
        };
        write!(out, "{}-{}", 1, 2).unwrap();
        assert_eq!(kept(&passed).unwrap(), b"1-2");
        out.write_all(b"345").unwrap();
        assert_eq!(kept(&passed), None, "there was more");
        assert_eq!(target, b"1-2345", "and all of it got through");
    }

    #[test]
    fn of_a_reader_is_kept_what_was_taken_and_not_what_lay_ready() {
        let mut source = &b"one\ntwo\nthree"[..];
        let passed = Passed::keeping(100);
        let mut lines = LinesRead {
            inner: &mut source,
            passed: passed.clone(),
        };
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        assert_eq!(
            (line.as_str(), kept(&passed).unwrap()),
            ("one\n", b"one\n".to_vec())
        );
        let mut two = [0; 3];
        lines.read_exact(&mut two).unwrap();
        assert_eq!(kept(&passed).unwrap(), b"one\ntwo");
    }

    #[test]
    fn what_is_looked_at_is_kept_beside_what_is_taken() {
        let mut source = &b"one two"[..];
        let passed = Passed::keeping(100);
        let mut lines = LinesRead {
            inner: &mut source,
            passed: passed.clone(),
        };
        assert_eq!(lines.fill_buf().unwrap(), b"one two");
        lines.consume(4);
        let mut ahead = Vec::new();
        passed.kept(|kept| ahead = kept.ahead.clone());
        assert_eq!(
            (kept(&passed).unwrap(), ahead),
            (b"one ".to_vec(), b"two".to_vec())
        );
        passed.kept(|kept| kept.ahead.clear());
        lines.consume(1);
        assert_eq!(kept(&passed), None, "nobody has seen what was taken");
        assert_eq!(source, b"wo");
    }

    /// A stream that takes three bytes at a time and logs which method was called.
    #[derive(Default)]
    struct Narrow {
        bytes: Vec<u8>,
        calls: Vec<&'static str>,
    }

    impl Write for Narrow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.calls.push("write");
            let count = bytes.len().min(3);
            self.bytes.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.calls.push("write_all");
            self.bytes.extend_from_slice(bytes);
            Ok(())
        }

        fn flush(&mut self) -> io::Result<()> {
            self.calls.push("flush");
            Err(io::Error::other("no"))
        }
    }

    #[test]
    fn what_is_behind_a_stream_is_asked_in_the_same_words() {
        let (mut narrow, passed) = (Narrow::default(), Passed::keeping(100));
        let mut out = BytesWritten {
            inner: &mut narrow,
            passed: passed.clone(),
        };
        assert_eq!(
            out.write(b"abcde").unwrap(),
            3,
            "a part, as without the recorder"
        );
        out.write_all(b"fghij").unwrap();
        assert_eq!(kept(&passed).unwrap(), b"abcfghij");
        assert_eq!(out.flush().unwrap_err().to_string(), "no");
        assert_eq!(kept(&passed), None, "no stand-in would fail");
        assert_eq!(
            (&narrow.bytes[..], &narrow.calls[..]),
            (&b"abcfghij"[..], &["write", "write_all", "flush"][..])
        );
    }

    fn ends(stand_in: StandIn, is_borrowed: bool, fill: impl FnOnce(&Passed)) -> Value {
        let passed = Passed::keeping(100);
        passed.stood_for_by(stand_in, is_borrowed);
        fill(&passed);
        let mut writer = Writer::new(1000);
        passed.put(0, &mut writer);
        decoded(&writer)
    }

    fn list(kind: SeqKind, type_name: &str, bytes: &[u8]) -> Value {
        let items = bytes
            .iter()
            .map(|byte| Value::Int {
                type_name: "u8",
                bits: (*byte).into(),
            })
            .collect();
        Value::Seq {
            kind,
            type_name: type_name.to_owned(),
            items,
        }
    }

    fn borrowed(mutable: bool, inner: Value) -> Value {
        Value::Ref {
            mutable,
            inner: Box::new(inner),
        }
    }

    #[test]
    fn a_statement_tells_what_stands_for_its_stream_before_and_after_it() {
        let written = ends(StandIn::List, true, |passed| passed.add(b"a\xff"));
        let of = |bytes: &[u8]| borrowed(true, list(SeqKind::Vec, "alloc::vec::Vec<u8>", bytes));
        assert_eq!(written, Value::Tuple(vec![of(b""), of(b"a\xff")]));
        let read = ends(StandIn::Bytes, false, |passed| {
            passed.look_ahead(b"abc");
            passed.consume(1);
        });
        let of = |bytes: &[u8]| borrowed(false, list(SeqKind::Slice, "[u8]", bytes));
        assert_eq!(read, Value::Tuple(vec![of(b"abc"), of(b"bc")]));
    }

    #[test]
    fn after_an_error_nothing_is_known() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let passed = Passed::keeping(100);
        let mut broken = Broken;
        assert!(
            BytesRead {
                inner: &mut broken,
                passed: passed.clone()
            }
            .read(&mut [0])
            .is_err()
        );
        assert_eq!(kept(&passed), None);
    }
}
