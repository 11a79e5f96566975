//! Runs the tests of a subject again and again with the new ones in its sources, asks clippy about these, and then takes them
//! out.

use crate::lints;
use anyhow::{Context as _, Result};
use bench_subjects::{Prepared, Row, in_folder};
use serde_json::json;
use situ_engine::base::process;
use situ_engine::cargo::workspace::{cargo, without_debuggers};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Adds to the summary how many runs there were, in how many all tests passed, and what clippy says.
pub fn repeat(
    program: &Path,
    subject: &Prepared,
    row: &mut Row,
    times: usize,
    has_clippy: bool,
    limit: Duration,
) -> Result<()> {
    let (Ok(folder), Some(summary)) = (&subject.folder, &mut row.summary) else {
        return Ok(());
    };
    if summary["emitted"] == 0 {
        return Ok(());
    }
    let mut passed = 0;
    for _ in 0..times {
        let mut command = own_cargo(folder);
        command.args(["test", "--tests"]);
        let finished = process::run(&mut command, Some(limit)).context("running the tests")?;
        passed += usize::from(finished.status.success());
    }
    summary["runs"] = json!(times);
    summary["runs_passed"] = json!(passed);
    if has_clippy {
        let lints = lints::of_new_tests(folder, limit)?;
        summary["told_by_clippy"] = json!(lints.values().sum::<usize>());
        summary["lints"] = json!(lints);
    }
    let mut undo = in_folder(Command::new(program), folder);
    undo.args(["situ", "generalize", "--undo"]);
    let finished = process::run(&mut undo, Some(limit)).context("taking the new tests out")?;
    anyhow::ensure!(
        finished.status.success(),
        "the new tests cannot be taken out of {}",
        subject.subject.name
    );
    Ok(())
}

/// Cargo with builds beside all subjects: what the new tests need is built once.
pub fn own_cargo(folder: &Path) -> Command {
    let mut command = in_folder(cargo(), folder);
    without_debuggers(&mut command);
    command.env("CARGO_TARGET_DIR", folder.with_file_name("own-builds"));
    command
}
