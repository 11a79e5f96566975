//! Calls of a function with made values, on the original and with mutants switched on, and where the two differ.
//!
//! The command inserts a test for each function into the instrumented crate; [`drive`] searches arguments in it. What a
//! call gives is an [`Outcome`]: captured values, a panic, or that it does not end.

mod call;
mod hunt;
mod outcome;
mod targets;

pub use call::{Call, drive, keep, verify};
pub use outcome::Outcome;
