//! The page of a run of mutants.

use super::{Entry, Page, Sets, shown};
use crate::mutate::report::Judged;
use std::path::{Path, PathBuf};

impl Page {
    /// The page of a run of mutants.
    pub fn of_mutants(root: &Path, mutants: &[Judged], numbers: &[(&str, String)]) -> Page {
        let page = Page::new("cargo situ mutants", numbers, mutants.iter().map(of_mutant).collect(), root);
        Page { sets: sets(mutants), ..page }
    }
}

/// Which mutants unit tests kill and which in-situ tests do, where there are both.
fn sets(mutants: &[Judged]) -> Option<Sets> {
    let is_in_situ = |test: &String| test.split("::").any(|part| part.trim_start().starts_with("situ_"));
    let (mut unit, mut in_situ, mut both, mut neither) = (0, 0, 0, 0);
    for mutant in mutants {
        let killers = &mutant.verdict.killed_by;
        match (killers.iter().any(|test| !is_in_situ(test)), killers.iter().any(is_in_situ)) {
            (true, true) => both += 1,
            (true, false) => unit += 1,
            (false, true) => in_situ += 1,
            (false, false) => neither += 1,
        }
    }
    (in_situ + both > 0).then(|| Sets {
        title: "Mutants by who kills them".to_owned(),
        left: ("unit tests only".to_owned(), unit),
        right: ("in-situ tests only".to_owned(), in_situ),
        both,
        neither,
    })
}

fn of_mutant(mutant: &Judged) -> Entry {
    let status = serde_json::to_value(mutant.verdict.status).ok();
    let outcome = status.as_ref().and_then(|status| status.as_str()).unwrap_or_default().to_owned();
    let file: PathBuf = mutant.file.clone();
    Entry {
        name: mutant.function.clone().unwrap_or_else(|| shown(&file)),
        kind: mutant.operator.to_string(),
        is_bad: matches!(outcome.as_str(), "survived" | "unreached"),
        outcome,
        tags: Vec::new(),
        file: Some(shown(&file)),
        line: Some(mutant.line),
        about: None,
        text: mutant.diff.clone(),
    }
}
