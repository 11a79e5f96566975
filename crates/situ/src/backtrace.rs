//! Frames at which the backtrace of a panic ends, so that it shows the user's code and no functions
//! of Situ.
//!
//! The standard library ends the short backtraces of `RUST_BACKTRACE=1` at a function with such a
//! name, in whatever crate it is. Those of `RUST_BACKTRACE=full` show everything. The called
//! function must be the user's own: a closure of Situ around it would be shown.

use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Calls the user's code.
#[inline(never)]
pub fn __rust_begin_short_backtrace<A, R>(code: impl FnOnce(A) -> R, argument: A) -> R {
    let result = code(argument);
    // Without code after it the call could become a jump, and this frame would be missing.
    black_box(());
    result
}

/// Calls a fragment.
#[inline(never)]
pub fn __rust_begin_short_backtrace_of_fragment<R>(fragment: impl FnOnce() -> R) -> R {
    let result = fragment();
    black_box(());
    result
}

/// Polls a future of the user's.
#[inline(never)]
pub fn __rust_begin_short_backtrace_of_poll<F: Future>(
    future: Pin<&mut F>,
    context: &mut Context<'_>,
) -> Poll<F::Output> {
    let poll = future.poll(context);
    black_box(());
    poll
}
