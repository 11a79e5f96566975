//! The workload of a subject with the program as it is: what recording is compared with.

use anyhow::{Context as _, Result};
use bench_subjects::{in_folder, workload_command};
use situ_engine::base::process;
use situ_engine::cargo::workspace::cargo;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Seconds of the workload without recording, by the clock and of the processor.
pub fn plain(folder: &Path, name: &str, workloads: &Path, limit: Duration) -> Result<(f64, f64)> {
    let mut build = in_folder(cargo(), folder);
    process::run(build.args(["build", "--bins"]), Some(limit))
        .context("building the program as it is")?;
    let mut command = in_folder(Command::new("sh"), folder);
    command.env("SITU_BIN", folder.join("target/debug").join(name));
    command.args(["-c", &workload_command(name, workloads)]);
    let before = process::processor_time_of_children();
    let finished = process::run(&mut command, Some(limit)).context("running the workload")?;
    let processor = process::processor_time_of_children().saturating_sub(before);
    Ok((finished.took.as_secs_f64(), processor.as_secs_f64()))
}
