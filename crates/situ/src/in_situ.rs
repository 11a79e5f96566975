//! The test macros in code that `#[situ]` does not see: nothing in a normal build, and an error in
//! a test build, because such a test would never run. `#[situ]` leaves an empty call behind, which
//! expands to nothing in both.

#[doc = include_str!("../docs/itest.md")]
#[macro_export]
macro_rules! itest {
    () => {};
    ($($clauses:tt)+) => {
        $crate::__not_seen_by_situ! { "itest" }
    };
}

#[doc = include_str!("../docs/blocktest.md")]
#[macro_export]
macro_rules! blocktest {
    () => {};
    ($($clauses:tt)+) => {
        $crate::__not_seen_by_situ! { "blocktest" }
    };
}

#[doc = include_str!("../docs/closuretest.md")]
#[macro_export]
macro_rules! closuretest {
    () => {};
    ($($clauses:tt)+) => {
        $crate::__not_seen_by_situ! { "closuretest" }
    };
}

#[doc = include_str!("../docs/endtest.md")]
#[macro_export]
macro_rules! endtest {
    () => {};
    ($($clauses:tt)+) => {
        $crate::__not_seen_by_situ! { "endtest" }
    };
}

/// Expands a test that no `#[situ]` has seen to nothing, in a normal build.
#[cfg(not(feature = "_in-situ"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __not_seen_by_situ {
    ($name:literal) => {};
}

/// Expands a test that no `#[situ]` has seen to an error, in a test build.
#[cfg(feature = "_in-situ")]
#[doc(hidden)]
#[macro_export]
macro_rules! __not_seen_by_situ {
    ($name:literal) => {
        $crate::rt::core::compile_error!($crate::rt::core::concat!(
            "this `",
            $name,
            "!` would never run, because it stands outside any `#[situ]` or inside another macro's tokens; put `#[situ]` ",
            "on the `fn`, `impl`, `trait` or `mod` that holds it",
        ));
    };
}
