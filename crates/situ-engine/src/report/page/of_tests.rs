//! HTML page of `cargo situ test`.

use super::{Entry, Page, shown};
use crate::suite::event::{Ended, Outcome};
use crate::suite::run::Report;
use std::path::Path;

impl Page {
    /// Creates the page of `test`.
    pub fn of_tests(root: &Path, report: &Report) -> Page {
        let summary = &report.summary;
        let counted = [
            ("tests", summary.tests),
            ("passed", summary.passed),
            ("failed", summary.failed),
            ("ignored", summary.ignored),
            ("skipped", summary.skipped),
            ("in situ", summary.in_situ),
        ];
        Page::counting(
            "cargo situ test",
            &counted,
            summary.seconds,
            report.tests.iter().map(of_test).collect(),
            root,
        )
    }
}

fn of_test(test: &Ended) -> Entry {
    let outcome = match test.outcome {
        Outcome::Failed => "failed",
        Outcome::Passed => "passed",
        Outcome::Ignored => "ignored",
        Outcome::Skipped => "skipped",
    };
    let often = match (test.failures, test.runs) {
        (failures @ 1.., runs @ 2..) => format!("failed {failures} of {runs} times\n"),
        _ => String::new(),
    };
    Entry {
        name: test.name.clone(),
        kind: test.kind.name().to_owned(),
        outcome: outcome.to_owned(),
        is_bad: test.outcome == Outcome::Failed,
        tags: test.tags.clone(),
        file: test.file.as_deref().map(shown),
        line: test.line,
        about: test.about,
        text: often + &test.output,
    }
}
