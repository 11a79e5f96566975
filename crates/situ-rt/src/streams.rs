//! Streams: what a function reads from or writes to, where all that it knows of it is that it can be read or written. What
//! passes through is kept with the record of the function, whoever it hands the stream on to.
//!
//! Each stream is one type, whatever is behind it: a function that hands its stream on to itself would otherwise ask the
//! compiler for streams in streams without end.

use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex};

use crate::capture::Capture;
use crate::probe::Guard;
use crate::value::SeqKind;
use crate::{Writer, secret::Secrecy};

/// What passed through a stream; nothing is kept where the call is not recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passed(Option<Arc<Mutex<Kept>>>);

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    most: usize,
    /// Not everything is known: there was more, or an error.
    is_lost: bool,
}

impl Passed {
    /// Keeps so many bytes at most.
    pub(crate) fn keeping(most: usize) -> Passed {
        Passed(Some(Arc::new(Mutex::new(Kept { most, ..Kept::default() }))))
    }

    fn kept(&self, change: impl FnOnce(&mut Kept)) {
        if let Some(mut kept) = self.0.as_ref().and_then(|kept| kept.lock().ok()) {
            change(&mut kept);
        }
    }

    fn add(&self, bytes: &[u8]) {
        self.kept(|kept| {
            kept.is_lost |= kept.bytes.len() + bytes.len() > kept.most;
            if !kept.is_lost {
                kept.bytes.extend_from_slice(bytes);
            }
        });
    }

    fn seen<T, E>(&self, result: Result<T, E>) -> Result<T, E> {
        if result.is_err() {
            self.kept(|kept| kept.is_lost = true);
        }
        result
    }

    /// Writes what passed as the value of a slot, if all of it is known: as text where it is some.
    pub(crate) fn put(&self, slot: u32, writer: &mut Writer) {
        self.kept(|kept| {
            if kept.is_lost {
                return;
            }
            writer.start_value(slot, Secrecy::None);
            match std::str::from_utf8(&kept.bytes) {
                Ok(text) => writer.str(text),
                Err(_) => {
                    writer.seq(SeqKind::Slice, "[u8]");
                    writer.byte_items(&kept.bytes);
                    writer.end();
                }
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
            /// Watches a stream for a slot of a function's record.
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
    /// What is read.
    BytesRead: Read;
    /// What is read by lines.
    LinesRead: BufRead;
    /// What bytes are written to.
    BytesWritten: Write;
    /// What text is written to.
    TextWritten: fmt::Write;
}

impl Read for BytesRead<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.passed.seen(self.inner.read(buffer))?;
        self.passed.add(&buffer[..count]);
        Ok(count)
    }
}

impl Read for LinesRead<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.passed.seen(self.inner.read(buffer))?;
        self.passed.add(&buffer[..count]);
        Ok(count)
    }
}

impl BufRead for LinesRead<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.passed.seen(self.inner.fill_buf())
    }

    fn consume(&mut self, amount: usize) {
        // What is there is given again, without reading.
        if let Ok(bytes) = self.inner.fill_buf().map(|bytes| &bytes[..amount.min(bytes.len())]) {
            self.passed.add(bytes);
        }
        self.inner.consume(amount);
    }
}

impl Write for BytesWritten<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.passed.seen(self.inner.write(bytes))?;
        self.passed.add(&bytes[..count]);
        Ok(count)
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(passed: &Passed) -> Option<Vec<u8>> {
        let mut found = None;
        passed.kept(|kept| found = (!kept.is_lost).then(|| kept.bytes.clone()));
        found
    }

    #[test]
    fn what_passes_is_kept_up_to_a_bound() {
        let (mut target, passed) = (Vec::new(), Passed::keeping(5));
        let mut out = BytesWritten { inner: &mut target, passed: passed.clone() };
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
        let mut lines = LinesRead { inner: &mut source, passed: passed.clone() };
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        assert_eq!((line.as_str(), kept(&passed).unwrap()), ("one\n", b"one\n".to_vec()));
        let mut two = [0; 3];
        lines.read_exact(&mut two).unwrap();
        assert_eq!(kept(&passed).unwrap(), b"one\ntwo");
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
        assert!(BytesRead { inner: &mut broken, passed: passed.clone() }.read(&mut [0]).is_err());
        assert_eq!(kept(&passed), None);
    }
}
