//! The code inserted into a crate's sources so that values of its types can be constructed: an
//! implementation for each type.
//!
//! `planning` decides how a value of a type is constructed, in this order: by its constructors
//! (`constructors`), by `Default`, `FromStr` and `From` (`conversions`), by builders, by other
//! functions (`builders`), and then by methods that change it (`changes`). Its fields (`fields`)
//! are used only if there is none of these and they are visible where the theory stands (`sight`).
//! Recorded values and data points take precedence over all of that, and are fitted to these shapes
//! when the search begins.

mod answers;
mod argument;
mod builders;
mod changes;
mod constructors;
mod conversions;
mod declared;
mod drivers;
mod fields;
mod head;
mod planning;
mod sight;
mod way;

pub(crate) use answers::Answers;
pub(crate) use drivers::{Function, Passing, VERIFIED, Work, Written};

use crate::record::plan::{Insertion, Piece, Plan};
use crate::source::{SourceFile, byte_range};
use changes::Change;
use declared::{Declared, Modules, OwnType};
use planning::{Making, Planning};
use std::collections::BTreeMap;
use std::ops::Range;
use way::{Way, described, made};

/// The name of the crate that instrumented code is linked with.
pub(crate) const CRATE: &str = "situ_explore";

/// Plans the implementations of a crate.
pub(crate) fn plan(files: &[SourceFile], answers: Answers) -> Plan {
    let work = Work {
        is_wanted: &|_| false,
        allows_effects: false,
        checks: &BTreeMap::new(),
    };
    plan_calls(files, answers, &work).0
}

/// Plans the implementations of a crate and the tests that call those of its functions that are wanted; lists all functions.
pub(crate) fn plan_calls(
    files: &[SourceFile],
    answers: Answers,
    work: &Work<'_>,
) -> (Plan, Vec<Function>) {
    let modules = Modules::of(files);
    let planning = Planning::new(files, &modules, answers);
    let mut inserting = Inserting {
        plan: Plan::default(),
        number: 0,
    };
    inserting.plan.insertions = files.iter().map(|_| Vec::new()).collect();
    if let Some(first) = files.first().and_then(|root| root.tree.items.first()) {
        // Every program must be linked with the callbacks of instrumented code, whether it has
        // theories or not.
        let piece = inserting.piece("link".to_owned(), None);
        let text = format!("extern crate {CRATE} as _; {}", answers.module());
        inserting.plan.insertions[0].push(Insertion::statement_before(
            &byte_range(first),
            text,
            piece,
        ));
    }
    for of in &planning.declared.types {
        match planning.making(of) {
            Making::Fields(sight) => {
                let text = match of.declared {
                    Declared::Struct(item) => fields::of_struct(item, sight),
                    Declared::Enum(item) => fields::of_enum(item),
                };
                if let Some(text) = text {
                    let piece = inserting.piece(format!("values of {}", of.key), None);
                    inserting.insert(&(of.place.file, of.place.node.clone()), piece, text);
                }
            }
            Making::Calls(ways, changes) => inserting.calls(of, &ways, &changes),
            Making::Selection => {}
        }
    }
    let functions = planning.drivers(files, &mut inserting, work);
    (inserting.plan, functions)
}

/// A plan under construction.
struct Inserting {
    plan: Plan,
    /// The number of inserted functions.
    number: usize,
}

impl Inserting {
    fn piece(&mut self, key: String, parent: Option<usize>) -> usize {
        self.plan.pieces.push(Piece {
            key,
            parent,
            variable: None,
            slot: None,
            function: None,
        });
        self.plan.pieces.len() - 1
    }

    fn insert(&mut self, (file, node): &(usize, Range<usize>), piece: usize, text: String) {
        self.plan.insertions[*file].push(Insertion::statement_after(
            node,
            format!(" {text}"),
            piece,
        ));
    }

    /// A type that is made by calls: functions beside each function that is called, where its types have their names, and
    /// a list of them. Each can be left out by itself.
    fn calls(&mut self, of: &OwnType<'_>, ways: &[Way], changes: &[Change]) {
        let Some(first) = ways.first() else { return };
        let main = self.piece(format!("values of {}", of.key), None);
        let numbered = |name: &str, all: &mut Inserting| {
            let number = all.number;
            all.number += 1;
            (
                number,
                all.piece(
                    format!("values of {} by {name} #{number}", of.key),
                    Some(main),
                ),
            )
        };
        let (mut makers, mut methods) = (Vec::new(), Vec::new());
        for way in ways {
            let (number, piece) = numbered(&way.name, self);
            self.insert(&way.at, piece, way.functions(number, PRELUDE));
            makers.push((number, piece));
        }
        for change in changes {
            let (number, piece) = numbered(&change.name, self);
            self.insert(&change.at, piece, change.functions(number, PRELUDE));
            methods.push((number, piece));
        }
        let (head, bounds) = first.head.explored();
        let mut say = |piece: usize, text: String| self.insert(&first.at, piece, text);
        say(
            main,
            format!("#[allow(warnings, clippy::all)] {head} {bounds} {{ "),
        );
        say(
            main,
            format!(
                "fn shape(shapes: &mut ::{CRATE}::Shapes) -> ::{CRATE}::Shape {{ let makers = ::{CRATE}::standard::vec!["
            ),
        );
        makers.iter().for_each(|(number, piece)| {
            say(*piece, format!("Self::{}(shapes),", described(*number)))
        });
        say(main, format!("]; let methods = ::{CRATE}::standard::vec!["));
        methods.iter().for_each(|(number, piece)| {
            say(*piece, format!("Self::{}(shapes),", described(*number)))
        });
        say(
            main,
            format!("]; ::{CRATE}::made_shape(shapes, makers, methods) }} "),
        );
        say(
            main,
            format!("fn build(tree: &::{CRATE}::Tree) -> ::core::option::Option<Self> {{ "),
        );
        say(main, format!("let makers: &[::{CRATE}::Maker<Self>] = &["));
        makers
            .iter()
            .for_each(|(number, piece)| say(*piece, format!("Self::{},", made(*number))));
        say(
            main,
            format!("]; let methods: &[::{CRATE}::Changer<Self>] = &["),
        );
        methods
            .iter()
            .for_each(|(number, piece)| say(*piece, format!("Self::{},", made(*number))));
        say(
            main,
            format!("]; ::{CRATE}::made(tree, makers, methods) }} "),
        );
        say(
            main,
            format!("fn tree(&self) -> ::core::option::Option<::{CRATE}::Tree> {{ None }} }}"),
        );
    }
}

/// Returns the `#[cfg(…)]` attributes, to be repeated.
fn conditions(attributes: &[syn::Attribute]) -> String {
    use quote::ToTokens as _;
    let conditions = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"));
    conditions
        .map(|attribute| format!("{} ", attribute.to_token_stream()))
        .collect()
}

/// The beginning of every implementation.
const PRELUDE: &str = "#[allow(unused_imports)] use ::situ_explore::{Known as _, SeenKnown as _, SeenUnknown as _, Unknown as _}; \
     #[allow(unused_imports)] use crate::__situ_answers::*;";

/// Returns an implementation of three functions' bodies.
fn written(head: &str, bounds: &str, shape: &str, build: &str, tree: &str) -> String {
    format!(
        "#[allow(warnings, clippy::all)] {head} {bounds} {{ \
         fn shape(shapes: &mut ::{CRATE}::Shapes) -> ::{CRATE}::Shape {{ {PRELUDE} {shape} }} \
         fn build(tree: &::{CRATE}::Tree) -> ::core::option::Option<Self> {{ {PRELUDE} {build} }} \
         fn tree(&self) -> ::core::option::Option<::{CRATE}::Tree> {{ {PRELUDE} {tree} }} }}"
    )
}

#[cfg(test)]
mod tests;
