//! The verbs of the command, one file each.

mod mutants;

use crate::exit::Exit;
use anyhow::Result;
use clap::Subcommand;

/// What `cargo situ` can do.
#[derive(Subcommand)]
pub enum Verb {
    /// Find out which changes of the code no test notices
    Mutants(mutants::Options),
}

/// Does it.
pub fn run(verb: Verb) -> Result<Exit> {
    match verb {
        Verb::Mutants(options) => mutants::run(&options),
    }
}
