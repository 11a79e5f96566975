//! Which rows and which of the crate's own tests kill which mutants.

pub(crate) mod matrix;
pub(crate) mod observer_tests;
pub(crate) mod rerun;
pub(crate) mod slow_tests;
pub(crate) mod unit_kills;
