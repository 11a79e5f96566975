//! The sources of this crate as text: path below `src` and contents.

macro_rules! sources {
    ($($path:literal)*) => {
        /// Every file of the run time. `lib.rs` is the root of all, `judging.rs` of what judges rows,
        /// `switch/mod.rs` of the mutant switch alone.
        pub const SOURCES: &[(&str, &str)] = &[$(($path, include_str!($path))),*];
    };
}

sources! {
    "lib.rs"
    "bytes.rs"
    "calls.rs"
    "capture/mod.rs"
    "capture/cells.rs"
    "capture/collections.rs"
    "capture/errors.rs"
    "capture/iterators.rs"
    "capture/known.rs"
    "capture/leaves.rs"
    "capture/levels.rs"
    "capture/loosely.rs"
    "capture/owners.rs"
    "exits.rs"
    "judging.rs"
    "macros.rs"
    "marks.rs"
    "mutant/mod.rs"
    "mutant/rows.rs"
    "probe.rs"
    "recorder.rs"
    "recording.rs"
    "secret.rs"
    "site.rs"
    "slots.rs"
    "switch/mod.rs"
    "switch/limits.rs"
    "switch/reach.rs"
    "switch/start.rs"
    "value.rs"
    "writer.rs"
}
