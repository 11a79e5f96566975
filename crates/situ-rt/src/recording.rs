//! The recording format: one append-only file a process, each record with its length and checksum, and its reader.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::bytes::{Malformed, Reader, checksum, put_number, put_text};
use crate::value::{Value, decode};

/// First bytes of every recording.
pub const MAGIC: &[u8; 8] = b"SITUREC\n";
/// The version of the format that is written, and the newest that is read.
pub const VERSION: u32 = 2;
/// How the names of recordings end.
pub const EXTENSION: &str = "siturec";

const SITE: u8 = 1;
const VALUES: u8 = 2;

/// What a recording starts with.
pub fn header() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes
}

/// A payload with its length and checksum.
pub fn frame(payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(payload.len() + 12);
    bytes.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&checksum(payload).to_le_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

/// How a statement or function was left.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exit {
    /// It ran to its end.
    Through,
    /// `return`, `?`, `break` or `continue`, or a task that was dropped.
    Left,
    /// A panic, with its message where it is known.
    Panic(String),
}

/// The way by which a statement was left before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// `return`.
    Return,
    /// `?`.
    Question,
    /// `break`, of a loop or labelled block around the statement.
    Break,
    /// `continue`, of a loop around it.
    Continue,
}

/// All ways, in the order of their codes in a recording.
pub const WAYS: [Way; 4] = [Way::Return, Way::Question, Way::Break, Way::Continue];

/// How a statement was left before its end, where its own source shows the exit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leaving {
    /// The way.
    pub way: Way,
    /// The label of the loop or block, without its quote; empty where the source has none.
    pub label: String,
}

/// A call of a function outside the workspace, made by a function or statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingCall {
    /// The site of the call.
    pub site: u64,
    /// Whether it came back.
    pub exit: Exit,
    /// Values withheld in it.
    pub withheld: u64,
    /// Receiver, arguments and result, by the number of what was captured.
    pub slots: Vec<(u32, Value)>,
}

/// One unique set of values at a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueSet {
    /// The site's identity.
    pub site: u64,
    /// How often the site had been hit by this process.
    pub hits: u64,
    /// How it was left.
    pub exit: Exit,
    /// By which way, where it was left early by an exit in its own source.
    pub left: Option<Leaving>,
    /// The name of the thread, which for a test is its path.
    pub thread: String,
    /// The site of the function that called this one; zero where none is known.
    pub caller: u64,
    /// Values withheld in this set.
    pub withheld: u64,
    /// The values, by the number of what was captured.
    pub slots: Vec<(u32, Value)>,
    /// Branches taken in the statement.
    pub target: Vec<u32>,
    /// Branches taken in the statement and the rest of its block.
    pub context: Vec<u32>,
    /// The calls that it made of functions outside the workspace, in the order in which they came back.
    pub calls: Vec<OutgoingCall>,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A site that was reached, with its description.
    Site {
        /// The site's identity.
        id: u64,
        /// What it is, in the words of the instrumentation.
        description: String,
    },
    /// A unique set of values.
    Values(ValueSet),
}

/// Everything that could be read of one file.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The records, in the order in which they were written.
    pub records: Vec<Record>,
    /// Bytes at the end that belong to no whole record.
    pub torn_bytes: u64,
}

/// Why a file cannot be read at all.
#[derive(Debug)]
pub enum Unreadable {
    /// The file cannot be opened.
    Io(PathBuf, std::io::Error),
    /// It is not a recording.
    NotARecording(PathBuf),
    /// A newer version of Situ wrote it.
    Newer(PathBuf, u32),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Io(path, error) => write!(f, "cannot read the recording {}: {error}", path.display()),
            Unreadable::NotARecording(path) => write!(f, "{} is not a recording of Situ", path.display()),
            Unreadable::Newer(path, version) => write!(
                f,
                "{} was written by a newer Situ (format {version}; this one reads up to {VERSION}): update cargo-situ, \
                 or record again",
                path.display()
            ),
        }
    }
}

impl std::error::Error for Unreadable {}

/// Reads a recording; a torn tail is skipped and counted.
pub fn read(path: &Path) -> Result<Contents, Unreadable> {
    let bytes = std::fs::read(path).map_err(|error| Unreadable::Io(path.to_owned(), error))?;
    let header_length = MAGIC.len() + 4;
    if bytes.len() < header_length && header().starts_with(&bytes) {
        return Ok(Contents { records: Vec::new(), torn_bytes: bytes.len() as u64 });
    }
    let Some(version) = bytes.strip_prefix(MAGIC).and_then(|rest| rest.first_chunk::<4>()) else {
        return Err(Unreadable::NotARecording(path.to_owned()));
    };
    match u32::from_le_bytes(*version) {
        version if version > VERSION => Err(Unreadable::Newer(path.to_owned(), version)),
        _ => Ok(read_records(&bytes[header_length..])),
    }
}

fn read_records(mut bytes: &[u8]) -> Contents {
    let mut contents = Contents::default();
    while let Some((payload, rest)) = next_payload(bytes) {
        match decode_record(payload) {
            Ok(record) => contents.records.push(record),
            Err(Malformed) => contents.torn_bytes += payload.len() as u64,
        }
        bytes = rest;
    }
    contents.torn_bytes += bytes.len() as u64;
    contents
}

fn next_payload(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (sum, rest) = rest.split_first_chunk::<8>()?;
    let length = u32::from_le_bytes(*length) as usize;
    let payload = rest.get(..length)?;
    (checksum(payload) == u64::from_le_bytes(*sum)).then(|| (payload, &rest[length..]))
}

/// The payload that says that a site was reached.
pub fn encode_site(id: u64, description: &str) -> Vec<u8> {
    let mut payload = vec![SITE];
    payload.extend_from_slice(&id.to_le_bytes());
    put_text(&mut payload, description);
    payload
}

/// What goes into the payload of a value set, its values already written.
#[derive(Debug)]
pub struct Encoded<'p> {
    /// The site's identity.
    pub site: u64,
    /// How often it was hit.
    pub hits: u64,
    /// The name of the thread.
    pub thread: &'p str,
    /// The function that called.
    pub caller: u64,
    /// Values withheld.
    pub withheld: u64,
    /// Everything that makes the set unique: exit, names, values, branches.
    pub unique: &'p [u8],
}

/// The payload of a value set.
pub fn encode_values(set: &Encoded<'_>) -> Vec<u8> {
    let mut payload = vec![VALUES];
    payload.extend_from_slice(&set.site.to_le_bytes());
    put_number(&mut payload, u128::from(set.hits));
    put_text(&mut payload, set.thread);
    payload.extend_from_slice(&set.caller.to_le_bytes());
    put_number(&mut payload, u128::from(set.withheld));
    payload.extend_from_slice(set.unique);
    payload
}

/// What makes a value set unique.
#[derive(Debug)]
pub struct Unique<'u> {
    /// How the site was left.
    pub exit: &'u Exit,
    /// By which way, with its label.
    pub left: Option<(Way, &'static str)>,
    /// Its values.
    pub writer: &'u crate::Writer,
    /// Branches taken in the statement.
    pub target: &'u [u32],
    /// Branches taken in the rest of its block too.
    pub context: &'u [u32],
    /// Its outgoing calls, each encoded.
    pub calls: &'u [Vec<u8>],
}

/// The part of a value set that makes it unique.
pub fn encode_unique(set: &Unique<'_>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(set.writer.bytes().len() + 64);
    put_exit(&mut bytes, set.exit, set.left);
    put_values(&mut bytes, set.writer);
    for marks in [set.target, set.context] {
        put_number(&mut bytes, marks.len() as u128);
        marks.iter().for_each(|mark| bytes.extend_from_slice(&mark.to_le_bytes()));
    }
    put_number(&mut bytes, set.calls.len() as u128);
    set.calls.iter().for_each(|call| bytes.extend_from_slice(call));
    bytes
}

/// An outgoing call as a part of the value sets of those who made it.
pub fn encode_call(site: u64, exit: &Exit, writer: &crate::Writer) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(writer.bytes().len() + 32);
    bytes.extend_from_slice(&site.to_le_bytes());
    put_exit(&mut bytes, exit, None);
    put_number(&mut bytes, u128::from(writer.withheld()));
    put_values(&mut bytes, writer);
    bytes
}

fn put_exit(bytes: &mut Vec<u8>, exit: &Exit, left: Option<(Way, &str)>) {
    match (exit, left) {
        (Exit::Through, _) => bytes.push(0),
        (Exit::Left, None) => bytes.push(1),
        (Exit::Panic(message), _) => {
            bytes.push(2);
            put_text(bytes, message);
        }
        (Exit::Left, Some((way, label))) => {
            bytes.push(FIRST_WAY + way as u8);
            put_text(bytes, label);
        }
    }
}

/// The code of an exit by the first of the known ways.
const FIRST_WAY: u8 = 3;

fn put_values(bytes: &mut Vec<u8>, writer: &crate::Writer) {
    writer.put_names(bytes);
    put_number(bytes, writer.bytes().len() as u128);
    bytes.extend_from_slice(writer.bytes());
}

fn decode_record(payload: &[u8]) -> Result<Record, Malformed> {
    let mut reader = Reader::new(payload);
    match reader.byte()? {
        SITE => Ok(Record::Site { id: reader.fixed64()?, description: reader.text()?.to_owned() }),
        VALUES => decode_values(&mut reader).map(Record::Values),
        _ => Err(Malformed),
    }
}

fn decode_values(reader: &mut Reader<'_>) -> Result<ValueSet, Malformed> {
    let site = reader.fixed64()?;
    let hits = reader.length()? as u64;
    let thread = reader.text()?.to_owned();
    let caller = reader.fixed64()?;
    let withheld = reader.length()? as u64;
    let (exit, left) = decode_exit(reader)?;
    let slots = decode_slots(reader)?;
    let target = decode_marks(reader)?;
    let context = decode_marks(reader)?;
    // The first version of the format ends here.
    let count = if reader.is_empty() { 0 } else { reader.length()? };
    let calls = (0..count).map(|_| decode_call(reader)).collect::<Result<_, _>>()?;
    Ok(ValueSet { site, hits, exit, left, thread, caller, withheld, slots, target, context, calls })
}

fn decode_call(reader: &mut Reader<'_>) -> Result<OutgoingCall, Malformed> {
    let site = reader.fixed64()?;
    let (exit, _) = decode_exit(reader)?;
    let withheld = reader.length()? as u64;
    Ok(OutgoingCall { site, exit, withheld, slots: decode_slots(reader)? })
}

fn decode_exit(reader: &mut Reader<'_>) -> Result<(Exit, Option<Leaving>), Malformed> {
    Ok(match reader.byte()? {
        0 => (Exit::Through, None),
        1 => (Exit::Left, None),
        2 => (Exit::Panic(reader.text()?.to_owned()), None),
        code => {
            let way = *WAYS.get(usize::from(code.wrapping_sub(FIRST_WAY))).ok_or(Malformed)?;
            (Exit::Left, Some(Leaving { way, label: reader.text()?.to_owned() }))
        }
    })
}

fn decode_slots(reader: &mut Reader<'_>) -> Result<Vec<(u32, Value)>, Malformed> {
    let names = (0..reader.length()?).map(|_| reader.text().map(str::to_owned)).collect::<Result<Vec<_>, _>>()?;
    let mut values = Reader::new(reader.bytes()?);
    let mut slots = Vec::new();
    while !values.is_empty() {
        slots.push((values.length()? as u32, decode(&mut values, &names)?));
    }
    Ok(slots)
}

fn decode_marks(reader: &mut Reader<'_>) -> Result<Vec<u32>, Malformed> {
    (0..reader.length()?).map(|_| reader.fixed32()).collect()
}

// Only the command changes recordings.
#[cfg(not(situ_recorded))]
pub mod rewrite;

#[cfg(test)]
mod tests;
