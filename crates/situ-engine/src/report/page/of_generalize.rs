//! HTML page of `cargo situ generalize`.

use super::{Distribution, Entry, Page};
use crate::generate::generalize::Report;
use std::path::Path;

impl Page {
    /// Creates the page of `generalize`: the new tests, the candidates with their classes, and the
    /// number of candidates of each class.
    pub fn of_generalize(root: &Path, report: &Report) -> Page {
        let summary = &report.summary;
        let counted = [
            ("tests", summary.tests_considered),
            ("with candidates", summary.tests_with_candidates),
            ("generalized", summary.tests_generalized),
            ("candidates", summary.candidates),
            ("new tests", summary.emitted),
            ("cases", summary.cases),
        ];
        let emitted = report.tests.iter().map(|test| Entry {
            name: test.name.clone(),
            kind: "new test".to_owned(),
            outcome: "new".to_owned(),
            is_bad: false,
            tags: Vec::new(),
            file: Some(test.file.clone()),
            line: Some(test.line),
            about: None,
            text: test.text.clone(),
        });
        let candidates = report.candidates.iter().map(|candidate| Entry {
            name: format!("{}: {}", candidate.test, candidate.call),
            kind: "candidate".to_owned(),
            outcome: candidate.class.name().to_owned(),
            is_bad: candidate.reason.is_some(),
            tags: Vec::new(),
            file: Some(candidate.file.clone()),
            line: Some(candidate.line),
            about: None,
            text: format!(
                "{}\n{}",
                candidate.assertion,
                candidate.reason.as_deref().unwrap_or_default()
            ),
        });
        let page = Page::counting(
            "cargo situ generalize",
            &counted,
            summary.seconds,
            emitted.chain(candidates).collect(),
            root,
        );
        let bars = [
            ("strongly coupled", summary.strongly_coupled),
            ("falsifiably coupled", summary.falsifiably_coupled),
            ("decoupled, general", summary.general),
            ("decoupled, independent", summary.independent),
            ("ill-formed", summary.ill_formed),
        ];
        let bars = bars
            .map(|(class, count)| (class.to_owned(), count))
            .to_vec();
        Page {
            distributions: vec![Distribution {
                title: "Candidates by class".to_owned(),
                bars,
            }],
            ..page
        }
    }
}
