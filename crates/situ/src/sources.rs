//! The sources of the runtime of in-situ tests as strings: path below `src` and content.

macro_rules! sources {
    ($($path:literal)*) => {
        /// Every file that the feature `_in-situ` compiles; `lib.rs` is the root.
        pub const SOURCES: &[(&str, &str)] = &[$(($path, include_str!($path))),*];
    };
}

sources! {
    "lib.rs"
    "backtrace.rs"
    "executor.rs"
    "in_situ.rs"
    "rt/mod.rs"
    "rt/argument.rs"
    "rt/check.rs"
    "rt/exit.rs"
    "rt/formatter.rs"
    "rt/mock.rs"
    "rt/report.rs"
    "rt/rows.rs"
    "rt/run.rs"
    "rt/seek.rs"
    "rt/shorten.rs"
    "rt/show.rs"
    "rt/skipped.rs"
    "rt/types.rs"
    "rt/unwind.rs"
    "../docs/blocktest.md"
    "../docs/closuretest.md"
    "../docs/endtest.md"
    "../docs/itest.md"
    "../docs/situ.md"
}
