//! A reader of recordings that may be incomplete, damaged, or written by somebody else.

use std::cmp::min;
use std::fmt;
use std::fs::{self, File};
use std::io::Read as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{
    Exit, FIRST_WAY, Leaving, MAGIC, OutgoingCall, Record, SITE, VALUES, VERSION, ValueSet, WAYS,
    header,
};
use crate::bytes::{Malformed, Reader, checksum};
use crate::decode::{Budget, Name, decode};
use crate::rust_names::is_identifier;
use crate::value::Value;

/// The size of the length and checksum before a record.
const FRAME: usize = 12;

/// The maximum size of a file, in bytes; recorders stop long before.
const MAX_FILE: u64 = 1 << 31;

/// The memory limit for the values of one record, in bytes.
const MAX_RECORD_MEMORY: usize = 1 << 28;

/// The maximum size of a record that is searched for after a damaged one, in bytes.
const MAX_FOUND_RECORD: usize = 1 << 24;

/// The readable content of one file.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The records, in the order in which they were written.
    pub records: Vec<Record>,
    /// The number of bytes at the end that form no whole record, because the process was killed
    /// while it wrote.
    pub torn_bytes: u64,
    /// The damaged parts before the end.
    pub damaged: Vec<Damage>,
    /// The number of values in whole records that no recorder writes.
    pub refused_values: u64,
}

/// Bytes of a file that are no record although records follow, or a record that cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The offset of the first byte.
    pub at: u64,
    /// The number of bytes.
    pub bytes: u64,
}

/// The reason why a file cannot be read at all.
#[derive(Debug)]
pub enum Unreadable {
    /// The file cannot be opened.
    Io(PathBuf, std::io::Error),
    /// It is not a recording.
    NotARecording(PathBuf),
    /// A newer version of Situ wrote it.
    Newer(PathBuf, u32),
    /// It is larger than any recorder writes.
    TooLarge(PathBuf, u64),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Io(path, error) => {
                write!(f, "cannot read the recording {}: {error}", path.display())
            }
            Unreadable::NotARecording(path) => {
                write!(f, "{} is not a recording of Situ", path.display())
            }
            Unreadable::Newer(path, version) => write!(
                f,
                "{} was written by a newer Situ (format {version}; this one reads up to {VERSION}): update cargo-situ, \
                 or record again",
                path.display()
            ),
            Unreadable::TooLarge(path, bytes) => {
                write!(
                    f,
                    "{} is too large for a recording ({bytes} bytes): record less, or again",
                    path.display()
                )
            }
        }
    }
}

impl std::error::Error for Unreadable {}

/// Reads a recording. An incomplete tail is skipped and counted. A damaged record is skipped, and
/// reading continues at the next one.
pub fn read(path: &Path) -> Result<Contents, Unreadable> {
    from_bytes(&contents_of(path)?, path)
}

/// Reads the contents of a file.
pub(super) fn from_bytes(bytes: &[u8], path: &Path) -> Result<Contents, Unreadable> {
    let header_length = MAGIC.len() + 4;
    if bytes.len() < header_length && header().starts_with(bytes) {
        return Ok(Contents {
            torn_bytes: bytes.len() as u64,
            ..Contents::default()
        });
    }
    let Some(version) = bytes
        .strip_prefix(MAGIC)
        .and_then(|rest| rest.first_chunk::<4>())
    else {
        return Err(Unreadable::NotARecording(path.to_owned()));
    };
    match u32::from_le_bytes(*version) {
        0 => Err(Unreadable::NotARecording(path.to_owned())),
        version if version > VERSION => Err(Unreadable::Newer(path.to_owned(), version)),
        _ => Ok(Records::of(bytes).read()),
    }
}

/// Reads a regular file: a pipe would block its reader, a device has no end.
fn contents_of(path: &Path) -> Result<Vec<u8>, Unreadable> {
    let io = |error: std::io::Error| Unreadable::Io(path.to_owned(), error);
    let metadata = fs::metadata(path).map_err(io)?;
    if !metadata.is_file() {
        return Err(Unreadable::NotARecording(path.to_owned()));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes))
        .map_err(io)?;
    match bytes.len() as u64 > MAX_FILE {
        true => Err(Unreadable::TooLarge(path.to_owned(), metadata.len())),
        false => Ok(bytes),
    }
}

/// A part of a file.
pub(super) enum Part {
    /// The payload of a whole record.
    Record(Range<usize>),
    /// Bytes that are no record, with records behind them.
    Damaged(Range<usize>),
    /// Bytes at the end that form no whole record.
    Torn(Range<usize>),
}

/// An iterator over the parts of a file.
pub(super) struct Records<'b> {
    bytes: &'b [u8],
    at: usize,
    /// The number of bytes whose checksum the search may still calculate.
    effort: usize,
}

impl<'b> Records<'b> {
    /// Starts after the header.
    pub(super) fn of(bytes: &'b [u8]) -> Records<'b> {
        Records {
            bytes,
            at: MAGIC.len() + 4,
            effort: 16 * bytes.len() + (1 << 20),
        }
    }

    fn read(mut self) -> Contents {
        let mut contents = Contents::default();
        let mut memory = (1 << 30) + 8 * self.bytes.len();
        let damage = |start: usize, end: usize| Damage {
            at: start as u64,
            bytes: (end - start) as u64,
        };
        while let Some(part) = self.next() {
            let payload = match part {
                Part::Record(payload) => payload,
                Part::Damaged(bytes) => {
                    contents.damaged.push(damage(bytes.start, bytes.end));
                    continue;
                }
                Part::Torn(bytes) => {
                    contents.torn_bytes = bytes.len() as u64;
                    break;
                }
            };
            let budget = Budget::new(min(memory, MAX_RECORD_MEMORY));
            match decode_record(&self.bytes[payload.clone()], &budget) {
                Ok(record) => contents.records.push(record),
                Err(Malformed) => contents
                    .damaged
                    .push(damage(payload.start - FRAME, payload.end)),
            }
            memory -= min(memory, MAX_RECORD_MEMORY) - budget.left();
            contents.refused_values += budget.refused();
        }
        contents
    }

    /// Returns the payload of the record that begins here, if it is whole.
    fn payload_at(&self, at: usize) -> Option<Range<usize>> {
        let payload = self.frame_at(at)?;
        let sum = self.bytes[at + 4..].first_chunk::<8>()?;
        (checksum(&self.bytes[payload.clone()]) == u64::from_le_bytes(*sum)).then_some(payload)
    }

    /// Returns the payload's range according to the length, without checking it.
    fn frame_at(&self, at: usize) -> Option<Range<usize>> {
        let length = u32::from_le_bytes(*self.bytes.get(at..)?.first_chunk::<4>()?) as usize;
        let start = at + FRAME;
        let end = start.checked_add(length)?;
        (end <= self.bytes.len()).then_some(start..end)
    }

    /// Finds the next whole record after a damaged one: where its length says, otherwise at any
    /// offset.
    fn next_record(&mut self) -> Option<usize> {
        let by_length = self.frame_at(self.at).map(|payload| payload.end);
        if let Some(next) = by_length.filter(|next| self.payload_at(*next).is_some()) {
            return Some(next);
        }
        for at in self.at + 1..self.bytes.len().saturating_sub(FRAME) {
            let Some(payload) = self
                .frame_at(at)
                .filter(|payload| payload.len() <= MAX_FOUND_RECORD)
            else {
                continue;
            };
            let kind = self.bytes.get(payload.start);
            if payload.is_empty() || !kind.is_some_and(|kind| [SITE, VALUES].contains(kind)) {
                continue;
            }
            self.effort = self.effort.checked_sub(payload.len())?;
            if self.payload_at(at).is_some() {
                return Some(at);
            }
        }
        None
    }
}

impl Iterator for Records<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let start = self.at;
        if let Some(payload) = self.payload_at(start) {
            self.at = payload.end;
            return Some(Part::Record(payload));
        }
        match self.next_record() {
            Some(next) => {
                self.at = next;
                Some(Part::Damaged(start..next))
            }
            None => {
                self.at = self.bytes.len();
                Some(Part::Torn(start..self.at))
            }
        }
    }
}

/// Decodes one record within its memory limit.
#[cfg(not(situ_recorded))]
pub(super) fn decode_one(payload: &[u8]) -> Result<Record, Malformed> {
    decode_record(payload, &Budget::new(MAX_RECORD_MEMORY))
}

pub(super) fn decode_record(payload: &[u8], budget: &Budget) -> Result<Record, Malformed> {
    let mut reader = Reader::new(payload);
    match reader.byte()? {
        SITE => Ok(Record::Site {
            id: reader.fixed64()?,
            description: reader.text()?.to_owned(),
        }),
        VALUES => decode_values(&mut reader, budget).map(Record::Values),
        _ => Err(Malformed),
    }
}

fn decode_values(reader: &mut Reader<'_>, budget: &Budget) -> Result<ValueSet, Malformed> {
    let site = reader.fixed64()?;
    let hits = count(reader)?;
    let thread = reader.text()?.to_owned();
    let caller = reader.fixed64()?;
    let withheld = count(reader)?;
    let (exit, left) = decode_exit(reader)?;
    let slots = decode_slots(reader, budget)?;
    let target = decode_marks(reader)?;
    let context = decode_marks(reader)?;
    // Version 1 of the format ends here.
    let count = if reader.is_empty() {
        0
    } else {
        reader.length()?
    };
    let calls = (0..count)
        .map(|_| decode_call(reader, budget))
        .collect::<Result<_, _>>()?;
    Ok(ValueSet {
        site,
        hits,
        exit,
        left,
        thread,
        caller,
        withheld,
        slots,
        target,
        context,
        calls,
    })
}

/// Reads a count, limited to what no program exceeds, so that sums never overflow.
fn count(reader: &mut Reader<'_>) -> Result<u64, Malformed> {
    const MAX_COUNT: usize = 1 << 40;
    Ok(min(reader.length()?, MAX_COUNT) as u64)
}

fn decode_call(reader: &mut Reader<'_>, budget: &Budget) -> Result<OutgoingCall, Malformed> {
    let site = reader.fixed64()?;
    let (exit, _) = decode_exit(reader)?;
    let withheld = count(reader)?;
    Ok(OutgoingCall {
        site,
        exit,
        withheld,
        slots: decode_slots(reader, budget)?,
    })
}

fn decode_exit(reader: &mut Reader<'_>) -> Result<(Exit, Option<Leaving>), Malformed> {
    Ok(match reader.byte()? {
        0 => (Exit::Through, None),
        1 => (Exit::Left, None),
        2 => (Exit::Panic(reader.text()?.to_owned()), None),
        code => {
            let way = *WAYS
                .get(usize::from(code.wrapping_sub(FIRST_WAY)))
                .ok_or(Malformed)?;
            let label = reader.text()?.to_owned();
            if !label.is_empty() && !is_identifier(&label) {
                return Err(Malformed);
            }
            (Exit::Left, Some(Leaving { way, label }))
        }
    })
}

fn decode_slots(reader: &mut Reader<'_>, budget: &Budget) -> Result<Vec<(u32, Value)>, Malformed> {
    let names = (0..reader.length()?)
        .map(|_| reader.text().map(Name::new))
        .collect::<Result<Vec<_>, _>>()?;
    let mut values = Reader::new(reader.bytes()?);
    let mut slots = Vec::new();
    while !values.is_empty() {
        let slot = u32::try_from(values.length()?).map_err(|_| Malformed)?;
        slots.push((slot, decode(&mut values, &names, budget)?));
    }
    Ok(slots)
}

fn decode_marks(reader: &mut Reader<'_>) -> Result<Vec<u32>, Malformed> {
    (0..reader.length()?).map(|_| reader.fixed32()).collect()
}
