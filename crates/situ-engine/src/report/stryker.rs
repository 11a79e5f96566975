//! Mutation report in Stryker's schema, which other tools display.

use crate::mutate::judge::Status;
use crate::mutate::report::{Judged, Report};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Positions of tests in the sources, by name: path relative to the workspace root, and line.
pub type TestPlaces = BTreeMap<String, (PathBuf, usize)>;

/// Returns the report as an object of version 2 of the schema.
pub fn stryker(report: &Report, places: &TestPlaces) -> Value {
    let mut files = Map::new();
    for path in &report.files {
        let own: Vec<(usize, &Judged)> = report
            .mutants
            .iter()
            .enumerate()
            .filter(|(_, mutant)| mutant.file == *path)
            .collect();
        if own.is_empty() {
            continue;
        }
        let mutants: Vec<Value> = own
            .into_iter()
            .map(|(id, mutant)| mutant_object(id, mutant))
            .collect();
        let file =
            json!({ "language": "rust", "source": source(report, path), "mutants": mutants });
        files.insert(path.display().to_string(), file);
    }
    json!({
        "schemaVersion": "2",
        "thresholds": { "high": 80, "low": 60 },
        "framework": { "name": "situ", "version": env!("CARGO_PKG_VERSION") },
        "files": files,
        "testFiles": test_files(report, places),
    })
}

/// Returns the tests by file. Tests that are not in the sources, such as doctests, are listed by
/// program. A test's id is its name, by which mutants refer to it.
fn test_files(report: &Report, places: &TestPlaces) -> Map<String, Value> {
    let mut files: BTreeMap<String, (Option<&Path>, Vec<Value>)> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for test in report.tests.iter().filter(|test| known.insert(&test.name)) {
        let mut object = json!({ "id": test.name, "name": test.name });
        let (_, tests) = match places.get(&test.name) {
            Some((path, line)) => {
                object["location"] = json!({ "start": { "line": line, "column": 1 } });
                files
                    .entry(path.display().to_string())
                    .or_insert((Some(path), Vec::new()))
            }
            None => files
                .entry(test.program.clone())
                .or_insert((None, Vec::new())),
        };
        tests.push(object);
    }
    let objects = files.into_iter().map(|(name, (path, tests))| {
        let mut object = json!({ "tests": tests });
        if let Some(path) = path {
            object["source"] = source(report, path).into();
        }
        (name, object)
    });
    objects.collect()
}

fn source(report: &Report, path: &Path) -> String {
    fs::read_to_string(report.root.join(path)).unwrap_or_default()
}

fn mutant_object(id: usize, mutant: &Judged) -> Value {
    let position = |(line, column): (usize, usize)| json!({ "line": line, "column": column });
    let status = match mutant.verdict.status {
        Status::Killed => "Killed",
        Status::Survived => "Survived",
        Status::TimedOut => "Timeout",
        Status::Unreached => "NoCoverage",
    };
    let mut object = json!({
        "id": id.to_string(),
        "mutatorName": mutant.operator,
        "replacement": mutant.replacement,
        "status": status,
        "killedBy": mutant.verdict.killed_by,
        "location": { "start": position(mutant.extent[0]), "end": position(mutant.extent[1]) },
    });
    if let Some(how) = &mutant.verdict.how {
        object["statusReason"] = how.clone().into();
    }
    object
}
