//! Every Rust block of the book, the README and the documentation of the macros does what the page says: it passes, or
//! fails with the message shown after it, or is refused with the compile error shown after it.
//!
//! Run with `UPDATE_EXPECT=1` to write what was really said into the pages.

mod failing;
mod listing;
mod passing;
mod refused;
