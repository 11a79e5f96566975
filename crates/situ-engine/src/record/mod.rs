//! The recorder: builds a workspace from instrumented sources, runs it, and reads what it computed.

mod attempts;
pub mod compile;
pub mod index;
pub mod observe;
pub mod outcomes;
pub mod plan;
pub mod read;
mod restriction;
mod round_trip;
mod run;
mod session;
pub(crate) mod settle;
pub mod show;
mod time_limit;
mod watch;
pub(crate) mod woven;

pub use restriction::Restriction;
pub use round_trip::{RoundTrip, types_of};
pub use run::{Options, Report, Times, Workload, build_instrumented, record, recordings_folder};
pub use time_limit::TimedOut;
