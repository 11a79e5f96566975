//! Searches, for mutants that survive, calls of functions for which they differ from the original.
//!
//! From outside in: `run` (the whole, in order) → `unit` (the wrapper: mutants, coverage, capture and tests that call
//! functions in one program) → `search` (processes that call functions) → `call_text` (a call as Rust) → `verify` (each
//! call compiled and executed as it is written).

mod call_text;
mod run;
mod search;
mod unit;
mod verify;

pub use run::{Request, kill};
pub use unit::{MODE, compile};
