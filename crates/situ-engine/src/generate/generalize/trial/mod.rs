//! Candidates compiled together, executed with each argument set, classified and judged by mutants.

pub(crate) mod argument_log;
pub(crate) mod classify;
pub(crate) mod copies;
pub(crate) mod mirror_file;
pub(crate) mod mutants;
pub(crate) mod settle;
pub(crate) mod trials;
