//! Survivors as annotations of a GitHub workflow.

use super::Report;
use crate::mutate::judge::Status;

/// One workflow command a line for each mutant that no test noticed.
pub fn annotations(report: &Report) -> String {
    let shown =
        report.mutants.iter().filter(|mutant| matches!(mutant.verdict.status, Status::Survived | Status::Unreached));
    let lines = shown.map(|mutant| {
        let title = match mutant.verdict.status {
            Status::Survived => "Surviving mutant",
            _ => "Mutant that no test reaches",
        };
        let text = escape(&format!("{}\n{}", mutant.headline(), mutant.diff));
        let file = mutant.file.display();
        format!("::warning file={file},line={},col={},title={title}::{text}\n", mutant.line, mutant.column)
    });
    lines.collect()
}

fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
