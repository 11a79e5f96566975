//! Generated tests on trial: a mirror of the workspace that holds them is built, and they are run in several ways.

pub mod compile;
pub mod ways;
