//! HTML page of `cargo situ mutants`.

use super::{Entry, Page, Sets, shown};
use crate::mutate::judge::{Status, is_in_situ};
use crate::mutate::report::{Judged, Report};
use std::path::{Path, PathBuf};

impl Page {
    /// Creates the page of `mutants`.
    pub fn of_mutants(root: &Path, report: &Report, numbers: &[(&str, String)]) -> Page {
        let page = Page::new(
            "cargo situ mutants",
            numbers,
            report.mutants.iter().map(of_mutant).collect(),
            root,
        );
        // It is not known which mutants the tests would kill that were not run.
        let sets = if report.has_all_tests {
            sets(&report.mutants)
        } else {
            None
        };
        Page { sets, ..page }
    }
}

/// Returns which mutants unit tests and in-situ tests kill, or `None` if in-situ tests kill none.
/// If a mutant is killed by one kind, and tests of the other kind reach it but were not run with
/// it, it counts as unknown.
fn sets(mutants: &[Judged]) -> Option<Sets> {
    let (mut unit, mut in_situ, mut both, mut neither, mut unknown) = (0, 0, 0, 0, 0);
    for mutant in mutants {
        let verdict = &mutant.verdict;
        let by_in_situ = verdict.killed_by.iter().any(|test| is_in_situ(test));
        let by_unit = verdict.killed_by.iter().any(|test| !is_in_situ(test));
        match (by_unit, by_in_situ) {
            (true, true) => both += 1,
            (true, false) if !verdict.untried.in_situ => unit += 1,
            (false, true) if !verdict.untried.unit => in_situ += 1,
            (false, false) if matches!(verdict.status, Status::Survived | Status::Unreached) => {
                neither += 1
            }
            _ => unknown += 1,
        }
    }
    let has_in_situ = mutants
        .iter()
        .flat_map(|mutant| &mutant.verdict.killed_by)
        .any(|test| is_in_situ(test));
    has_in_situ.then(|| Sets {
        title: "Mutants by the tests that kill them".to_owned(),
        left: ("unit tests only".to_owned(), unit),
        right: ("in-situ tests only".to_owned(), in_situ),
        both,
        neither,
        unknown,
    })
}

fn of_mutant(mutant: &Judged) -> Entry {
    let status = serde_json::to_value(mutant.verdict.status).ok();
    let outcome = status
        .as_ref()
        .and_then(|status| status.as_str())
        .unwrap_or_default()
        .to_owned();
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
        text: match mutant.missed() {
            Some(missed) => format!("{}\n{missed}\n", mutant.diff.trim_end()),
            None => mutant.diff.clone(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::judge::{Untried, Verdict};

    fn mutant(killed_by: &[&str], untried: &[&str]) -> Judged {
        let status = if killed_by.is_empty() {
            Status::Survived
        } else {
            Status::Killed
        };
        let killed_by = killed_by.iter().map(|test| (*test).to_owned()).collect();
        let verdict = Verdict {
            killed_by,
            untried: Untried::of(untried.iter().copied()),
            ..Verdict::new(status)
        };
        Judged {
            verdict,
            ..Judged::default()
        }
    }

    #[test]
    fn a_mutant_is_in_a_set_only_where_the_other_tests_were_asked_too() {
        let (unit, in_situ) = ("tests::a", "situ_f::b");
        let mutants = [
            mutant(&[unit], &["tests::other"]),
            mutant(&[in_situ], &["situ_g::other"]),
            mutant(&[in_situ, unit], &[]),
            mutant(&[], &[]),
            mutant(&[unit], &[in_situ]),
            mutant(&[in_situ], &[unit, in_situ]),
        ];
        let sets = sets(&mutants).unwrap();
        assert_eq!(
            (
                sets.left.1,
                sets.both,
                sets.right.1,
                sets.neither,
                sets.unknown
            ),
            (1, 1, 1, 1, 2)
        );
    }

    #[test]
    fn where_tests_were_left_out_there_are_no_sets() {
        let mutants = vec![mutant(&["situ_f::b"], &[])];
        let page = |has_all_tests: bool| {
            let report = Report {
                mutants: mutants.clone(),
                has_all_tests,
                ..Report::default()
            };
            Page::of_mutants(Path::new(""), &report, &[])
        };
        assert!(page(true).sets.is_some() && page(false).sets.is_none());
    }
}
