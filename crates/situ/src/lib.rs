//! Tests that live in the code they check.
//!
//! ```
//! use situ::prelude::*;
//!
//! #[situ]
//! fn file_name(line: &str) -> Option<&str> {
//!     let name = line.strip_prefix("--- a/");
//!     itest!(given(line = "--- a/src/lib.rs"), check_eq(name, Some("src/lib.rs")));
//!     itest!("other lines", given(line = "+++ b/x"), check_none(name));
//!     name
//! }
//! # assert_eq!(file_name("--- a/x"), Some("x"));
//! ```
//!
//! A statement about all values is a theory. It runs on every combination of data points that fit:
//!
//! ```
//! use situ::prelude::*;
//!
//! #[datapoints]
//! const WORDS: [&str; 3] = ["", "a", "abc"];
//!
//! #[theory]
//! fn the_first_letter_is_in_the_word(word: &str) {
//!     let first = assume_some!(word.chars().next());
//!     assert!(word.contains(first));
//! }
//! ```
//!
//! Depend on it twice, so that a normal build pays nothing:
//!
//! ```toml
//! [dependencies]
//! situ = "0.1"
//! [dev-dependencies]
//! situ = { version = "0.1", features = ["test"] }
//! ```
//!
//! Without the feature `test`, [`macro@situ`] returns its item unchanged, the test macros expand to nothing, theories
//! disappear and data points stay.
//! With it, every test becomes an ordinary `#[test]`, which `cargo test` runs.
#![cfg_attr(not(feature = "_in-situ"), no_std)]

#[cfg(feature = "_in-situ")]
mod backtrace;
#[cfg(feature = "_in-situ")]
mod executor;
mod in_situ;

#[cfg(feature = "_in-situ")]
#[doc(hidden)]
pub mod rt;

#[cfg(feature = "_sources")]
#[doc(hidden)]
pub mod sources;

#[cfg(feature = "test")]
pub mod theory;

#[cfg(feature = "test")]
pub use theory::{any, points};

#[doc = include_str!("../docs/situ.md")]
pub use situ_macros::situ;
pub use situ_macros::{
    DataPoints, assume, assume_eq, assume_ok, assume_some, datapoint, datapoints, property,
    proptests, theory,
};

/// Makes a trait of another crate stubbable: its declaration is repeated, with the methods that a
/// stub has to answer.
///
/// The attribute `#[stub]`, for a crate's own traits, has the same name and comes with [`prelude`].
pub use situ_macros::stub_for as stub;

/// Returns the data points of a type; in a normal build there are none.
#[cfg(not(feature = "test"))]
#[doc(hidden)]
pub fn points<T>() -> core::iter::Empty<T> {
    core::iter::empty()
}

/// Lets theories use the data points of another module; in a normal build there are none.
#[cfg(not(feature = "test"))]
#[macro_export]
macro_rules! datapoints_from {
    ($($path:tt)+) => {};
}

/// Everything a user needs: `use situ::prelude::*;`.
pub mod prelude {
    pub use crate::{blocktest, closuretest, endtest, itest, situ};

    pub use crate::{datapoints_from, points};
    pub use situ_macros::{
        DataPoints, assume, assume_eq, assume_ok, assume_some, datapoint, datapoints, theory,
    };
    // The name means `stub!` at the root of the crate: a module can have one macro of a name.
    pub use situ_macros::stub;
}
