//! The report in Stryker's mutation testing schema, which other tools display.

use super::{Judged, Report};
use crate::mutate::judge::Status;
use serde_json::{Map, Value, json};
use std::fs;

/// The report as an object of the schema's second version.
pub fn stryker(report: &Report) -> Value {
    let mut files = Map::new();
    for path in &report.files {
        let own: Vec<(usize, &Judged)> =
            report.mutants.iter().enumerate().filter(|(_, mutant)| mutant.file == *path).collect();
        if own.is_empty() {
            continue;
        }
        let source = fs::read_to_string(report.root.join(path)).unwrap_or_default();
        let mutants: Vec<Value> = own.into_iter().map(|(id, mutant)| mutant_object(id, mutant)).collect();
        let file = json!({ "language": "rust", "source": source, "mutants": mutants });
        files.insert(path.display().to_string(), file);
    }
    json!({
        "schemaVersion": "2",
        "thresholds": { "high": 80, "low": 60 },
        "framework": { "name": "situ", "version": env!("CARGO_PKG_VERSION") },
        "files": files,
    })
}

fn mutant_object(id: usize, mutant: &Judged) -> Value {
    let position = |(line, column): (usize, usize)| json!({ "line": line, "column": column });
    let status = match mutant.verdict.status {
        Status::Killed => "Killed",
        Status::Survived => "Survived",
        Status::TimedOut => "Timeout",
        Status::Unreached => "NoCoverage",
    };
    json!({
        "id": id.to_string(),
        "mutatorName": mutant.operator,
        "replacement": mutant.replacement,
        "status": status,
        "statusReason": mutant.verdict.how,
        "killedBy": mutant.verdict.killed_by,
        "location": { "start": position(mutant.extent[0]), "end": position(mutant.extent[1]) },
    })
}
