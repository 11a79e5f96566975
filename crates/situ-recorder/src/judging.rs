//! The root of the run time for tests with rows: the mutant switch and what judges rows with it, as a crate by itself.

pub mod mutant;
pub mod switch;

/// The standard library, for what is added to crates that go without it.
pub use ::std;
pub use switch::{no, s, t};
