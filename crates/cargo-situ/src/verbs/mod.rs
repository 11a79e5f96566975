//! The verbs of the command, one file each.

mod build;
mod explore;
mod extract;
mod mutants;
mod record;
mod recordings;
mod undo;

use crate::exit::Exit;
use anyhow::Result;
use clap::Subcommand;

/// What `cargo situ` can do.
#[derive(Subcommand)]
pub enum Verb {
    /// Build programs that record what they compute
    Build(build::Options),
    /// Look for inputs that violate theories
    Explore(explore::Options),
    /// Make tests of statements from what a recording saw there
    Extract(extract::Options),
    /// Find out which changes of the code no test notices
    Mutants(mutants::Options),
    /// Record what the program computes while its tests or a command run
    Record(record::Options),
    /// Look at recordings, merge and remove them
    Recordings(recordings::Options),
    /// Take back the last change of your files
    Undo(undo::Options),
}

/// Does it.
pub fn run(verb: Verb) -> Result<Exit> {
    match verb {
        Verb::Build(options) => build::run(&options),
        Verb::Explore(options) => explore::run(&options),
        Verb::Extract(options) => extract::run(&options),
        Verb::Mutants(options) => mutants::run(&options),
        Verb::Record(options) => record::run(&options),
        Verb::Recordings(options) => recordings::run(&options),
        Verb::Undo(options) => undo::run(&options),
    }
}
