//! The verbs of the command, one file each.

mod build;
mod carve;
mod doctor;
mod explore;
mod extract;
mod generalize;
mod improve;
mod init;
mod list;
mod lsp;
mod mutants;
mod record;
mod recordings;
mod test;
mod undo;

use crate::exit::Exit;
use anyhow::Result;
use clap::Subcommand;

/// The verbs of `cargo situ`.
#[derive(Subcommand)]
pub enum Verb {
    /// Build programs that record the values they compute
    Build(build::Options),
    /// Write unit tests for the functions that an end-to-end run calls
    Carve(carve::Options),
    /// Check that everything Situ needs is present
    Doctor(doctor::Options),
    /// Search for inputs that violate theories
    Explore(explore::Options),
    /// Write tests of statements from recorded values
    Extract(extract::Options),
    /// Write parameterized tests from existing tests and recorded arguments
    Generalize(generalize::Options),
    /// Propose the fewest assertions that kill what the tests leave alive
    Improve(improve::Options),
    /// Add the dependency and a first test
    Init(init::Options),
    /// List every test of the sources, with its target
    List(list::Options),
    /// Serve an editor: folds, lenses, hovers, actions and renaming
    Lsp(lsp::Options),
    /// Find changes of the code that no test detects
    Mutants(mutants::Options),
    /// Record the values that the program computes while its tests or a command run
    Record(record::Options),
    /// Show, merge and remove recordings
    Recordings(recordings::Options),
    /// Run tests: in-situ tests, others, or both; by name, place or tag
    Test(test::Options),
    /// Undo the last change of your files
    Undo(undo::Options),
}

/// Executes the verb.
pub fn run(verb: Verb) -> Result<Exit> {
    match verb {
        Verb::Build(options) => build::run(&options),
        Verb::Carve(options) => carve::run(&options),
        Verb::Doctor(options) => doctor::run(&options),
        Verb::Explore(options) => explore::run(&options),
        Verb::Extract(options) => extract::run(&options),
        Verb::Generalize(options) => generalize::run(&options),
        Verb::Improve(options) => improve::run(&options),
        Verb::Init(options) => init::run(&options),
        Verb::List(options) => list::run(&options),
        Verb::Lsp(options) => lsp::run(&options),
        Verb::Mutants(options) => mutants::run(&options),
        Verb::Record(options) => record::run(&options),
        Verb::Recordings(options) => recordings::run(&options),
        Verb::Test(options) => test::run(&options),
        Verb::Undo(options) => undo::run(&options),
    }
}
