//! Recording: builds a workspace from instrumented sources, executes it, and reads the captured
//! values.

mod attempts;
pub(crate) mod close;
pub mod compile;
mod encoded;
pub(crate) mod index;
pub(crate) mod instrumented_files;
pub mod masking;
pub mod merge;
pub(crate) mod observe;
pub mod plan;
pub mod read;
mod record_file;
mod restriction;
mod round_trip;
mod run;
pub(crate) mod secrets;
mod session;
pub(crate) mod settle;
pub mod show;
mod time_limit;
mod watch;
pub mod withheld;
mod workspace_types;

pub use record_file::{Lost, Record, RecordFile, read_file};
pub use restriction::Restriction;
pub use round_trip::RoundTrip;
pub use run::{
    Options, Report, Times, Workload, build_instrumented, record, recording_folder,
    recordings_folder,
};
pub use time_limit::TimedOut;
pub use workspace_types::{declarations_of, types_of};
