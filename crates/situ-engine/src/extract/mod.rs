//! `cargo situ extract`: tests of statements, made from what a recording saw there.
//!
//! Recording → statements and candidates → rows of one test each, settled with the compiler → kill matrix → the fewest
//! rows → tests as a reader sees them, verified → a change of the user's files.

mod answers;
mod as_written;
mod asked;
mod blame;
mod branches;
pub(crate) mod candidate;
mod choose;
mod claims;
mod clauses;
mod context;
mod cuts;
mod decisions;
mod edges;
mod elements;
mod fields;
mod found_calls;
mod gone_through;
mod held;
mod improve;
mod left_out;
mod locate;
mod lost;
mod matrix;
pub(crate) mod mocks;
mod near;
mod needed;
mod numbers;
mod observing;
mod outcome;
mod own_tests;
mod parts;
mod rank;
pub mod reaching;
mod reduce;
mod report;
mod rerun;
mod rows;
mod run;
mod sample;
mod seek;
mod settle;
mod shapes;
mod shorten;
mod shorter;
mod shown;
mod shown_groups;
mod sides;
mod slow_tests;
mod spot;
mod standing_in;
mod statement;
mod streams;
pub mod survey;
mod trials;
mod unseen;
mod update;
mod verify;

pub use asked::Asked;
pub use choose::Keep;
pub use reduce::Algorithm;
pub use report::{Extracted, Level, OfKind, OfStatement, Report, Summary};
pub use run::{Request, Source, extract};
pub use statement::WithoutTest;

#[cfg(test)]
mod tests;
