//! What every layer above uses: processes, the user's faults, text, the compiler's messages.

pub(crate) mod diagnostics;
pub(crate) mod output_lines;
pub(crate) mod parallel;
pub mod process;
pub mod shortened;
pub mod user_error;
pub mod words;
