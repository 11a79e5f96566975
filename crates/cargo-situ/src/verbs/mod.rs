//! The verbs of the command, one file each.

mod build;
mod carve;
mod doctor;
mod explore;
mod extract;
mod generalize;
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

/// What `cargo situ` can do.
#[derive(Subcommand)]
pub enum Verb {
    /// Build programs that record what they compute
    Build(build::Options),
    /// Make unit tests for the functions that an end-to-end run comes by
    Carve(carve::Options),
    /// Look whether everything is there that Situ needs
    Doctor(doctor::Options),
    /// Look for inputs that violate theories
    Explore(explore::Options),
    /// Make tests of statements from what a recording saw there
    Extract(extract::Options),
    /// Make parameterized tests from tests, with arguments that really occurred
    Generalize(generalize::Options),
    /// Add the dependency and a first test
    Init(init::Options),
    /// Show every test of the sources, with what it is about
    List(list::Options),
    /// Serve an editor: folds, lenses, hovers, actions and renaming
    Lsp(lsp::Options),
    /// Find out which changes of the code no test notices
    Mutants(mutants::Options),
    /// Record what the program computes while its tests or a command run
    Record(record::Options),
    /// Look at recordings, merge and remove them
    Recordings(recordings::Options),
    /// Run tests: in-situ ones, others, or both; by name, place or tag
    Test(test::Options),
    /// Take back the last change of your files
    Undo(undo::Options),
}

/// Does it.
pub fn run(verb: Verb) -> Result<Exit> {
    match verb {
        Verb::Build(options) => build::run(&options),
        Verb::Carve(options) => carve::run(&options),
        Verb::Doctor(options) => doctor::run(&options),
        Verb::Explore(options) => explore::run(&options),
        Verb::Extract(options) => extract::run(&options),
        Verb::Generalize(options) => generalize::run(&options),
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
