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

const POSITIONS: [(Position, &str); 11] = [
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
        POSITIONS.iter().find(|(position, _)| *position == self).map_or("", |(_, name)| name)
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

const PHASES: [(Phase, &str); 13] = [
    (Phase::Before, "before"),
    (Phase::After, "after"),
    (Phase::Made, "made"),
    (Phase::Result, "result"),
    (Phase::Item, "item"),
    (Phase::Left, "left"),
    (Phase::Operand, "operand"),
    (Phase::Argument, "argument"),
    (Phase::Generic, "generic"),
    (Phase::Passed, "passed"),
    (Phase::Element, "element"),
    (Phase::Answer, "answer"),
    (Phase::Held, "held"),
];

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

const PART: char = '\u{1f}';
const SLOT: char = '\u{1e}';

impl Site {
    /// Its bytes in the file, when it was recorded or planned.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.bytes.0..self.bytes.1
    }

    /// The site as the text that the instrumented program carries and writes.
    pub fn description(&self) -> String {
        let slots: Vec<String> = self
            .slots
            .iter()
            .map(|slot| {
                let phase = PHASES.iter().find(|(phase, _)| *phase == slot.phase).map_or("", |(_, name)| name);
                format!("{phase}{}{}", if slot.secret { '!' } else { ':' }, slot.name)
            })
            .collect();
        [
            &self.package,
            &self.file,
            &self.module,
            &self.line.to_string(),
            &self.function,
            &self.kind,
            self.position.name(),
            &self.text,
            &slots.join(&SLOT.to_string()),
            &format!("{}-{}", self.bytes.0, self.bytes.1),
        ]
        .map(|part| part.replace(PART, " "))
        .join(&PART.to_string())
    }

    /// Reads a description back.
    pub fn from_description(id: u64, description: &str) -> Option<Site> {
        let parts: Vec<&str> = description.split(PART).collect();
        let [package, file, module, line, function, kind, position, text, slots, ref more @ ..] = parts[..] else {
            return None;
        };
        // Older recordings do not say the bytes.
        let bytes = more.first().and_then(|bytes| bytes.split_once('-'));
        let bytes = bytes.and_then(|(start, end)| Some((start.parse().ok()?, end.parse().ok()?)));
        let position = POSITIONS.iter().find(|(_, name)| *name == position)?.0;
        let slots = slots.split(SLOT).filter_map(slot_from).collect();
        Some(Site {
            id,
            package: package.to_owned(),
            file: file.to_owned(),
            module: module.to_owned(),
            line: line.parse().ok()?,
            bytes: bytes.unwrap_or_default(),
            function: function.to_owned(),
            kind: kind.to_owned(),
            position,
            text: text.to_owned(),
            slots,
            piece: 0,
        })
    }
}

fn slot_from(text: &str) -> Option<Slot> {
    let (phase, name) = text.split_once([':', '!'])?;
    let secret = text[phase.len()..].starts_with('!');
    let phase = PHASES.iter().find(|(_, known)| *known == phase)?.0;
    Some(Slot { phase, name: name.to_owned(), secret })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_gives_the_site_back() {
        let site = Site {
            id: 7,
            package: "p".to_owned(),
            file: "src/a.rs".to_owned(),
            module: "a".to_owned(),
            line: 12,
            bytes: (40, 61),
            function: "a::f".to_owned(),
            kind: "text".to_owned(),
            position: Position::Condition,
            text: "if x.contains(\"a:b!\")".to_owned(),
            slots: vec![
                Slot { phase: Phase::Before, name: "self.x".to_owned(), secret: false },
                Slot { phase: Phase::Made, name: "password".to_owned(), secret: true },
            ],
            piece: 0,
        };
        assert_eq!(Site::from_description(7, &site.description()), Some(site));
    }
}
