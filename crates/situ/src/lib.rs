//! Tests that live in the code they check.
#![cfg_attr(not(feature = "test"), no_std)]

pub use situ_macros::situ;

#[cfg(feature = "test")]
#[doc(hidden)]
pub mod rt;

/// Everything a user needs: `use situ::prelude::*;`.
pub mod prelude {
    pub use crate::situ;
}
