//! The command from the outside, one module for each verb or question. One program: each would be linked with the same
//! libraries, and cargo runs programs one after another, where the tests of one run side by side.

mod carve;
mod carve_doubles;
mod carve_runs;
mod command_line;
mod example_carve;
mod example_explore;
mod example_extract;
mod example_generalize;
mod explore;
mod explore_export;
mod explore_options;
mod explore_sources;
mod extract;
mod extract_blocks;
mod extract_captured;
mod extract_compared;
mod extract_inline_stand_ins;
mod extract_iterators;
mod extract_other_values;
mod extract_stand_ins;
mod extract_streams;
mod generalize;
mod generalize_dialects;
mod generalize_macros;
mod generalize_worth;
mod hostile_recordings;
mod improve;
mod lsp;
mod mutants;
mod mutants_edges;
mod mutants_kill;
mod mutants_selection;
mod mutants_verdicts;
mod page;
mod project;
mod record;
mod reference;
mod rows;
#[cfg(target_os = "linux")]
mod sandbox;
mod sources;
mod start;
mod suite;
mod tutorial;
mod undo;
