//! One way to construct a value of a type: a call, as compiled and as written.

use super::CRATE;
use super::argument::Argument;
use super::declared::Place;
use super::head::Head;
use super::sight::{Sight, hidden_variant};
use crate::source::Gives;
use std::ops::Range;

/// The kind of a call, in the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A function of the type itself.
    Constructor,
    /// `Default`.
    Default,
    /// `FromStr`.
    FromStr,
    /// `From`, `TryFrom`, `FromIterator`.
    From,
    /// A method of another type whose purpose is to construct it.
    Builder,
    /// Any other function that returns it.
    Function,
}

/// A way to make a value.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// What it is.
    pub kind: Kind,
    /// Its name in the list of pieces.
    pub name: String,
    /// The file and the item that it is inserted after.
    pub at: (usize, Range<usize>),
    /// The head of the inserted block.
    pub head: Head,
    /// Its visibility.
    pub sight: Sight,
    pub call: Call,
}

/// A call that returns a value.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The code before the parenthesis: `Self::new`; after a dot if the first argument is the
    /// receiver.
    pub code: String,
    /// The call as a user writes it; `{}` is the name of the type.
    pub shown: String,
    /// Whether the first argument is the receiver.
    pub has_receiver: bool,
    /// What it takes.
    pub arguments: Vec<Argument>,
    /// How it returns the value.
    pub gives: Gives,
    /// What a user writes after the arguments instead of a parenthesis: `.parse::<{}>()`.
    pub ending: Option<String>,
    /// The expression for `{}`: the name of the type, or of a module.
    pub subject: &'static str,
}

/// The name of the type.
const NAME: &str = "name";
/// The name of the module.
pub(super) const MODULE: &str = "::core::module_path!()";

/// A known call: whether it can be used, and whether it restricts the values.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// The way, if values can be made by it.
    pub way: Option<Way>,
    /// Whether it has arguments or may fail: other values may be invalid.
    pub is_guard: bool,
}

impl Call {
    /// Returns a call of a function with these arguments.
    pub(super) fn new(code: String, shown: String, arguments: Vec<Argument>, gives: Gives) -> Call {
        Call {
            code,
            shown,
            has_receiver: false,
            arguments,
            gives,
            ending: None,
            subject: NAME,
        }
    }

    /// Returns the call as an expression, in a function that returns an `Option`.
    fn expression(&self) -> String {
        let values: Vec<String> = self
            .arguments
            .iter()
            .enumerate()
            .map(|(at, argument)| argument.value(at))
            .collect();
        let end = ending_of(self.gives);
        match values.split_first() {
            Some((receiver, values)) if self.has_receiver => {
                format!("{receiver}.{}({}){end}", self.code, values.join(", "))
            }
            _ => format!("{}({}){end}", self.code, values.join(", ")),
        }
    }

    /// Returns the written form, as an expression of the type `Form`.
    fn form(&self) -> String {
        let unwrapped = if self.gives == Gives::Itself {
            ""
        } else {
            ".unwrap()"
        };
        let (path, subject) = (format!("::{CRATE}::Form"), self.subject);
        if let Some(ending) = &self.ending {
            return format!(
                "{path}::Around(::{CRATE}::standard::string::String::from({:?}), ::{CRATE}::standard::format!({:?}, {subject}))",
                "",
                format!("{ending}{unwrapped}")
            );
        }
        if self.has_receiver {
            return format!(
                "{path}::CallOf(::{CRATE}::standard::string::String::from({:?}), ::{CRATE}::standard::string::String::from({unwrapped:?}))",
                self.shown
            );
        }
        if unwrapped.is_empty() {
            return format!(
                "{path}::Call(::{CRATE}::standard::format!({:?}, {subject}))",
                self.shown
            );
        }
        let (before, after) = (format!("{}(", self.shown), format!("){unwrapped}"));
        format!(
            "{path}::Around(::{CRATE}::standard::format!({before:?}, {subject}), ::{CRATE}::standard::string::String::from({after:?}))"
        )
    }
}

/// Returns the code after a call that extracts the value, in a function that returns an `Option`.
pub(super) fn ending_of(gives: Gives) -> &'static str {
    match gives {
        Gives::Itself | Gives::Inside => "",
        Gives::Option => "?",
        Gives::Result => ".ok()?",
    }
}

impl Way {
    /// Returns a way that stands where an item stands.
    pub(super) fn new(
        kind: Kind,
        name: String,
        place: &Place<'_>,
        head: Head,
        sight: Sight,
        call: Call,
    ) -> Way {
        Way {
            kind,
            name,
            at: (place.file, place.node.clone()),
            head,
            sight,
            call,
        }
    }

    /// Returns the functions for this call, by its number: its arguments, and its value.
    pub(super) fn functions(&self, number: usize, prelude: &str) -> String {
        let ids: String = self
            .call
            .arguments
            .iter()
            .map(|argument| format!("{}, ", argument.id()))
            .collect();
        format!(
            "#[doc(hidden)] #[allow(warnings, clippy::all)] {} {{ \
             pub fn {}(shapes: &mut ::{CRATE}::Shapes) -> ::{CRATE}::Variant {{ {prelude} {}\
             let name = ::{CRATE}::Shapes::name::<Self>(); let parts = ::{CRATE}::standard::vec![{ids}]; \
             ::{CRATE}::Variant::new({}, parts) }} \
             pub fn {}(parts: &[::{CRATE}::Tree]) -> ::core::option::Option<Self> {{ {prelude} \
             ::core::option::Option::Some({}) }} }} ",
            self.head.own(),
            described(number),
            self.sight.guard(hidden_variant()),
            self.call.form(),
            made(number),
            self.call.expression(),
        )
    }
}

/// Returns the name of the function that describes the arguments.
pub(super) fn described(number: usize) -> String {
    format!("__situ_takes_{number}")
}

/// Returns the name of the function that constructs or changes a value.
pub(super) fn made(number: usize) -> String {
    format!("__situ_makes_{number}")
}
