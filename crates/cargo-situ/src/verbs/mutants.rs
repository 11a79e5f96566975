//! `cargo situ mutants`: which changes of the code no test notices.

use crate::arguments::Common;
use crate::exit::Exit;
use crate::progress::Progress;
use anyhow::Result;
use clap::Args;
use situ_engine::workspace::Workspace;

const EXAMPLE: &str = "Example:
  cargo situ mutants --in src/parse.rs        # the mutants of one file";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
}

pub fn run(options: &Options) -> Result<Exit> {
    let progress = Progress::start("reading the workspace", options.common.json);
    let workspace = Workspace::load(&options.common.selection())?;
    progress.advance(0, workspace.packages().len(), "packages");
    progress.step("done");
    Ok(if workspace.packages().is_empty() { Exit::Found } else { Exit::Done })
}
