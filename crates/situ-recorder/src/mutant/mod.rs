//! Mutants inside one process: the switch, and rows that are judged with it.

pub mod rows;

pub use crate::switch::{OUT_OF_FUEL, OutOfFuel, switch_off, switch_on};
