//! `cargo situ build --record`: an instrumented program for use elsewhere.

use super::record::Watch;
use crate::arguments::Common;
use crate::exit::Exit;
use crate::output::print_line;
use crate::progress::Progress;
use crate::sources;
use crate::turn;
use anyhow::{Context as _, Result};
use clap::Args;
use serde_json::json;
use situ_engine::base::user_error;
use situ_engine::record::build_instrumented;
use std::env;

const EXAMPLE: &str = "Example:
  cargo situ build --record                    # then run the program anywhere; it writes to ./situ-recordings,
                                               # or to the folder in SITU_RECORDING_DIR
  cargo situ recordings merge situ-recordings  # then copy its recording into the workspace";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    watch: Watch,
    /// Build programs that record the values they compute
    #[arg(long)]
    record: bool,
    /// Build with optimisations
    #[arg(long)]
    release: bool,
}

pub fn run(options: &Options) -> Result<Exit> {
    if !options.record {
        return Err(user_error::input(
            "nothing to build: write `cargo situ build --record`",
        ));
    }
    let workspace = options.common.workspace()?;
    let _turn = turn::take(&workspace)?;
    sources::name_unreadable(&workspace);
    let progress = Progress::start("building the instrumented programs", options.common.json);
    let program = env::current_exe().context("finding this program")?;
    let arguments: Vec<String> = options
        .release
        .then(|| "--release".to_owned())
        .into_iter()
        .collect();
    let programs = build_instrumented(
        &workspace,
        &program,
        &options.watch.wanted(&workspace)?,
        &arguments,
    )?;
    drop(progress);
    for (name, path) in &programs {
        if options.common.json {
            print_line(&format!("{}", json!({ "name": name, "path": path })));
        } else {
            print_line(&format!("{name}: {}", path.display()));
        }
    }
    if options.common.json {
        print_line(&format!(
            "{}",
            json!({ "verb": "build", "summary": { "programs": programs.len() } })
        ));
    }
    Ok(Exit::Done)
}
