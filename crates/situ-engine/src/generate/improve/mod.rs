//! `cargo situ improve`: the fewest assertions that kill what the suite leaves alive, where a maintainer would write them.
//!
//! Survivors → calls of their functions with arguments near those in the code and its tests → what each call gives →
//! which survivors each kills → calls that a search finds for the others → the fewest → assertions in existing tests, or new tests beside them → verified.

mod calls;
mod case_name;
mod expected;
mod kept;
mod killing;
mod place;
mod report;
mod run;
mod subject;
mod trial_tests;

pub use report::{Form, Improvement, Report, Summary};
pub use run::{Request, changes, diff_since, improve, preview};
