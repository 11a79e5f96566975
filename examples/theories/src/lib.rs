//! Theories about small programs: each module is a unit with what is claimed of it.
//!
//! `cargo test -p example-theories` passes. With `--features bugs` every unit has a bug of the kind that shipped in real
//! programs, and `tests/bugs_are_found.rs` names the theory that finds it.
#![forbid(unsafe_code)]

pub mod bag;
pub mod buffer;
pub mod config_file;
pub mod correspondent;
pub mod email;
pub mod equality;
pub mod goal;
pub mod interval;
pub mod reverse;
pub mod square_root;
