//! The mutation engine: all mutants of a workspace in one build, switched on one by one at run time.

pub mod baseline;
mod blame;
pub mod build;
pub(crate) mod conditions;
mod constants;
pub mod diff;
pub mod doctests;
mod empty_selection;
pub mod expansion;
mod first_rows;
pub mod inventory;
pub mod judge;
pub mod judges;
mod learned;
mod memory;
pub mod mutant;
pub mod operators;
mod pace;
pub mod parallel;
mod reach;
mod ready;
pub mod report;
pub mod rows;
pub mod run;
mod select;
#[cfg(all(test, unix))]
pub(crate) mod shell_program;
mod singly;
pub mod sites;
pub mod stability;
pub mod suite;
pub mod test_list;
pub mod unit;
pub(crate) mod walk;
mod weave;

pub use conditions::needs_test;
