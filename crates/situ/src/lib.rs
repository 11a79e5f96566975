//! Tests that live in the code they check.
#![cfg_attr(not(feature = "test"), no_std)]

pub use situ_macros::situ;
pub use situ_macros::{DataPoints, assume, assume_eq, assume_ok, assume_some, datapoint, datapoints, theory};

/// Makes a trait from elsewhere stubbable: the trait is repeated, with the methods that a stub has to answer.
///
/// The attribute `#[stub]`, for traits of one's own, has the same name and comes with [`prelude`].
pub use situ_macros::stub_for as stub;

#[cfg(feature = "test")]
mod executor;

#[cfg(feature = "test")]
#[doc(hidden)]
pub mod rt;

#[cfg(feature = "test")]
pub mod theory;

#[cfg(feature = "test")]
pub use theory::points;

/// Lets theories use the data points of another module; in a normal build there are none.
#[cfg(not(feature = "test"))]
#[macro_export]
macro_rules! datapoints_from {
    ($($path:tt)+) => {};
}

/// Everything a user needs: `use situ::prelude::*;`.
pub mod prelude {
    pub use crate::datapoints_from;
    pub use crate::situ;
    #[cfg(feature = "test")]
    pub use crate::theory::points;
    pub use situ_macros::{DataPoints, assume, assume_eq, assume_ok, assume_some, datapoint, datapoints, stub, theory};
}
