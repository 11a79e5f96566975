//! The sources of this crate as text: path below `src` and contents.

/// Every file of the run time; `lib.rs` is the root.
pub const SOURCES: &[(&str, &str)] = &[("lib.rs", include_str!("lib.rs")), ("mutant.rs", include_str!("mutant.rs"))];
