//! Sites: the watched places of a program, with what a recording says about them.

use serde::{Deserialize, Serialize};

/// Where in the code a watched expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    /// A statement of a block.
    Statement,
    /// The condition of an `if` or `while`, or a guard.
    Condition,
    /// What a `for` iterates over.
    Iterable,
    /// What a `match` is about.
    Scrutinee,
    /// The tail expression of a block.
    Tail,
    /// What a `return` gives back.
    Return,
    /// A whole function.
    Function,
    /// A function of which only the reaching is recorded.
    Reach,
    /// A call of a function outside the workspace; its values are with the records of those who made it.
    Call,
    /// The statements of a block, as one.
    Fragment,
    /// A closure.
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
    /// The position as users read it.
    pub fn name(self) -> &'static str {
        POSITIONS
            .iter()
            .find(|(position, _)| *position == self)
            .map_or("", |(_, name)| name)
    }

    /// Is it a statement or several of them, rather than a function or a call?
    pub fn is_statement(self) -> bool {
        !matches!(self, Position::Function | Position::Reach | Position::Call)
    }

    /// Has it value sets of its own?
    pub fn has_values(self) -> bool {
        !matches!(self, Position::Reach | Position::Call)
    }
}

/// When a value is captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Before the statement: an input.
    Before,
    /// After it: what an input has become.
    After,
    /// A variable that the statement makes or assigns.
    Made,
    /// The value of the expression itself.
    Result,
    /// One element of what is iterated over.
    Item,
    /// The value that leaves by `return`, `?` or `break`, before the statement's end.
    Left,
    /// An operand of the outermost `&&` or `||` of a condition, where it was evaluated.
    Operand,
    /// A variable that the parameters of a closure bind.
    Argument,
    /// What a generic parameter is: the name of a type, or the value of a constant.
    Generic,
    /// What was read from or written to a parameter that is known as a stream only.
    Passed,
    /// An element that the statement reads of an input that cannot be rebuilt.
    Element,
    /// What a call in the statement gave, where an input cannot be rebuilt; its name is the call, as source.
    Answer,
    /// What can stand for a stream that an input holds and the statement does not use; its name is the place, and after a colon
    /// the generic parameter that it is.
    Held,
}

/// One value of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// When it is captured.
    pub phase: Phase,
    /// The place, as source.
    pub name: String,
    /// Its value is never written.
    pub secret: bool,
}

/// A watched place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Its identity, which survives edits elsewhere.
    pub id: u64,
    /// The package.
    pub package: String,
    /// The file, relative to the workspace.
    pub file: String,
    /// The module, from the crate on.
    pub module: String,
    /// The line where it starts, when it was recorded.
    pub line: usize,
    /// Its first byte in the file and the one behind its last, when it was recorded.
    #[serde(default)]
    pub bytes: (usize, usize),
    /// The function: its path from the crate on.
    pub function: String,
    /// What it manipulates.
    pub kind: String,
    /// Where it stands.
    pub position: Position,
    /// Its source, shortened.
    pub text: String,
    /// What is captured.
    pub slots: Vec<Slot>,
    /// The piece that all its captures need.
    #[serde(default)]
    pub piece: usize,
}

impl Site {
    /// Its bytes in the file, when it was recorded or planned.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.bytes.0..self.bytes.1
    }
}
