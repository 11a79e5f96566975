//! Parameterized tests as a reader sees them.

mod case_names;
mod grouping;
mod names;
mod redundancy;
mod rstest;
mod theory;
mod tidying;
pub(crate) mod verify;

pub use rstest::RSTEST;
pub(super) use theory::points_of;

use super::find::arguments::{ArgumentSet, Origin};
use super::pair::candidate::{Candidates, Material, Target};
use super::report::Case;
use super::scope::binders::{Bound, marked};
use super::slice::Copy;
use super::slice::unused_fixes::Mending;
use super::trial::classify::Classified;
use crate::edit::NewItem;
use crate::source::byte_range;
use case_names::{From, case_names};
use situ_syntax::TestAttribute;
use std::collections::BTreeSet;
use tidying::tidy;

/// The number of tests that a comment names; of more it gives the number.
const MAX_NAMED: usize = 3;

/// How parameterized tests are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `#[rstest]` with named cases.
    Rstest,
    /// `#[theory]` with data points.
    Theory,
}

/// A parameterized test.
#[derive(Clone, Debug)]
pub(super) struct Parameterized {
    /// The call that it is parameterized over, by number.
    pub target: usize,
    /// The tests that it is made from, by number, that of the call first.
    pub tests: Vec<usize>,
    /// The candidates whose assertions it has.
    pub candidates: Vec<usize>,
    /// Its cases: rows of the table.
    pub rows: Vec<usize>,
    /// The rows that the original test has.
    pub original: BTreeSet<usize>,
    /// All arguments that it holds for, and those that falsify it.
    pub valid: usize,
    /// Rows for which an assertion fails.
    pub falsifying: Vec<usize>,
    pub name: String,
    /// The repairs after compiler warnings.
    pub mending: Mending,
    /// Whether it states that the assertion fails.
    pub is_negative: bool,
    /// Whether it may hold for its other arguments by chance.
    pub may_be_chance: bool,
    /// Whether another test asserts the same with the values that its argument is built from.
    pub is_redundant: bool,
}

impl Parameterized {
    /// Returns whether it has arguments that the original test does not have.
    pub(super) fn shows_more(&self) -> bool {
        self.rows.iter().any(|row| !self.original.contains(row))
    }
}

/// The input of the emission.
pub(super) struct Emitting<'e> {
    /// What candidates are made of.
    pub material: &'e Material<'e>,
    /// The candidates.
    pub made: &'e Candidates,
    /// How they are written.
    pub style: Style,
}

impl Emitting<'_> {
    fn set(&self, target: &Target, row: usize) -> &ArgumentSet {
        let table = &self.made.tables[target.table];
        &self.material.functions[table.function].sets[table.rows[row].set]
    }

    /// Returns the statements of a test with these names instead of arguments.
    fn statements(&self, test: &Parameterized, names: &[String]) -> String {
        self.statements_of(
            &self.made.targets[test.target],
            &test.candidates,
            names,
            &test.mending,
        )
    }

    /// Returns the variables that a test binds, in order, with their origins.
    pub(super) fn binders(&self, test: &Parameterized) -> Vec<Bound> {
        let mending = test.mending.with_marks();
        let (target, names) = (&self.made.targets[test.target], self.parameters(test));
        marked(&self.statements_of(target, &test.candidates, &names, &mending))
    }

    fn statements_of(
        &self,
        target: &Target,
        candidates: &[usize],
        names: &[String],
        mending: &Mending,
    ) -> String {
        let studied = &self.material.tests[target.test];
        let replaced = target.replaced(|at| names[at].clone());
        let chosen: Vec<usize> = candidates
            .iter()
            .map(|at| self.made.all[*at].assertion)
            .collect();
        let copy = Copy {
            text: studied.test.text(),
            scope: self.material.scope(target),
            call: self.material.call(target),
            replaced: &replaced,
            chosen: &chosen,
            reached: "",
            looking: &self.material.looking,
            mending,
        };
        let statements = copy.statements().unwrap_or_default();
        let mut statements: Vec<String> =
            statements.iter().map(|statement| tidy(statement)).collect();
        // The tail of a closure becomes a statement here.
        if let Some(last) = statements
            .last_mut()
            .filter(|last| !last.ends_with([';', '}']))
        {
            last.push_str(if studied.test.gives_result() { "" } else { ";" });
        }
        statements.join("\n")
    }

    /// Returns the body of a test, independent of its arguments.
    fn body(&self, target: usize, group: &[&Classified]) -> String {
        let candidates: Vec<usize> = group.iter().map(|one| one.candidate).collect();
        let mending = Mending::default();
        let names = self.parameters_of(target, &candidates, &mending);
        let statements =
            self.statements_of(&self.made.targets[target], &candidates, &names, &mending);
        let (before, behind) = self.frame(target);
        let statements = without_layout(&without_names(&statements, &names));
        format!(
            "{} {before} {behind} {statements}",
            self.attributes(target).join(" ")
        )
    }

    /// Returns the comment above a test.
    fn comment(&self, test: &Parameterized) -> String {
        let target = &self.made.targets[test.target];
        let function = &self.material.function(self.made, target).path;
        let names: Vec<String> = test
            .tests
            .iter()
            .map(|at| format!("`{}`", self.material.tests[*at].test.name()))
            .collect();
        let names = match names.as_slice() {
            [first, others @ ..] if others.len() > MAX_NAMED => {
                format!("{first} and {} other tests", others.len())
            }
            [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
            names => names.concat(),
        };
        let (plural, holds) = if test.candidates.len() == 1 {
            ("", "does")
        } else {
            ("s", "do")
        };
        match test.is_negative {
            true => {
                format!(
                    "// {names} for arguments of `{function}` for which the assertion{plural} {holds} not hold."
                )
            }
            // The reader decides whether that is intended.
            false if test.may_be_chance => {
                format!(
                    "// {names} for other arguments of `{function}`: it holds for one of many, perhaps by chance."
                )
            }
            false => format!("// {names} for other arguments of `{function}`."),
        }
    }

    /// Returns the attributes of the original that the new test needs.
    fn attributes(&self, target: usize) -> Vec<String> {
        let of = &self.material.tests[self.made.targets[target].test].test;
        let is_replaced = of.is_plain() || self.style == Style::Theory;
        let kept = of.running_attributes().filter(|attribute| {
            !(is_replaced && TestAttribute::of(attribute) == Some(TestAttribute::Test))
        });
        kept.map(|attribute| of.text()[byte_range(attribute)].to_owned())
            .collect()
    }

    /// Returns the code before and after the parameters: `async`, the return type.
    fn frame(&self, target: usize) -> (String, String) {
        let of = &self.material.tests[self.made.targets[target].test].test;
        let signature = &of.item.sig;
        let before = if signature.asyncness.is_some() {
            "async "
        } else {
            ""
        };
        let behind = match &signature.output {
            syn::ReturnType::Default => String::new(),
            written => format!(" {}", &of.text()[byte_range(written)]),
        };
        (before.to_owned(), behind)
    }

    /// Returns a test as an item after its original, or `None` if the style cannot express it.
    pub(super) fn item(&self, test: &Parameterized) -> Option<NewItem> {
        let text = match self.style {
            Style::Rstest => rstest::text(self, test),
            Style::Theory => theory::text(self, test)?,
        };
        let of = &self.material.tests[self.made.targets[test.target].test].test;
        Some(NewItem {
            file: of.file.path.clone(),
            after: of.range.end,
            text,
        })
    }

    /// Returns the cases of a test, each with its origin.
    pub(super) fn cases(&self, test: &Parameterized) -> Vec<Case> {
        let target = &self.made.targets[test.target];
        let own = self.material.tests[target.test].test.path();
        let table = &self.made.tables[target.table];
        let from = |row: &usize| {
            let origins = &table.rows[*row].origins;
            let mut others = origins.iter().filter(|origin| origin.name() != own);
            match others.next() {
                _ if test.original.contains(row) => From::Original,
                None if !origins.is_empty() => From::Inside,
                other => From::Elsewhere(other),
            }
        };
        let shown = |row: &usize| table.rows[*row].shown.as_slice();
        let cases: Vec<(From<'_>, &[String])> = test
            .rows
            .iter()
            .map(|row| (from(row), shown(row)))
            .collect();
        let named = case_names(&cases)
            .into_iter()
            .zip(&test.rows)
            .map(|(name, row)| {
                let set = self.set(target, *row);
                let of = |origin: &Origin| matches!(origin, Origin::Test(_));
                let (tests, workloads): (Vec<&Origin>, Vec<&Origin>) = table.rows[*row]
                    .origins
                    .iter()
                    .partition(|origin| of(origin));
                let names = |origins: Vec<&Origin>| {
                    origins
                        .into_iter()
                        .map(|origin| origin.name().to_owned())
                        .collect()
                };
                Case {
                    name: if set.panics {
                        format!("panics_{name}")
                    } else {
                        name
                    },
                    values: shown(row).to_vec(),
                    original: test.original.contains(row),
                    tests: names(tests),
                    workloads: names(workloads),
                    panicked: set.panics,
                }
            });
        named.collect()
    }
}

/// Removes white space, because tests that differ only in layout are the same.
fn without_layout(text: &str) -> String {
    text.parse::<proc_macro2::TokenStream>()
        .map_or_else(|_| text.to_owned(), |tokens| tokens.to_string())
}

/// Replaces parameter names by numbers, because tests that differ only in names are the same.
fn without_names(text: &str, names: &[String]) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut plain = String::new();
    for part in text.split_inclusive(|letter| !is_part(letter)) {
        let word = part.trim_end_matches(|letter| !is_part(letter));
        match names.iter().position(|name| name == word) {
            Some(number) => plain.push_str(&format!("${number}{}", &part[word.len()..])),
            None => plain.push_str(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_differ_in_the_names_of_parameters_are_the_same() {
        let plain = |text: &str, name: &str| without_names(text, &[name.to_owned()]);
        assert_eq!(
            plain("f(word).unwrap()", "word"),
            plain("f(text).unwrap()", "text")
        );
        assert_ne!(plain("f(words)", "word"), plain("f(text)", "text"));
        assert_eq!(
            without_layout("assert_eq!(f(1), 2);"),
            without_layout("assert_eq!(\n    f(1),\n    2\n);")
        );
    }
}
