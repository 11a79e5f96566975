//! Tries generated tests: builds a mirror of the workspace that contains them, and runs them in
//! several environments.

pub(crate) mod compile;
pub(crate) mod environments;
pub(crate) mod owned_text;
pub(crate) mod parts;
pub(crate) mod settle;
pub(crate) mod ways;
