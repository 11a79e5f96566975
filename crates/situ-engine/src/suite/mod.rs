//! The tests of a workspace: which there are, which of them are meant, how they ended, and how that is told.
//!
//! [`catalog`] reads the sources, [`choose`] picks, [`run`] builds and runs, and everything that happens is an [`event`],
//! from which [`junit`], [`annotations`] and [`crate::page`] make their reports.

pub mod annotations;
pub mod catalog;
pub mod choose;
pub mod event;
pub mod junit;
pub mod nextest;
pub mod programs;
pub mod run;
mod skips;
pub mod watch;
