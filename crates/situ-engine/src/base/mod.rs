//! Lowest layer: processes, user errors, string helpers and compiler messages.

pub(crate) mod diagnostics;
pub(crate) mod idx;
pub(crate) mod output_lines;
pub(crate) mod parallel;
pub mod process;
pub mod shortened;
pub mod user_error;
pub mod words;
