//! The root of a smaller crate: the mutant switch, and the code that judges rows with it.

pub mod mutant;
pub mod switch;

/// The standard library, for code that is added to `no_std` crates.
pub use ::std;
pub use switch::{no, s, t};
