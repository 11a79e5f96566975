//! `cargo situ test`: picks tests of a workspace, builds and executes them, and reports each as an [`event`].
//!
//! [`crate::programs::catalog`] reads the sources, [`choose`] picks, [`run`] builds and executes;
//! [`accept`] replaces expected values with found ones.

pub mod accept;
pub mod choose;
pub mod event;
pub(crate) mod nextest;
pub mod run;
pub mod watch;
