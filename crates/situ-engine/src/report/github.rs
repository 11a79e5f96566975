//! Findings as workflow commands of GitHub Actions, which shows them beside the changed lines.

use crate::mutate;
use crate::mutate::judge::Status;
use crate::suite::event::Outcome;
use crate::suite::run;

/// Returns one workflow command per line for each failed test.
pub fn failed_tests(report: &run::Report) -> String {
    let failed = report
        .tests
        .iter()
        .filter(|test| test.outcome == Outcome::Failed);
    let lines = failed.map(|test| {
        let place = match (&test.file, test.line) {
            (Some(file), Some(line)) => {
                format!("file={},line={line},", property(&file.to_string_lossy()))
            }
            _ => String::new(),
        };
        format!(
            "::error {place}title={}::{}\n",
            property(&test.name),
            data(test.output.trim_end())
        )
    });
    lines.collect()
}

/// Returns one workflow command per line for each mutant that survived or that no test reached.
pub fn alive_mutants(report: &mutate::report::Report) -> String {
    let alive = report
        .mutants
        .iter()
        .filter(|mutant| matches!(mutant.verdict.status, Status::Survived | Status::Unreached));
    let lines = alive.map(|mutant| {
        let title = match mutant.verdict.status {
            Status::Survived => "Surviving mutant",
            _ => "Mutant that no test reaches",
        };
        let text = data(&format!("{}\n{}", mutant.headline(), mutant.diff));
        let file = property(&mutant.file.to_string_lossy());
        format!(
            "::warning file={file},line={},col={},title={title}::{text}\n",
            mutant.line, mutant.column
        )
    });
    lines.collect()
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
