//! In-situ tests that fail on purpose, so that what they say can be read.
#![deny(warnings)]

pub mod flow;
pub mod leaving;
pub mod mocks;
pub mod runs;
pub mod values;
