//! HTML page of `cargo situ extract`.

use super::{Distribution, Entry, Page, Sets};
use crate::generate::extract::{Extracted, Report};
use std::path::Path;

impl Page {
    /// Creates the page of `extract`: the tests, the statements without tests, the mutants by the
    /// tests that kill them, and the number of tests of each statement.
    pub fn of_extract(root: &Path, report: &Report) -> Page {
        let summary = &report.summary;
        let counted = [
            ("statements reached", summary.statements_reached),
            ("with tests", summary.statements_with_tests),
            ("candidates", summary.candidates),
            ("after coverage", summary.after_coverage),
            ("after mutants", summary.after_mutants),
            ("tests", summary.tests),
        ];
        let without = report.without.iter().map(|without| Entry {
            name: without.statement.clone(),
            kind: "statement".to_owned(),
            outcome: "without a test".to_owned(),
            is_bad: true,
            tags: Vec::new(),
            file: Some(without.file.clone()),
            line: Some(without.line),
            about: None,
            text: without.reason.clone(),
        });
        let entries = report
            .tests
            .iter()
            .map(of_extracted)
            .chain(without)
            .collect();
        let page = Page::counting(
            "cargo situ extract",
            &counted,
            summary.seconds,
            entries,
            root,
        );
        let both = (summary.killed_by_unit + summary.killed_by_extracted)
            .saturating_sub(summary.killed_by_either);
        let sets = Sets {
            title: "Mutants of these statements, by the tests that kill them".to_owned(),
            left: (
                "the crate's own tests only".to_owned(),
                summary.killed_by_unit - both,
            ),
            right: (
                "extracted tests only".to_owned(),
                summary.killed_only_by_extracted.len(),
            ),
            both,
            neither: summary.killed_by_nobody.len(),
            unknown: summary.open_by_unit,
        };
        let sets = (summary.mutants > 0).then_some(sets);
        let distributions = vec![
            of_statements(report, "Value sets at a statement", |statement| {
                statement.value_sets
            }),
            of_statements(report, "Tests at a statement", |statement| statement.tests),
        ];
        Page {
            sets,
            distributions,
            ..page
        }
    }
}

fn of_extracted(test: &Extracted) -> Entry {
    Entry {
        name: test.function.clone(),
        kind: test.kind.clone(),
        outcome: if test.kills_only_here > 0 {
            "kills mutants that others miss"
        } else {
            "new"
        }
        .to_owned(),
        is_bad: false,
        tags: Vec::new(),
        file: Some(test.file.clone()),
        line: Some(test.line),
        about: None,
        text: test.text.clone(),
    }
}

fn of_statements(
    report: &Report,
    title: &str,
    number: impl Fn(&crate::generate::extract::OfStatement) -> usize,
) -> Distribution {
    Distribution::of_numbers(title, report.summary.statements.iter().map(number))
}
