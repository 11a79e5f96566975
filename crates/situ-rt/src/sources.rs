//! The sources of this crate as text: path below `src` and contents.

/// Every file of the run time; `lib.rs` is the root.
pub const SOURCES: &[(&str, &str)] = &[
    ("lib.rs", include_str!("lib.rs")),
    ("mutant/mod.rs", include_str!("mutant/mod.rs")),
    ("mutant/limits.rs", include_str!("mutant/limits.rs")),
    ("mutant/reach.rs", include_str!("mutant/reach.rs")),
    ("mutant/rows.rs", include_str!("mutant/rows.rs")),
    ("mutant/start.rs", include_str!("mutant/start.rs")),
];
