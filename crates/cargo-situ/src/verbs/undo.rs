//! `cargo situ undo`: undoes the last change of the user's files.

use crate::arguments::Common;
use crate::changing;
use crate::exit::Exit;
use anyhow::Result;
use clap::Args;

const EXAMPLE: &str = "Example:
  cargo situ undo      # restore every file that the last `--write` changed";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
}

pub fn run(options: &Options) -> Result<Exit> {
    changing::take_back(&options.common)
}
