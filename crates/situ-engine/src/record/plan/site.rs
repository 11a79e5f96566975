//! Sites: the instrumented places of a program.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Syntactic position of recorded code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    Statement,
    /// Condition of an `if` or `while`, or a guard.
    Condition,
    /// Iterator expression of a `for`.
    Iterable,
    /// Scrutinee of a `match`.
    Scrutinee,
    Tail,
    /// Operand of a `return`.
    Return,
    Function,
    /// Function for which only the fact that it was called is recorded.
    Reach,
    /// Call of a function outside the workspace. Its values are part of the callers' records.
    Call,
    /// All statements of a block, recorded as one fragment.
    Fragment,
    Closure,
}

pub(super) const POSITIONS: [(Position, &str); 11] = [
    (Position::Statement, "statement"),
    (Position::Condition, "condition"),
    (Position::Iterable, "iterable"),
    (Position::Scrutinee, "scrutinee"),
    (Position::Tail, "tail"),
    (Position::Return, "return"),
    (Position::Function, "function"),
    (Position::Reach, "reach"),
    (Position::Call, "call"),
    (Position::Fragment, "fragment"),
    (Position::Closure, "closure"),
];

impl Position {
    /// Returns the position as reports show it.
    pub fn name(self) -> &'static str {
        POSITIONS
            .iter()
            .find(|(position, _)| *position == self)
            .map_or("", |(_, name)| name)
    }

    /// Returns whether this is a statement or several, as opposed to a function or a call.
    pub fn is_statement(self) -> bool {
        !matches!(self, Position::Function | Position::Reach | Position::Call)
    }

    /// Returns whether value sets are recorded for the site itself.
    pub fn has_values(self) -> bool {
        !matches!(self, Position::Reach | Position::Call)
    }
}

/// When a value is captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Input of the statement, before it is executed.
    Before,
    /// Input of the statement, after it was executed.
    After,
    /// Variable that the statement declares or assigns.
    Made,
    /// Value of the expression itself.
    Result,
    /// Element of an iterator.
    Item,
    /// Value of a `return`, `?` or `break` that exits the statement early.
    Left,
    /// Operand of the outermost `&&` or `||` of a condition, if it was evaluated.
    Operand,
    /// Variable that the parameters of a closure bind.
    Argument,
    /// Generic parameter: the name of a type, or the value of a constant.
    Generic,
    /// Data that was read from or written to a parameter whose type is only known to be a stream.
    Passed,
    /// Element that the statement reads, if the whole input cannot be rebuilt.
    Element,
    /// Result of a call inside the statement, if an input cannot be rebuilt. The slot's key is the
    /// call's source.
    Answer,
    /// Replacement for a stream inside an input, if the statement does not use it.
    Held,
}

/// Value that is captured at a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    pub phase: Phase,
    /// Name of the captured value.
    pub key: SlotKey,
    /// Whether the captured value is withheld from the recording as a secret.
    pub secret: bool,
}

/// Name of a captured value at its site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SlotKey {
    /// Source of a place, a call or a generic parameter: `self.width`, `words[i]`, `T`; or the
    /// recorder's name for a result or an exit: `result`, `break 'outer`.
    Source(String),
    /// Receiver of an outgoing call.
    Receiver,
    /// Argument of an outgoing call, counted from one.
    Argument(usize),
    /// Operand of the outermost `&&` or `||` of a condition, counted from one.
    Operand(usize),
    /// Stream in a field of an input.
    Held {
        /// Source of the field.
        place: String,
        /// Generic parameter that is the field's type.
        generic: String,
    },
}

impl SlotKey {
    /// Returns the source of a place, a call or a generic parameter, or `None` for other keys.
    pub fn source(&self) -> Option<&str> {
        match self {
            SlotKey::Source(text) => Some(text),
            _ => None,
        }
    }
}

impl From<&str> for SlotKey {
    fn from(text: &str) -> SlotKey {
        SlotKey::Source(text.to_owned())
    }
}

impl From<&String> for SlotKey {
    fn from(text: &String) -> SlotKey {
        SlotKey::from(text.as_str())
    }
}

/// Writes a key as in descriptions of sites and in `cargo situ record --show`.
impl fmt::Display for SlotKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlotKey::Source(text) => formatter.write_str(text),
            SlotKey::Receiver => formatter.write_str("receiver"),
            SlotKey::Argument(number) => write!(formatter, "argument {number}"),
            SlotKey::Operand(number) => write!(formatter, "cond({number})"),
            SlotKey::Held { place, generic } => write!(formatter, "{place}: {generic}"),
        }
    }
}

/// Place in the program that is instrumented.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Id that does not change when other code is edited.
    pub id: u64,
    pub package: String,
    /// Path relative to the workspace root.
    pub file: String,
    /// Path of the module, starting with the crate.
    pub module: String,
    /// First line of the code when it was recorded, counted from one.
    pub line: usize,
    /// Byte offsets of the code's start and end when it was recorded.
    #[serde(default)]
    pub bytes: (usize, usize),
    /// Path of the function, starting with the crate.
    pub function: String,
    /// Kind of target, such as `text` or `bits`.
    pub kind: String,
    pub position: Position,
    /// Source, shortened.
    pub text: String,
    /// Values that are captured.
    pub slots: Vec<Slot>,
    /// Number of the piece that all captures of the site need.
    #[serde(default)]
    pub piece: usize,
}

impl Site {
    /// Returns the byte range of the code in its file when it was recorded or planned.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.bytes.0..self.bytes.1
    }
}
