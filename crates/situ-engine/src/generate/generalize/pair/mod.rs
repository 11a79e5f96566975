//! Candidates: one call of a test and one of its assertions, with tables of arguments.

pub(crate) mod candidate;
pub(crate) mod no_candidate;
pub(crate) mod pairing;
pub(crate) mod tables;
