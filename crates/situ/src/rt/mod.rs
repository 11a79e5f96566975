//! The functions that expanded tests call. Not for users: anything here may change without notice.

mod argument;
mod check;
mod exit;
mod formatter;
mod mock;
mod report;
pub mod rows;
mod run;
pub mod seek;
mod shorten;
mod show;
mod skipped;
mod types;
mod unwind;

pub use argument::Argument;
pub use check::{Step, another_place, items};
pub use exit::{Ask, Left, Residual, asked, awaited};
pub use formatter::{Lending, Written};
pub use run::{Again, Manner, Run, run, run_as};
pub use show::{Exit, Pair, Show};
#[cfg(feature = "test")]
pub(crate) use skipped::note as note_skipped;
pub use types::{
    At, Behind, Broken, Like, a_result, an_option, at, broken, id, like, typed, typed_place,
};
pub use unwind::Caught;

pub use crate::executor::block_on;
/// In the edition of 2015 `::core` is a module of the user's own crate.
pub use core;
