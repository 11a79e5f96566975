//! Generated tests on trial: a mirror of the workspace that holds them is built, and they are run in several environments.

pub(crate) mod compile;
pub(crate) mod environments;
pub(crate) mod parts;
pub(crate) mod ways;
