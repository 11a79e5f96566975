//! One way to make a value of a type: a call, with how it is compiled and how it is written.

use super::CRATE;
use super::argument::Argument;
use super::declared::Place;
use super::head::Head;
use super::sight::{Sight, hidden_variant};
use crate::source::Gives;
use std::ops::Range;

/// What a way is, in the order in which ways are listed.
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
    /// A method of another type that is there to make it.
    Builder,
    /// Any other function that gives it.
    Function,
}

/// A way to make a value.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// What it is.
    pub kind: Kind,
    /// What it is called in the list of pieces.
    pub name: String,
    /// The file and the item that it is inserted after.
    pub at: (usize, Range<usize>),
    /// Around what is inserted there.
    pub head: Head,
    /// From where it can be called.
    pub sight: Sight,
    /// The call.
    pub call: Call,
}

/// A call that gives a value.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// What is called, up to the parenthesis: `Self::new`; after a dot where the first argument is the receiver.
    pub code: String,
    /// The same, as a user writes it; `{}` is the name of the type.
    pub shown: String,
    /// Whether the first argument is the receiver.
    pub has_receiver: bool,
    /// What it takes.
    pub arguments: Vec<Argument>,
    /// How it gives the value.
    pub gives: Gives,
    /// What a user writes behind the arguments instead of a parenthesis: `.parse::<{}>()`.
    pub ending: Option<String>,
    /// What stands for `{}`, as an expression: the name of the type, or of a module.
    pub subject: &'static str,
}

/// The name of the type.
const NAME: &str = "name";
/// The name of the module.
pub(super) const MODULE: &str = "::core::module_path!()";

/// A way that is known of: whether it can be used, and whether it decides which values there are.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// The way, if values can be made by it.
    pub way: Option<Way>,
    /// Whether it takes something, or may refuse: values that it would not give may not exist.
    pub is_guard: bool,
}

impl Call {
    /// A call of a function with these arguments.
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

    /// The call as an expression, in a function that gives an `Option`.
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

    /// How it is written, as an expression of the type `Form`.
    fn form(&self) -> String {
        let unwrapped = if self.gives == Gives::Itself {
            ""
        } else {
            ".unwrap()"
        };
        let (path, subject) = (format!("::{CRATE}::Form"), self.subject);
        if let Some(ending) = &self.ending {
            return format!(
                "{path}::Around({:?}.to_owned(), format!({:?}, {subject}))",
                "",
                format!("{ending}{unwrapped}")
            );
        }
        if self.has_receiver {
            return format!(
                "{path}::CallOf({:?}.to_owned(), {unwrapped:?}.to_owned())",
                self.shown
            );
        }
        if unwrapped.is_empty() {
            return format!("{path}::Call(format!({:?}, {subject}))", self.shown);
        }
        let (before, after) = (format!("{}(", self.shown), format!("){unwrapped}"));
        format!("{path}::Around(format!({before:?}, {subject}), {after:?}.to_owned())")
    }
}

/// What follows a call so that it is the value, in a function that gives an `Option`.
pub(super) fn ending_of(gives: Gives) -> &'static str {
    match gives {
        Gives::Itself | Gives::Inside => "",
        Gives::Option => "?",
        Gives::Result => ".ok()?",
    }
}

impl Way {
    /// A way that stands where an item stands.
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

    /// The functions for this way, by its number: what it takes, and what it gives.
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
             let name = ::{CRATE}::Shapes::name::<Self>(); let parts = vec![{ids}]; \
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

/// The function that says what a way or a change takes.
pub(super) fn described(number: usize) -> String {
    format!("__situ_takes_{number}")
}

/// The function that makes, or changes, a value.
pub(super) fn made(number: usize) -> String {
    format!("__situ_makes_{number}")
}
