//! Explores theories: looks for inputs that violate them.
//!
//! From outside in: `run` (the whole, in order) → `theories` (which there are, and where) → `constants` (what the sources
//! compare with) → `plan` (how values of the workspace's types are made) → `compile` and `build` (test programs with
//! coverage and comparisons in them) → `child` (a process that explores one theory) and `crash` (what ended it) →
//! `points` and `naming` (a violation as data points) → `report`.

mod build;
mod child;
pub mod compile;
mod constants;
mod crash;
mod naming;
mod plan;
mod points;
mod report;
mod run;
mod theories;

pub use report::{Passing, Rejection, Report, Summary, TheoryReport, Violation};
pub use run::{Bound, Event, Request, explore};
