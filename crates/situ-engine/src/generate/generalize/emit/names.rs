//! The names of parameterized tests and of their parameters.

use super::{Emitting, Parameterized};
use crate::generate::generalize::find::arguments::OVER;
use crate::generate::generalize::pair::candidate::Place;
use crate::generate::generalize::scope::token_text::words_in;
use crate::generate::generalize::slice::unused_fixes::Mending;
use std::collections::{BTreeMap, BTreeSet};

/// The names that are taken in each module.
pub(super) type Taken = BTreeMap<Place, BTreeSet<String>>;

impl Emitting<'_> {
    /// Returns the names of the functions in the modules of the tests.
    pub(crate) fn names_taken(&self) -> Taken {
        let mut taken = Taken::new();
        for studied in self.material.tests {
            let names = studied.test.beside.iter().filter_map(|item| match item {
                syn::Item::Fn(function) => Some(function.sig.ident.to_string()),
                _ => None,
            });
            taken
                .entry(Place::of(&studied.test))
                .or_default()
                .extend(names);
        }
        taken
    }

    /// Returns a unique name for a test.
    pub(crate) fn name(&self, test: &Parameterized, taken: &mut Taken) -> String {
        let target = &self.made.targets[test.target];
        let (of, function) = (
            &self.material.tests[target.test].test,
            self.material.function(self.made, target),
        );
        // `new` alone says nothing.
        let of_type = function
            .function
            .of_type
            .as_deref()
            .filter(|_| !function.function.has_receiver);
        let of_type = of_type
            .map(|of_type| format!("{}_", snake_case(of_type)))
            .unwrap_or_default();
        let behind = if test.is_negative { "_fails" } else { "" };
        let base = format!(
            "{}{OVER}{of_type}{}{behind}",
            of.name(),
            function.function.name
        )
        .replace("r#", "");
        let taken = taken.entry(Place::of(of)).or_default();
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        let name = [base.clone()]
            .into_iter()
            .chain(numbered)
            .find(|name| !taken.contains(name))
            .unwrap_or(base);
        taken.insert(name.clone());
        name
    }

    /// Returns the names of the parameters in a test: those of the function, unless the test uses
    /// them otherwise.
    pub(super) fn parameters(&self, test: &Parameterized) -> Vec<String> {
        self.parameters_of(test.target, &test.candidates, &test.mending)
    }

    pub(super) fn parameters_of(
        &self,
        target: usize,
        candidates: &[usize],
        mending: &Mending,
    ) -> Vec<String> {
        let target = &self.made.targets[target];
        let placeholders: Vec<String> = (0..target.arguments.len())
            .map(|at| format!("situ_{at}"))
            .collect();
        let mut used: BTreeSet<String> =
            words_in(&self.statements_of(target, candidates, &placeholders, mending))
                .into_iter()
                .collect();
        // An outer variable of that name would shadow the parameter.
        used.extend(
            self.material
                .scope(target)
                .body
                .variables
                .iter()
                .map(|variable| variable.name.clone()),
        );
        let table = &self.made.tables[target.table];
        let free = |(at, name): (usize, &String)| {
            if let Some(variable) = &target.variables[at] {
                return variable.clone();
            }
            let receiver = self
                .material
                .function(self.made, target)
                .function
                .of_type
                .as_deref()
                .map(snake_case);
            let name = receiver.as_ref().filter(|_| name == "self").unwrap_or(name);
            let plain = name.trim_start_matches('_');
            let plain = if plain.is_empty() { "argument" } else { plain };
            let mut names = [plain.to_owned(), format!("{plain}_argument")]
                .into_iter()
                .chain((2..).map(|at| format!("{plain}_{at}")));
            names.find(|name| !used.contains(name)).unwrap_or_default()
        };
        table.names.iter().enumerate().map(free).collect()
    }
}

/// `PeriodicTable` → `periodic_table`
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (at, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && at > 0 && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_words_with_underscores() {
        assert_eq!(snake_case("PeriodicTable"), "periodic_table");
        assert_eq!(snake_case("Url"), "url");
    }
}
