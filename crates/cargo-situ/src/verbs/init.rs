//! `cargo situ init`: adds the dependency and a first test.

use crate::arguments::Common;
use crate::changing;
use crate::exit::Exit;
use crate::output::print_line;
use crate::situ_source::situ_source;
use anyhow::Result;
use clap::Args;
use serde_json::json;
use situ_engine::start::init::init;
use std::path::PathBuf;

const EXAMPLE: &str = "Example:
  cargo situ init            # shows what would change
  cargo situ init --write    # changes it; `cargo situ undo` takes it back";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
    /// Change the files instead of only showing the changes
    #[arg(long)]
    write: bool,
    /// Local checkout of Situ for the dependency
    #[arg(long, value_name = "DIR")]
    situ_path: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<Exit> {
    let workspace = options.common.workspace()?;
    let changes = init(&workspace, &situ_source(options.situ_path.as_deref())?)?;
    if options.write {
        changing::write(&changes, &workspace)?;
    }
    if options.common.json {
        for file in &changes.files {
            print_line(&json!({ "file": file.path, "written": options.write }).to_string());
        }
        print_line(
            &json!({ "verb": "init", "summary": { "files": changes.files.len() } }).to_string(),
        );
    } else if changes.files.is_empty() {
        print_line("nothing to do: the dependency and a first test are there");
    } else if options.write {
        changes
            .files
            .iter()
            .for_each(|file| print_line(&format!("changed {}", file.path.display())));
        print_line("now run: cargo test");
    } else {
        changing::print_patch(&changes, &workspace);
        eprintln!("nothing is written yet; run `cargo situ init --write`");
    }
    Ok(Exit::Done)
}
