//! Methods that change a value, or make another one of it.

use super::argument::Argument;
use super::constructors::is_private;
use super::declared::{Block, OwnType};
use super::head::Head;
use super::sight::{Sight, hidden_variant};
use super::way::{described, ending_of, made};
use super::{CRATE, Planning};
use crate::source::Gives;
use std::ops::Range;
use syn::{ImplItemFn, ReceiverKind};

/// The effect of a method on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// In place.
    InPlace,
    /// It returns another value.
    Another(Gives),
}

/// A method that changes a value.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub name: String,
    /// How it does so.
    pub effect: Effect,
    /// What it takes.
    pub arguments: Vec<Argument>,
    /// The file and the item that it is inserted after.
    pub at: (usize, Range<usize>),
    /// The head of the inserted block.
    pub head: Head,
    /// Its visibility.
    sight: Sight,
}

impl Planning<'_> {
    /// Returns the methods of a type that change its state.
    pub(super) fn changes(&self, of: &OwnType<'_>) -> Vec<Change> {
        let effect = |block: &Block<'_>, function: &ImplItemFn| {
            match &function.sig.receiver()?.kind {
                ReceiverKind::Reference(_, _, Some(_)) => return Some(Effect::InPlace),
                ReceiverKind::Reference(_, _, None) | ReceiverKind::Value => {}
                // `self: Rc<Self>` and the like are for others.
                _ => return None,
            }
            let given =
                self.declared
                    .names
                    .given(&function.sig, block.place.module, Some(&of.key))?;
            (given.of == of.key && given.gives != Gives::Inside)
                .then_some(Effect::Another(given.gives))
        };
        let all: Vec<_> = self
            .functions_of(&of.key)
            .filter_map(|(block, function)| Some((block, function, effect(block, function)?)))
            .collect();
        let all_private = self
            .functions_of(&of.key)
            .all(|(_, function)| is_private(function));
        let change = |(block, function, effect): &(&Block<'_>, &ImplItemFn, Effect)| {
            if (is_private(function) && !all_private) || !self.may_be_called(of, function) {
                return None;
            }
            Some(Change {
                name: function.sig.ident.to_string(),
                effect: *effect,
                arguments: Argument::all(&function.sig)?,
                at: (block.place.file, block.place.node.clone()),
                head: Head::of_block(block.item)?,
                sight: Sight::of(&function.vis, block.place.module),
            })
        };
        all.iter().filter_map(change).collect()
    }
}

impl Change {
    /// Returns the functions for this method, by its number: its arguments, and its call.
    pub(super) fn functions(&self, number: usize, prelude: &str) -> String {
        let ids: String = self
            .arguments
            .iter()
            .map(|argument| format!("{}, ", argument.id()))
            .collect();
        let values: Vec<String> = self
            .arguments
            .iter()
            .enumerate()
            .map(|(at, argument)| argument.value(at))
            .collect();
        let call = format!("made.{}({})", self.name, values.join(", "));
        let (form, body) = match self.effect {
            Effect::InPlace => (
                "InPlace",
                format!("let _ = {call}; ::core::option::Option::Some(made)"),
            ),
            Effect::Another(gives) => (
                "Another",
                format!("::core::option::Option::Some({call}{})", ending_of(gives)),
            ),
        };
        let unwrapped = match self.effect {
            Effect::Another(Gives::Option | Gives::Result) => ".unwrap()",
            Effect::InPlace | Effect::Another(_) => "",
        };
        format!(
            "#[doc(hidden)] #[allow(warnings, clippy::all)] {} {{ \
             pub fn {}(shapes: &mut ::{CRATE}::Shapes) -> ::{CRATE}::Variant {{ {prelude} {}\
             let parts = ::{CRATE}::standard::vec![{ids}]; let step = ::{CRATE}::Step::{form}; \
             ::{CRATE}::Variant::new(::{CRATE}::Form::Method(step, {:?}.to_owned(), {unwrapped:?}.to_owned()), parts) }} \
             pub fn {}(mut made: Self, parts: &[::{CRATE}::Tree]) -> ::core::option::Option<Self> {{ {prelude} {body} }} }} ",
            self.head.own(),
            described(number),
            self.sight.guard(hidden_variant()),
            self.name,
            made(number),
        )
    }
}
