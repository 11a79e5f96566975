//! Mutation engine: all mutants of a workspace in one build, switched on one by one at run time.

pub(crate) mod baseline;
mod blame;
pub mod build;
mod constants;
pub(crate) mod diff;
pub mod doctests;
mod empty_selection;
pub mod expansion;
mod first_rows;
pub mod inventory;
pub(crate) mod isolate;
mod isolated_builds;
pub mod judge;
pub mod killing_call;
pub(crate) mod measured_build;
pub mod mutant;
pub mod operators;
mod optimize_payoff;
mod reach;
mod rejection_cache;
pub mod report;
pub(crate) mod row_harness;
pub mod rows;
pub mod run;
mod select;
pub mod sites;
#[cfg(test)]
mod snapshots;
pub(crate) mod stability;
pub mod unit;
mod verdict_cache;
pub(crate) mod walk;
mod weave;
