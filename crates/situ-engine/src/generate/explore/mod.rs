//! Explores theories: looks for inputs that violate them.
//!
//! From outside in: `run` (the whole, in order) → `theories` (which there are, and where) → `sources` and `constants` (what
//! the sources compare with) → `plan` (how values of the workspace's types are made) → `compile` and `build` (test programs
//! with coverage and comparisons in them) → `workers` (who does what) → `child` (a process that explores one theory) and
//! `crash` (what ended it) → `explored` (all that was said of one theory) → `telling`, `points` and `naming` (a violation as
//! data points) → `report`.

mod build;
mod child;
pub mod compile;
mod constants;
mod crash;
mod explored;
mod export;
mod import;
mod known_points;
mod naming;
mod plan;
mod plan_cache;
mod points;
mod recorded;
mod regexes;
mod report;
mod report_builder;
mod run;
mod sources;
mod theories;
mod workers;

pub use export::{Export, LeftOut, Target, export};
pub use points::{changes, preview};
pub use report::{ChangeProposal, Passing, Rejection, Report, Summary, TheoryReport, Violation};
pub use run::{Bound, Event, Request, explore};
