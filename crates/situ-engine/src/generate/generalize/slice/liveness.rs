//! Liveness of a test's variables in its copy, and what may change them.

use super::effects::Watched;
use super::messages::{messages_in, without_those_of, words_outside};
use super::{Copy, covers};
use crate::generate::generalize::scope::assertion::Assertion;
use crate::generate::generalize::scope::binders::marked;
use crate::generate::generalize::scope::body::{Borrow, Variable};
use crate::generate::generalize::scope::token_text::words_in;
use crate::record::plan::bindings_of;
use crate::source::byte_range;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::Local;

impl Copy<'_> {
    /// Returns whether a macro receives a live variable that it could change.
    pub(super) fn is_given_something_to_change(
        &self,
        assertion: &Assertion,
        live: &BTreeSet<String>,
    ) -> bool {
        let can_change =
            |variable: &&Variable| variable.is_mutable && live.contains(&variable.name);
        let variables = self
            .scope
            .body
            .variables
            .iter()
            .filter(can_change)
            .map(|variable| variable.name.clone());
        let borrows = self
            .scope
            .body
            .borrows
            .iter()
            .filter(|borrow| live.contains(&borrow.name));
        let changing: BTreeSet<String> = variables
            .chain(borrows.map(|borrow| borrow.name.clone()))
            .collect();
        let watched = Watched {
            live: &changing,
            mutable: &changing,
            borrowing: &changing,
            looking: self.looking,
        };
        let mut operands = assertion
            .operands
            .iter()
            .map(|operand| &self.text[operand.clone()]);
        operands.any(|operand| watched.is_changed_by(&format!("given({operand})")))
    }

    /// Returns the identifiers of source code that may be live variables.
    pub(super) fn alive(&self, text: &str) -> impl Iterator<Item = String> {
        words_outside(text)
            .into_iter()
            .filter(|word| !self.is_all_dead(self.named(word)))
    }

    /// Drops messages that mention variables which the copy does not have.
    pub(super) fn without_unknown_messages(&self, kept: Vec<String>) -> Vec<String> {
        if kept.iter().all(|text| messages_in(text).is_empty()) {
            return kept;
        }
        let bound = kept
            .iter()
            .flat_map(|text| marked(text))
            .map(|(name, _)| name);
        let by_assertions = self
            .scope
            .body
            .assertions
            .iter()
            .flat_map(|assertion| assertion.binds.iter().cloned());
        let given = self.replaced.iter().map(|(_, name)| name.clone());
        let known: BTreeSet<String> = bound.chain(by_assertions).chain(given).collect();
        let is_unknown = |word: &str| {
            !known.contains(word) && (self.is_variable(word) || self.scope.names.contains(word))
        };
        kept.iter()
            .map(|text| without_those_of(text, is_unknown))
            .collect()
    }

    fn named<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Variable> {
        self.scope
            .body
            .variables
            .iter()
            .filter(move |variable| variable.name == name)
    }

    fn is_all_dead<'n>(&self, variables: impl Iterator<Item = &'n Variable>) -> bool {
        let mut variables = variables.peekable();
        variables.peek().is_some() && variables.all(|variable| self.mending.is_dead(variable))
    }

    /// Returns whether every variable of this name bound before a place is dead.
    pub(super) fn is_dead_before(&self, name: &str, place: &Range<usize>) -> bool {
        let before = |variable: &&Variable| {
            variable
                .range
                .as_ref()
                .is_none_or(|range| range.start < place.start)
        };
        self.is_all_dead(self.named(name).filter(before))
    }

    /// Returns whether a statement binds a live variable.
    pub(super) fn is_looked_at(&self, local: &Local, live: &BTreeSet<String>) -> bool {
        let pattern = byte_range(&local.pat);
        let inside = |variable: &&Variable| {
            variable
                .range
                .as_ref()
                .is_some_and(|range| covers(&pattern, range))
        };
        let is_dead = |name: &str| self.is_all_dead(self.named(name).filter(inside));
        bindings_of(&local.pat)
            .iter()
            .any(|(name, _)| live.contains(name) && !is_dead(name))
    }

    pub(super) fn is_variable(&self, word: &str) -> bool {
        self.scope
            .body
            .variables
            .iter()
            .any(|variable| variable.name == word)
    }

    pub(super) fn mentions_variables(&self, text: &str) -> bool {
        words_in(text).iter().any(|word| self.is_variable(word))
    }

    pub(super) fn mentions_live(&self, text: &str, live: &BTreeSet<String>) -> bool {
        words_in(text)
            .iter()
            .any(|word| self.is_variable(word) && live.contains(word))
    }

    /// Returns whether source code, made from a part of the original, may change a live variable or
    /// has an effect that no variable shows.
    pub(super) fn changes_anything(
        &self,
        text: &str,
        part: &Range<usize>,
        live: &BTreeSet<String>,
    ) -> bool {
        self.scope.lasting.is_in(part) || self.changes_something(text, part.start, live)
    }

    /// Returns whether source code, made from a place of the original, may change a live variable.
    pub(super) fn changes_something(
        &self,
        text: &str,
        place: usize,
        live: &BTreeSet<String>,
    ) -> bool {
        let variables = self.scope.body.variables.iter();
        let mutable = variables
            .filter(|variable| variable.is_mutable)
            .map(|variable| variable.name.clone())
            .collect();
        let mut live: BTreeSet<String> = live
            .iter()
            .filter(|word| self.is_variable(word))
            .cloned()
            .collect();
        let borrows = self
            .scope
            .body
            .borrows
            .iter()
            .filter(|borrow| live.contains(&borrow.of));
        let borrowing: BTreeSet<String> = borrows
            .filter(|borrow| self.is_meant_at(borrow, place))
            .map(|borrow| borrow.name.clone())
            .collect();
        live.extend(borrowing.iter().cloned());
        Watched {
            live: &live,
            mutable: &mutable,
            borrowing: &borrowing,
            looking: self.looking,
        }
        .is_changed_by(text)
    }

    /// Returns whether the name of a borrow refers to it at a place, and is not shadowed.
    fn is_meant_at(&self, borrow: &Borrow, place: usize) -> bool {
        let places: Vec<&Range<usize>> = self
            .named(&borrow.name)
            .filter_map(|variable| variable.range.as_ref())
            .collect();
        let last = places.iter().rfind(|range| range.start < place);
        last.or(places.first())
            .is_none_or(|range| covers(&borrow.bound, range))
    }
}
