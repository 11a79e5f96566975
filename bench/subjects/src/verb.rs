//! Runs a verb of Situ over a prepared subject, within a time limit.

use crate::list::Kind;
use crate::prepare::Prepared;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use situ_engine::base::process;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What came of one subject.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// The summary that the verb printed.
    pub summary: Option<Value>,
    /// Why there is none.
    pub failure: Option<String>,
    /// Seconds of the whole command.
    pub seconds: f64,
}

/// Rows that a benchmark wrote, one a line.
pub fn read_rows(path: &Path) -> Result<Vec<Row>> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    text.lines()
        .map(|line| serde_json::from_str(line).context("understanding a row"))
        .collect()
}

/// Runs `cargo-situ situ VERB… --json` on a subject; an application runs its workload as the command.
pub fn run_verb(
    program: &Path,
    words: &[String],
    subject: &Prepared,
    workloads: &Path,
    limit: Duration,
) -> Row {
    let workload = (subject.subject.kind == Kind::Application).then_some(workloads);
    run(program, words, subject, workload, limit)
}

/// The same without a workload: the verb uses the subject's own tests, or an earlier recording.
pub fn run_verb_without_workload(
    program: &Path,
    words: &[String],
    subject: &Prepared,
    limit: Duration,
) -> Row {
    run(program, words, subject, None, limit)
}

/// The workload of an application as a line for the shell; the program is in `SITU_BIN`.
pub fn workload_command(name: &str, workloads: &Path) -> String {
    let script = workloads.join(format!("{name}.sh"));
    format!(
        "cd '{}' && BIN=\"$SITU_BIN\" bash '{}'",
        workloads.join("data").display(),
        script.display()
    )
}

/// A command in a subject's folder, with the settings that all commands there share.
pub fn in_folder(mut command: Command, folder: &Path) -> Command {
    command.current_dir(folder);
    command
        .env("RUSTFLAGS", "--cap-lints=warn")
        .env("CARGO_TARGET_DIR", folder.join("target"));
    command
}

fn run(
    program: &Path,
    words: &[String],
    subject: &Prepared,
    workloads: Option<&Path>,
    limit: Duration,
) -> Row {
    let name = format!("{} {}", subject.subject.name, subject.subject.version);
    let failed = |reason: String, seconds: f64| Row {
        name: name.clone(),
        summary: None,
        failure: Some(reason),
        seconds,
    };
    let folder = match &subject.folder {
        Ok(folder) => folder,
        Err(reason) => return failed(reason.clone(), 0.0),
    };
    let mut command = in_folder(Command::new(program), folder);
    command.arg("situ").args(words).arg("--json");
    if let Some(workloads) = workloads {
        command.args([
            "--",
            "sh",
            "-c",
            &workload_command(&subject.subject.name, workloads),
        ]);
    }
    let finished = match process::run(&mut command, Some(limit)) {
        Ok(finished) => finished,
        Err(error) => return failed(format!("{error:#}"), 0.0),
    };
    let seconds = finished.took.as_secs_f64();
    if finished.timed_out {
        return failed(format!("not done within {} s", limit.as_secs()), seconds);
    }
    let last = finished
        .stdout
        .lines()
        .next_back()
        .and_then(|line| serde_json::from_str::<Value>(line).ok());
    match last.and_then(|line| line.get("summary").cloned()) {
        Some(summary) => Row {
            name,
            summary: Some(summary),
            failure: None,
            seconds,
        },
        None => {
            let code = finished
                .status
                .code()
                .map_or("a signal".to_owned(), |code| format!("exit code {code}"));
            let said = finished
                .stderr
                .lines()
                .find(|line| line.contains("error"))
                .unwrap_or_default();
            failed(format!("{code}: {said}"), seconds)
        }
    }
}
