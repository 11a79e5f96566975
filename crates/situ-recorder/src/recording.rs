//! The recording format and its reader: one append-only file per process, each record with its
//! length and checksum.

#[cfg(not(situ_recorded))]
mod reader;

#[cfg(not(situ_recorded))]
pub use reader::{Contents, Damage, Unreadable, read};

use crate::bytes::{checksum, put_number, put_text};
use crate::value::Value;

/// The first bytes of every recording.
pub const MAGIC: &[u8; 8] = b"SITUREC\n";
/// The version of the format that is written, and the newest that can be read.
pub const VERSION: u32 = 2;
/// The extension of recordings.
pub const EXTENSION: &str = "siturec";

const SITE: u8 = 1;
const VALUES: u8 = 2;

/// Returns the header of a recording.
pub fn header() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes
}

/// Returns a payload preceded by its length and checksum.
pub fn frame(payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(payload.len() + 12);
    bytes.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&checksum(payload).to_le_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

/// How a statement or function ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exit {
    /// It reached its end.
    Through,
    /// It exited by `return`, `?`, `break` or `continue`, or its task was dropped.
    Left,
    /// It panicked, with the message if it is known.
    Panic(String),
}

/// The kind of an early exit.
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

/// All kinds of exits, in the order of their codes in a recording.
pub const WAYS: [Way; 4] = [Way::Return, Way::Question, Way::Break, Way::Continue];

/// An early exit that the statement's own source contains.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leaving {
    /// The kind of exit.
    pub way: Way,
    /// The label of the loop or block, without its quote; empty if the source has none.
    pub label: String,
}

/// A call of a function outside the workspace, made by a function or statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingCall {
    /// The site of the call.
    pub site: u64,
    /// How the call ended.
    pub exit: Exit,
    /// The number of withheld values in it.
    pub withheld: u64,
    /// Receiver, arguments and result, by slot number.
    pub slots: Vec<(u32, Value)>,
}

/// One unique set of values at a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueSet {
    /// The id of the site.
    pub site: u64,
    /// How often this process had executed the site.
    pub hits: u64,
    /// How it ended.
    pub exit: Exit,
    /// The early exit, if there was one in its own source.
    pub left: Option<Leaving>,
    /// The name of the thread, which for a test is the test's path.
    pub thread: String,
    /// The site of the function that called this one; zero if none is known.
    pub caller: u64,
    /// The number of withheld values in this set.
    pub withheld: u64,
    /// The values, by slot number.
    pub slots: Vec<(u32, Value)>,
    /// Branches taken in the statement.
    pub target: Vec<u32>,
    /// Branches taken in the statement and the rest of its block.
    pub context: Vec<u32>,
    /// The calls of functions outside the workspace, in the order in which they returned.
    pub calls: Vec<OutgoingCall>,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A site that was reached, with its description.
    Site {
        /// The id of the site.
        id: u64,
        /// The description of the site, which the instrumentation wrote.
        description: String,
    },
    /// A unique set of values.
    Values(ValueSet),
}

/// Encodes the payload that a site was reached.
pub fn encode_site(id: u64, description: &str) -> Vec<u8> {
    let mut payload = vec![SITE];
    payload.extend_from_slice(&id.to_le_bytes());
    put_text(&mut payload, description);
    payload
}

/// The parts of a value set's payload, its values already encoded.
#[derive(Debug)]
pub struct Encoded<'p> {
    /// The id of the site.
    pub site: u64,
    /// How often it was executed.
    pub hits: u64,
    /// The name of the thread.
    pub thread: &'p str,
    /// The site of the calling function.
    pub caller: u64,
    /// The number of withheld values.
    pub withheld: u64,
    /// The encoded parts that make the set unique: exit, names, values, branches.
    pub unique: &'p [u8],
}

/// Encodes the payload of a value set.
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

/// The parts of a value set that make it unique.
#[derive(Debug)]
pub struct Unique<'u> {
    /// How the site ended.
    pub exit: &'u Exit,
    /// The early exit, with its label.
    pub left: Option<(Way, &'static str)>,
    /// The values.
    pub writer: &'u crate::Writer,
    /// Branches taken in the statement.
    pub target: &'u [u32],
    /// Branches taken in the statement and the rest of its block.
    pub context: &'u [u32],
    /// The encoded outgoing calls.
    pub calls: &'u [Vec<u8>],
}

/// Encodes the part of a value set that makes it unique.
pub fn encode_unique(set: &Unique<'_>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(set.writer.bytes().len() + 64);
    put_exit(&mut bytes, set.exit, set.left);
    put_values(&mut bytes, set.writer);
    for marks in [set.target, set.context] {
        put_number(&mut bytes, marks.len() as u128);
        marks
            .iter()
            .for_each(|mark| bytes.extend_from_slice(&mark.to_le_bytes()));
    }
    put_number(&mut bytes, set.calls.len() as u128);
    set.calls
        .iter()
        .for_each(|call| bytes.extend_from_slice(call));
    bytes
}

/// Encodes an outgoing call as a part of the value sets that contain it.
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

/// The code of an exit of the first known kind.
const FIRST_WAY: u8 = 3;

fn put_values(bytes: &mut Vec<u8>, writer: &crate::Writer) {
    writer.put_names(bytes);
    put_number(bytes, writer.bytes().len() as u128);
    bytes.extend_from_slice(writer.bytes());
}

// Only the command changes recordings.
#[cfg(not(situ_recorded))]
pub mod rewrite;

#[cfg(test)]
mod tests;
