//! Runs the carved tests of a subject with plain cargo, as its developers would.

use anyhow::Result;
use bench_subjects::in_folder;
use situ_engine::base::process;
use situ_engine::cargo::workspace::cargo;
use std::path::Path;
use std::time::Duration;

/// How many carved tests pass and fail; a build that fails lets one fail.
pub fn passing(folder: &Path, limit: Duration) -> Result<(usize, usize)> {
    let mut command = in_folder(cargo(), folder);
    command.args(["test", "--no-fail-fast"]);
    let finished = process::run(&mut command, Some(limit))?;
    let is_carved = |line: &&str| line.contains("carved_tests::") || line.contains("situ_");
    let tests = || {
        finished
            .stdout
            .lines()
            .filter(|line| line.starts_with("test "))
            .filter(is_carved)
    };
    let passed = tests().filter(|line| line.ends_with(" ok")).count();
    let failed = tests().filter(|line| line.ends_with(" FAILED")).count();
    let is_broken = passed + failed == 0 && !finished.status.success();
    Ok((passed, failed + usize::from(is_broken)))
}
