//! `cargo situ undo`: take back the last change of the user's files.

use crate::arguments::Common;
use crate::exit::Exit;
use crate::output::print_line;
use anyhow::Result;
use clap::Args;
use serde_json::json;
use situ_engine::edit::undo;
use situ_engine::workspace::Workspace;

const EXAMPLE: &str = "Example:
  cargo situ undo      # every file that the last `--write` changed gets its bytes back";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
}

pub fn run(options: &Options) -> Result<Exit> {
    let workspace = Workspace::load(&options.common.selection())?;
    let files = undo(&workspace)?;
    for file in &files {
        if options.common.json {
            print_line(&json!({ "file": file }).to_string());
        } else {
            print_line(&format!("restored {}", file.display()));
        }
    }
    if options.common.json {
        print_line(&json!({ "verb": "undo", "summary": { "files": files.len() } }).to_string());
    }
    Ok(Exit::Done)
}
