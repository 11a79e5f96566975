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

#[doc = include_str!("../docs/situ.md")]
pub use situ_macros::situ;

/// Everything a user needs: `use situ::prelude::*;`.
pub mod prelude {
    pub use crate::{blocktest, closuretest, endtest, itest, situ};
}
