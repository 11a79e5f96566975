//! Situ's engine: it reads workspaces, edits copies of their sources, builds and runs them, and says what it found.
//!
//! Nothing here prints; only [`process`] starts processes; only [`edit`] writes outside `target/situ`.

pub mod carve;
pub mod diagnostics;
pub mod edit;
pub mod explore;
pub mod extract;
pub mod fault;
pub mod generalize;
pub mod lent;
pub mod lines;
pub mod mutate;
pub mod page;
pub mod process;
pub mod record;
pub mod render;
pub mod runtime;
pub mod shortened;
pub mod source;
pub mod start;
pub mod suite;
pub mod targets;
pub mod trial;
pub mod workspace;
pub mod wrapper;
