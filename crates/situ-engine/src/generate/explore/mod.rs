//! The exploration of theories: a search for inputs that violate them.
//!
//! In order: `run` (the stages) → `theories` (the theories and their places) → `sources` and
//! `constants` (the literals of the sources) → `plan` (how values of the workspace's types are
//! constructed) → `compile` and `build` (test programs with coverage and comparisons) → `workers`
//! (the distribution of work) → `child` (a process that explores one theory) and `crash` (inputs
//! that ended it) → `explored` (the results of one theory) → `report_builder`, `points` and
//! `naming` (a violation as data points) → `report`.

pub(crate) mod build;
pub(crate) mod child;
pub mod compile;
pub(crate) mod constants;
mod crash;
mod explored;
mod export;
mod import;
mod known_points;
mod naming;
pub(crate) mod plan;
mod plan_cache;
mod points;
pub(crate) mod recorded;
mod regexes;
mod report;
mod report_builder;
mod run;
pub(crate) mod sources;
mod theories;
mod workers;

pub use export::{Export, LeftOut, Target, export};
pub use points::{changes, preview};
pub use report::{ChangeProposal, Passing, Rejection, Report, Summary, TheoryReport, Violation};
pub use run::{Bound, Event, Request, explore};
