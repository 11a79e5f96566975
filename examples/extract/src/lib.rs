//! Statements in the middle of functions, each with the in-situ tests that `cargo situ extract --write` made for it out of
//! what the unit tests computed there. The ideas are those of four figures of the paper on extracted inline tests.
//!
//! A test of the repository takes the in-situ tests out, extracts them again, and compares.

pub mod fields;
pub mod patterns;
pub mod templates;
pub mod utf8;
