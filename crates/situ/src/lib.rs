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
//! Depend on it twice, so that a normal build pays nothing:
//!
//! ```toml
//! [dependencies]
//! situ = "0.1"
//! [dev-dependencies]
//! situ = { version = "0.1", features = ["test"] }
//! ```
//!
//! Without the feature `test`, [`macro@situ`] gives its item back untouched and the test macros expand to nothing.
//! With it, every test becomes an ordinary `#[test]`, which `cargo test` runs.
#![cfg_attr(not(feature = "test"), no_std)]

#[cfg(feature = "test")]
mod executor;
mod in_situ;

#[cfg(feature = "test")]
#[doc(hidden)]
pub mod rt;

#[cfg(feature = "test")]
pub mod theory;

#[cfg(feature = "test")]
pub use theory::points;

pub use situ_macros::situ;
pub use situ_macros::{DataPoints, assume, assume_eq, assume_ok, assume_some, datapoint, datapoints, theory};

/// Makes a trait from elsewhere stubbable: the trait is repeated, with the methods that a stub has to answer.
///
/// The attribute `#[stub]`, for traits of one's own, has the same name and comes with [`prelude`].
pub use situ_macros::stub_for as stub;

/// The data points of a type; in a normal build there are none.
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

    pub use crate::{
        DataPoints, assume, assume_eq, assume_ok, assume_some, datapoint, datapoints, datapoints_from, points, theory,
    };
    // The name means `stub!` at the root of the crate: a module can have one macro of a name.
    pub use situ_macros::stub;
}
