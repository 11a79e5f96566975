//! `cargo situ extract`: tests of statements, made from recorded values.
//!
//! Recording → statements and candidates → rows of one test each, settled with the compiler → kill
//! matrix → the fewest rows → final tests, verified → a change of the user's files.

pub(crate) mod candidate;
mod choose;
pub(crate) mod compile;
pub(crate) mod find;
mod improve;
pub(crate) mod judge;
mod report;
mod run;
pub(crate) mod table;
mod update;

pub use candidate::statement::WithoutTest;
pub use choose::Keep;
pub use choose::reduce::Algorithm;
pub use find::selection::Selection;
pub use report::setbacks::{Phase, Setback};
pub use report::{Extracted, Level, OfKind, OfStatement, Report, Summary};
pub use run::{Request, Source, extract};
pub use update::{FailingTest, Outdated};

#[cfg(test)]
mod tests;
