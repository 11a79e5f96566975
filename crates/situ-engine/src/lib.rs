//! Situ's engine: it reads workspaces, edits copies of their sources, builds and runs them, and
//! says what it found.
//!
//! Nothing here prints; only [`base::process`] starts processes; only [`edit`] writes outside
//! `target/situ`.

#![warn(unreachable_pub)]
// Only the crates that users depend on document every public item. Here a comment that could only
// repeat the name is left out.
#![allow(missing_docs)]

pub mod base;
pub mod cargo;
pub mod edit;
pub mod generate;
pub mod mutate;
pub mod programs;
pub mod record;
pub mod report;
pub mod source;
pub mod start;
pub mod suite;
pub(crate) mod trial;
pub mod values;
