//! Descriptions of sites: the string that an instrumented program contains and writes to its
//! recording, and its parser.
//!
//! A recording may come from anybody, and places in it become source text. So the parser rejects
//! everything that no recorder writes.

use super::site::{POSITIONS, Phase, Position, Site, Slot, SlotKey};
use crate::source::{lex, parse_part};
use situ_recorder::rust_names::{is_field, is_identifier, is_path};
use situ_syntax::{Limits, too_deep};
use std::fmt;

const PART: char = '\u{1f}';
const SLOT: char = '\u{1e}';

/// Names of phases in descriptions.
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

/// Maximum length of a statement's text or a place's name, in bytes.
const MAX_TEXT: usize = 1 << 13;

/// Maximum byte offset or line in a source file.
const MAX_PLACE: usize = u32::MAX as usize;

/// Maximum number of slots of a site.
const MAX_SLOTS: usize = 1 << 12;

/// Part of a description that is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoSite {
    /// There are too few parts, or one of them is no number or no known word.
    Parts,
    Package,
    File,
    Path,
    /// The source of the statement is too long or nests too deeply.
    Text,
    Slot,
}

impl fmt::Display for NoSite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            NoSite::Parts => "it cannot be read",
            NoSite::Package => "its package name is invalid",
            NoSite::File => "its file path is invalid",
            NoSite::Path => "its function path is invalid",
            NoSite::Text => "its source is too long or nests too deeply",
            NoSite::Slot => "a place in it is invalid",
        })
    }
}

impl Site {
    /// Returns the string that the instrumented program contains and writes to its recording.
    pub fn description(&self) -> String {
        let slots: Vec<String> = self
            .slots
            .iter()
            .map(|slot| {
                let phase = PHASES
                    .iter()
                    .find(|(phase, _)| *phase == slot.phase)
                    .map_or("", |(_, name)| name);
                format!("{phase}{}{}", if slot.secret { '!' } else { ':' }, slot.key)
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

    /// Parses a site's description.
    pub fn from_description(id: u64, description: &str) -> Result<Site, NoSite> {
        let parts: Vec<&str> = description.split(PART).collect();
        let [
            package,
            file,
            module,
            line,
            function,
            kind,
            position,
            text,
            slots,
            ref more @ ..,
        ] = parts[..]
        else {
            return Err(NoSite::Parts);
        };
        // Older recordings do not contain the byte range.
        let bytes = more.first().and_then(|bytes| bytes.split_once('-'));
        let bytes = bytes.and_then(|(start, end)| Some((start.parse().ok()?, end.parse().ok()?)));
        let bytes: (usize, usize) = bytes.unwrap_or_default();
        let line: usize = line.parse().map_err(|_| NoSite::Parts)?;
        let position = POSITIONS
            .iter()
            .find(|(_, name)| *name == position)
            .ok_or(NoSite::Parts)?
            .0;
        let check = |is_right: bool, wrong: NoSite| if is_right { Ok(()) } else { Err(wrong) };
        let is_kind = kind
            .chars()
            .all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | ' '));
        check(
            is_kind && bytes.0 <= bytes.1 && bytes.1 <= MAX_PLACE && line <= MAX_PLACE,
            NoSite::Parts,
        )?;
        check(is_package(package), NoSite::Package)?;
        check(is_file(file), NoSite::File)?;
        check(
            [module, function]
                .iter()
                .all(|path| path.is_empty() || is_path(path)),
            NoSite::Path,
        )?;
        check(is_text(text), NoSite::Text)?;
        let slots: Vec<&str> = slots
            .split(SLOT)
            .filter(|slot| !slot.is_empty())
            .take(MAX_SLOTS + 1)
            .collect();
        check(slots.len() <= MAX_SLOTS, NoSite::Slot)?;
        Ok(Site {
            id,
            package: package.to_owned(),
            file: file.to_owned(),
            module: module.to_owned(),
            line,
            bytes,
            function: function.to_owned(),
            kind: kind.to_owned(),
            position,
            text: text.to_owned(),
            slots: slots
                .into_iter()
                .map(|slot| slot_from(slot, position))
                .collect::<Result<_, _>>()?,
            piece: 0,
        })
    }
}

fn slot_from(text: &str, position: Position) -> Result<Slot, NoSite> {
    let (phase, name) = text.split_once([':', '!']).ok_or(NoSite::Slot)?;
    let secret = text[phase.len()..].starts_with('!');
    let phase = PHASES
        .iter()
        .find(|(_, known)| *known == phase)
        .ok_or(NoSite::Slot)?
        .0;
    let key = key_from(name, phase, position).ok_or(NoSite::Slot)?;
    Ok(Slot { phase, key, secret })
}

/// Parses a slot's key. Returns `None` if no recorder writes this string in this phase.
fn key_from(text: &str, phase: Phase, position: Position) -> Option<SlotKey> {
    let is_source = match phase {
        Phase::Before | Phase::After => {
            // A variable of a statement may have the name `receiver`.
            match operand_from(text).filter(|_| position == Position::Call) {
                Some(operand) => return Some(operand),
                None => is_place(text),
            }
        }
        Phase::Made | Phase::Item | Phase::Argument | Phase::Passed => is_place(text),
        Phase::Element => is_element(text),
        Phase::Generic => is_identifier(text),
        Phase::Held => {
            let (place, generic) = text.split_once(": ")?;
            return (is_place(place) && is_identifier(generic)).then(|| SlotKey::Held {
                place: place.to_owned(),
                generic: generic.to_owned(),
            });
        }
        Phase::Operand => {
            let number = text.strip_prefix("cond(")?.strip_suffix(')')?;
            return number_from(number).map(SlotKey::Operand);
        }
        Phase::Result | Phase::Left => is_recorder_name(text),
        // The key is only compared with calls in the sources, never parsed or written. A string
        // that is unsafe to parse is replaced by an empty one, which equals no call.
        Phase::Answer if !is_text(text) => return Some(SlotKey::from("")),
        Phase::Answer => true,
    };
    is_source.then(|| SlotKey::from(text))
}

/// Returns whether a string is a variable with optional fields: `self.width`.
fn is_place(text: &str) -> bool {
    let mut words = text.split('.');
    text.len() <= MAX_TEXT && words.next().is_some_and(is_identifier) && words.all(is_field)
}

/// Parses the receiver or an argument of a call: `receiver`, `argument 2`.
fn operand_from(text: &str) -> Option<SlotKey> {
    if text == "receiver" {
        return Some(SlotKey::Receiver);
    }
    number_from(text.strip_prefix("argument ")?).map(SlotKey::Argument)
}

/// Returns whether a string is an element of a place, with a place or literal as index: `words[i]`,
/// `cap[1]`.
fn is_element(text: &str) -> bool {
    let Some((base, index)) = text.strip_suffix(']').and_then(|text| text.split_once('[')) else {
        return false;
    };
    let is_literal = |index: &str| index.len() <= MAX_TEXT && parse_part::<syn::Lit>(index).is_ok();
    is_place(base) && (is_place(index) || is_literal(index))
}

/// Returns whether a string is one of the recorder's names for results and exits: `result`, `?`,
/// `break 'outer`.
fn is_recorder_name(text: &str) -> bool {
    let is_plain = |char: char| char.is_alphanumeric() || matches!(char, '_' | '?' | '\'' | ' ');
    !text.is_empty() && text.len() <= 100 && text.chars().all(is_plain)
}

fn number_from(text: &str) -> Option<usize> {
    let is_number = text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

fn is_package(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|char| char.is_alphanumeric() || matches!(char, '-' | '_'))
}

/// Returns whether a string can be a path in a message. No file is opened by it: cargo locates the
/// sources.
fn is_file(text: &str) -> bool {
    !text.is_empty() && text.len() <= MAX_TEXT && !text.chars().any(char::is_control)
}

/// Returns whether a string is short and shallow enough to be parsed safely.
fn is_text(text: &str) -> bool {
    let is_shallow =
        |text: &str| lex(text).map_or(true, |tokens| too_deep(&tokens, Limits::COMPILER).is_none());
    text.len() <= MAX_TEXT && !text.chars().any(char::is_control) && is_shallow(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        let slot = |phase, key: SlotKey, secret| Slot { phase, key, secret };
        let named = |phase, name: &str| slot(phase, SlotKey::from(name), false);
        Site {
            id: 7,
            package: "p-q".to_owned(),
            file: "src/a.rs".to_owned(),
            module: "a".to_owned(),
            line: 12,
            bytes: (40, 61),
            function: "a::f".to_owned(),
            kind: "text".to_owned(),
            position: Position::Condition,
            text: "if x.contains(\"a:b!\")".to_owned(),
            slots: vec![
                named(Phase::Before, "self.x"),
                slot(Phase::Made, SlotKey::from("password"), true),
                named(Phase::Element, "self.words[i]"),
                named(Phase::Element, "map[\"a\"]"),
                named(Phase::Generic, "Self"),
                slot(
                    Phase::Held,
                    SlotKey::Held {
                        place: "self.out".to_owned(),
                        generic: "W".to_owned(),
                    },
                    false,
                ),
                slot(Phase::Operand, SlotKey::Operand(1), false),
                named(Phase::Result, "result"),
                named(Phase::Left, "?"),
                named(Phase::Left, "break 'outer"),
                named(Phase::Answer, "self.lock().map(|x| x + 1)"),
            ],
            piece: 0,
        }
    }

    #[test]
    fn a_description_gives_the_site_back() {
        assert_eq!(Site::from_description(7, &site().description()), Ok(site()));
    }

    #[test]
    fn only_a_call_has_a_receiver_and_arguments_by_number() {
        let with = |position, keys: [SlotKey; 2]| Site {
            position,
            slots: keys
                .map(|key| Slot {
                    phase: Phase::Before,
                    key,
                    secret: false,
                })
                .into(),
            ..site()
        };
        let read = |site: &Site| Site::from_description(7, &site.description());
        let call = with(Position::Call, [SlotKey::Receiver, SlotKey::Argument(2)]);
        assert_eq!(read(&call), Ok(call.clone()));
        let variables = ["receiver", "argument"].map(SlotKey::from);
        let statement = with(Position::Condition, variables);
        assert_eq!(read(&statement), Ok(statement.clone()));
    }

    #[test]
    fn what_no_recorder_writes_is_refused() {
        const CODE: &str = "{ f(); x }";
        let read = |site: Site| Site::from_description(7, &site.description());
        let with_slot = |phase: Phase, name: &str| {
            let slots = vec![Slot {
                phase,
                key: SlotKey::from(name),
                secret: false,
            }];
            read(Site { slots, ..site() })
        };
        assert_eq!(
            read(Site {
                package: CODE.to_owned(),
                ..site()
            }),
            Err(NoSite::Package)
        );
        assert_eq!(
            read(Site {
                file: "src/a.rs\nx".to_owned(),
                ..site()
            }),
            Err(NoSite::File)
        );
        assert_eq!(
            read(Site {
                module: CODE.to_owned(),
                ..site()
            }),
            Err(NoSite::Path)
        );
        assert_eq!(
            read(Site {
                function: "a::f`.\nfn g() {}".to_owned(),
                ..site()
            }),
            Err(NoSite::Path)
        );
        assert_eq!(
            read(Site {
                kind: "text\nmore".to_owned(),
                ..site()
            }),
            Err(NoSite::Parts)
        );
        assert_eq!(
            read(Site {
                bytes: (61, 40),
                ..site()
            }),
            Err(NoSite::Parts)
        );
        assert_eq!(
            read(Site {
                text: "(".repeat(1000) + &")".repeat(1000),
                ..site()
            }),
            Err(NoSite::Text)
        );
        assert_eq!(
            read(Site {
                text: "a".repeat(10_000),
                ..site()
            }),
            Err(NoSite::Text)
        );
        let places = [
            Phase::Before,
            Phase::After,
            Phase::Made,
            Phase::Item,
            Phase::Argument,
            Phase::Passed,
        ];
        let named = [
            Phase::Element,
            Phase::Generic,
            Phase::Held,
            Phase::Operand,
            Phase::Result,
            Phase::Left,
        ];
        for phase in places.into_iter().chain(named) {
            for name in [
                CODE,
                "f()",
                "x = f()",
                "x) , given(y",
                "cond(1); f()",
                "x[f()]",
                "x: T = f()",
                "",
            ] {
                assert_eq!(
                    with_slot(phase, name),
                    Err(NoSite::Slot),
                    "{phase:?} {name}"
                );
            }
        }
        assert_eq!(Site::from_description(7, "nothing"), Err(NoSite::Parts));
    }
}
