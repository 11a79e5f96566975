//! Blocks and closures in the middle of functions, each with the in-situ tests that `cargo situ extract --level block --write`
//! made for it out of what the unit tests computed there.
//!
//! A test of the repository takes the in-situ tests out, extracts them again, and compares.

pub mod settings;
pub mod table;
