//! Three small units, each with a test whose assertions are tied to its argument in different ways.
//!
//! `cargo situ generalize -- sh -c '$SITU_BIN'` finds out which of them hold for other arguments that the tests and
//! the program use.
#![forbid(unsafe_code)]

pub mod bag;
pub mod form;
pub mod periodic_table;
