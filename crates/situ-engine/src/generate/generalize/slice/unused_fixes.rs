//! Repairs after compiler warnings in a copy: variables, imports and `mut` that only dropped
//! assertions needed.

use crate::base::diagnostics::Diagnostic;
use crate::generate::generalize::scope::binders::{Bound, mark};
use crate::generate::generalize::scope::body::Variable;
use std::collections::BTreeSet;
use std::ops::Range;

/// What a copy does not need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mending {
    /// Dead variables.
    dead: BTreeSet<Bound>,
    /// Variables whose first value is dead: they are declared where they are assigned next.
    begun_late: BTreeSet<String>,
    /// Variables that never change.
    constant: BTreeSet<Bound>,
    /// Unused items.
    items: BTreeSet<String>,
    /// Unused imports.
    imports: BTreeSet<String>,
    /// Whether a mark after each variable gives its place in the source.
    is_marked: bool,
}

impl Mending {
    /// Returns these repairs with marks after variables.
    pub(crate) fn with_marks(&self) -> Mending {
        Mending {
            is_marked: true,
            ..self.clone()
        }
    }

    /// Adds what a warning reports; returns whether it is new. `binders` are the variables at their
    /// places in the warning's file.
    pub(crate) fn learn(
        &mut self,
        warning: &Diagnostic,
        binders: &[(Bound, Range<usize>)],
    ) -> bool {
        let lint = warning.code.as_ref().map_or("", |code| code.code.as_str());
        let named = || {
            warning
                .message
                .split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
        };
        match lint {
            "unused_variables" => extended(&mut self.dead, meant(warning, binders)),
            // The warning is about one value; if the variable has no other, it is dead.
            "unused_assignments" => {
                let mut own = named()
                    .flat_map(|name| binders.iter().filter(move |((bound, _), _)| *bound == name));
                let (Some((first, _)), None) = (own.next(), own.next()) else {
                    return false;
                };
                self.begun_late.insert(first.0.clone()) || self.dead.insert(first.clone())
            }
            "dead_code" | "unused_macros" => extended(&mut self.items, named()),
            "unused_imports" => extended(&mut self.imports, named()),
            "unused_mut" => extended(&mut self.constant, meant(warning, binders)),
            _ => false,
        }
    }

    /// Returns whether an import is one that nothing needs.
    pub(crate) fn is_unused(&self, import: &str) -> bool {
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        self.imports
            .iter()
            .any(|name| plain(import).ends_with(&format!("{};", plain(name))))
    }

    /// Returns whether an item of this name is unused.
    pub(crate) fn is_dead_item(&self, name: &str) -> bool {
        self.items.contains(name)
    }

    /// Returns `let name = ` for an assignment at a place, if the variable's earlier value is dead.
    pub(crate) fn beginning(&self, name: &str, place: usize) -> Option<String> {
        let mark = if self.is_marked {
            mark(place)
        } else {
            String::new()
        };
        let is_constant = self.constant.contains(&(name.to_owned(), Some(place)));
        let mutable = if is_constant { "" } else { "mut " };
        self.begun_late
            .contains(name)
            .then(|| format!("let {mutable}{name}{mark} = "))
    }

    /// Returns whether a variable is dead.
    pub(crate) fn is_dead(&self, variable: &Variable) -> bool {
        self.dead.contains(&variable.bound())
    }

    /// Returns how a variable is bound, if that differs from `source`.
    pub(crate) fn pattern(&self, variable: &Variable, source: &str) -> Option<String> {
        let Variable {
            name,
            is_mutable,
            is_field,
            range,
        } = variable;
        let mark = range
            .as_ref()
            .filter(|_| self.is_marked)
            .map(|range| mark(range.start));
        match () {
            () if self.is_dead(variable) => Some(if *is_field {
                format!("{name}: _")
            } else {
                "_".to_owned()
            }),
            () if *is_mutable && self.constant.contains(&variable.bound()) => {
                Some(format!("{name}{}", mark.unwrap_or_default()))
            }
            () => mark.map(|mark| format!("{source}{mark}")),
        }
    }

    /// Returns `let mut name = ` without unneeded parts.
    pub(crate) fn binding(&self, binding: &str, name: &str) -> String {
        match self.constant.contains(&(name.to_owned(), None)) {
            true => binding.replacen("let mut ", "let ", 1),
            false => binding.to_owned(),
        }
    }
}

/// Extends a set; returns whether something is new.
fn extended<T: Ord>(set: &mut BTreeSet<T>, new: impl IntoIterator<Item = T>) -> bool {
    let before = set.len();
    set.extend(new);
    set.len() > before
}

/// Returns the variables that a warning points at.
fn meant(warning: &Diagnostic, binders: &[(Bound, Range<usize>)]) -> Vec<Bound> {
    let spans = || warning.spans.iter().filter(|span| span.is_primary);
    let is_meant = |range: &Range<usize>| {
        spans().any(|span| range.start <= span.byte_start && span.byte_start < range.end)
    };
    binders
        .iter()
        .filter(|(_, range)| is_meant(range))
        .map(|(bound, _)| bound.clone())
        .collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn warning(lint: &str, message: &str, start: usize, end: usize) -> Diagnostic {
        let span = serde_json::json!({ "file_name": "src/lib.rs", "byte_start": start, "byte_end": end,
            "line_start": 1, "line_end": 1, "column_start": 1, "column_end": 1, "is_primary": true,
            "text": [], "label": null, "suggested_replacement": null, "suggestion_applicability": null, "expansion": null });
        let json = serde_json::json!({ "message": message, "code": { "code": lint, "explanation": null },
            "level": "warning", "spans": [span], "children": [], "rendered": null });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn what_the_compiler_calls_unused_goes_and_nothing_is_learned_twice() {
        let mut mending = Mending::default();
        let bound = |name: &str, place: usize| (name.to_owned(), Some(place));
        let binders = [
            (bound("found", 100), 10..15),
            (bound("rest", 200), 20..28),
            (bound("found", 300), 40..45),
        ];
        assert!(mending.learn(
            &warning("unused_variables", "unused variable: `found`", 10, 15),
            &binders
        ));
        assert!(!mending.learn(
            &warning("unused_variables", "unused variable: `found`", 10, 15),
            &binders
        ));
        assert!(mending.learn(
            &warning("unused_mut", "variable does not need to be mutable", 20, 28),
            &binders
        ));
        assert!(mending.learn(
            &warning(
                "unused_imports",
                "unused import: `std::fmt::Write as _`",
                0,
                1
            ),
            &binders
        ));
        assert!(!mending.learn(
            &warning("unused_must_use", "unused `Result` that must be used", 0, 1),
            &binders
        ));
        let of_two = warning(
            "unused_assignments",
            "value assigned to `found` is never read",
            50,
            55,
        );
        assert!(
            !mending.learn(&of_two, &binders),
            "it cannot be told which one is meant"
        );
        assert!(mending.learn(
            &warning("unused_macros", "unused macro definition: `error`", 0, 1),
            &binders
        ));
        assert!(mending.is_dead_item("error"));
    }

    #[test]
    fn a_variable_begins_where_its_first_value_is_given_up_and_is_dead_if_that_does_not_help() {
        let mut mending = Mending::default();
        let binders = [(("found".to_owned(), Some(100)), 10..15)];
        let never_read = warning(
            "unused_assignments",
            "value assigned to `found` is never read",
            50,
            55,
        );
        assert_eq!(mending.beginning("found", 200), None);
        assert!(mending.learn(&never_read, &binders));
        assert_eq!(
            mending.beginning("found", 200).as_deref(),
            Some("let mut found = ")
        );
        let anew = [(("found".to_owned(), Some(200)), 10..15)];
        assert!(mending.learn(
            &warning("unused_mut", "variable does not need to be mutable", 10, 15),
            &anew
        ));
        assert_eq!(
            mending.beginning("found", 200).as_deref(),
            Some("let found = ")
        );
        assert_eq!(
            mending.with_marks().beginning("found", 200).as_deref(),
            Some("let found/*situ 200*/ = ")
        );
        assert!(mending.learn(&never_read, &binders) && !mending.learn(&never_read, &binders));
    }

    #[test]
    fn variables_are_written_as_far_as_they_are_needed() {
        let mut mending = Mending::default();
        let bound = |name: &str, place: usize| (name.to_owned(), Some(place));
        let binders = [
            (bound("found", 100), 10..15),
            (bound("rest", 200), 20..28),
            (bound("found", 300), 40..45),
        ];
        mending.learn(
            &warning("unused_variables", "unused variable: `found`", 10, 15),
            &binders,
        );
        mending.learn(
            &warning("unused_mut", "variable does not need to be mutable", 20, 28),
            &binders,
        );
        mending.learn(
            &warning(
                "unused_imports",
                "unused import: `std::fmt::Write as _`",
                0,
                1,
            ),
            &binders,
        );
        assert!(
            mending.is_unused("use std::fmt::Write as _;") && !mending.is_unused("use std::io;")
        );
        let variable = |name: &str, is_mutable: bool, is_field: bool, place: usize| Variable {
            name: name.to_owned(),
            is_mutable,
            is_field,
            range: Some(place..place + 4),
        };
        assert_eq!(
            mending
                .pattern(&variable("found", false, false, 100), "found")
                .as_deref(),
            Some("_")
        );
        assert_eq!(
            mending
                .pattern(&variable("found", false, true, 100), "found")
                .as_deref(),
            Some("found: _")
        );
        assert_eq!(
            mending.pattern(&variable("found", false, false, 300), "found"),
            None,
            "another one of its name"
        );
        assert_eq!(
            mending
                .pattern(&variable("rest", true, false, 200), "mut rest")
                .as_deref(),
            Some("rest")
        );
        assert_eq!(
            mending.pattern(&variable("other", true, false, 400), "mut other"),
            None
        );
        let marked = mending
            .with_marks()
            .pattern(&variable("other", true, false, 400), "mut other");
        assert_eq!(marked.as_deref(), Some("mut other/*situ 400*/"));
        mending.constant.insert(("rest".to_owned(), None));
        assert_eq!(mending.binding("let mut rest = ", "rest"), "let rest = ");
    }
}
