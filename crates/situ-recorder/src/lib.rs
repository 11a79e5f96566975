//! The library that is linked into an instrumented copy of a user's program.
//!
//! The crate has no dependencies and is compiled by one call of the user's own rustc from the
//! strings in `sources`, so every file here must be listed there.

pub mod bytes;
pub mod calls;
pub mod capture;
mod complaint;
// Only the reader of recordings needs these.
#[cfg(not(situ_recorded))]
pub mod decode;
pub mod exits;
// Left out of recording builds, which wait for all of this to be compiled.
#[cfg(not(situ_recorded))]
pub mod explore;
pub mod foreign;
mod fork;
#[cfg(not(situ_recorded))]
mod forms;
#[cfg(not(situ_recorded))]
pub mod kill;
pub mod lazy;
pub mod look;
mod macros;
pub mod marks;
pub mod mutant;
pub mod observe;
pub mod probe;
pub mod recorder;
pub mod recording;
pub mod reentrancy;
#[cfg(not(situ_recorded))]
pub mod rust_names;
pub mod secret;
pub mod site;
mod slots;
#[cfg(feature = "sources")]
pub mod sources;
mod stack;
pub mod streams;
pub mod switch;
pub mod value;
mod writer;

/// The standard library, for code that is added to `no_std` crates.
pub use ::std;
pub use capture::Capture;
pub use value::Shape;
pub use writer::Writer;
// The paths are short because woven code is long: `::__situ::s(1,4)`.
pub use switch::{no, s, t};
