//! `cargo situ generalize`: parameterized tests from ordinary tests and recorded arguments.
//!
//! Tests with their calls and assertions, recorded arguments → candidates → copies in a mirror,
//! settled with the compiler → trials → classes → mutants for those that hold for everything →
//! final tests, verified → a change.

mod emit;
pub(crate) mod find;
pub(crate) mod pair;
mod report;
mod run;
mod scope;
mod slice;
pub(crate) mod trial;

pub use emit::{RSTEST, Style};
pub use find::selection::Selection;
pub use report::{
    ClassesOfPackage, Emitted, OfCandidate, Report, Summary, TargetFunction, Without,
};
pub use run::{Request, generalize};
pub use trial::classify::Class;

#[cfg(test)]
mod tests;
