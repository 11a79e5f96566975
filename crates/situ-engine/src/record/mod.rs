//! The recorder: builds a workspace from instrumented sources, runs it, and reads what it computed.

pub mod close;
pub mod compile;
pub mod index;
pub mod observe;
pub mod outcomes;
pub mod plan;
pub mod read;
mod round_trip;
mod run;
pub mod secrets;
mod session;
pub(crate) mod settle;
pub mod show;
pub mod withheld;
pub(crate) mod woven;

pub use round_trip::{RoundTrip, types_of};
pub use run::{Options, Report, Times, Workload, build_instrumented, record, recordings_folder};
