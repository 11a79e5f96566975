//! What is linked into an instrumented copy of a user's program.
//!
//! The crate has no dependencies and is compiled by one call of the user's own rustc from the texts in `sources`,
//! so every file here must be listed there.

pub mod bytes;
pub mod calls;
pub mod capture;
mod complaint;
// Only whoever reads recordings needs these.
#[cfg(not(situ_recorded))]
pub mod decode;
pub mod exits;
// Whoever records waits for all of this to be compiled.
#[cfg(not(situ_recorded))]
pub mod explore;
pub mod foreign;
mod fork;
#[cfg(not(situ_recorded))]
mod forms;
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

/// The standard library, for what is added to crates that go without it.
pub use ::std;
pub use capture::Capture;
pub use value::Shape;
pub use writer::Writer;
// Woven code is long: it says `::__situ::s(1,4)`.
pub use switch::{no, s, t};
