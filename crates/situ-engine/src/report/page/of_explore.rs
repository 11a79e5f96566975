//! HTML page of `cargo situ explore`.

use super::{Entry, Page, shown};
use crate::base::words::count;
use crate::generate::explore::Report;
use std::path::Path;

impl Page {
    /// Creates the page of `explore`: the violations at their theories.
    pub fn of_explore(root: &Path, report: &Report) -> Page {
        let summary = &report.summary;
        let counted = [
            ("theories", summary.theories),
            ("violated", summary.violated),
            ("executions", summary.executions as usize),
        ];
        let violations = report.violations.iter().map(|violation| Entry {
            name: violation.theory.clone(),
            kind: "theory".to_owned(),
            outcome: "violated".to_owned(),
            is_bad: true,
            tags: Vec::new(),
            file: Some(shown(&violation.file)),
            line: Some(violation.line),
            about: None,
            text: format!(
                "{}\n{}\n{}",
                violation.call,
                violation.message,
                violation.points.join("\n")
            ),
        });
        let is_violated = |name: &str| {
            report
                .violations
                .iter()
                .any(|violation| violation.theory == name)
        };
        let others = report
            .theories
            .iter()
            .filter(|theory| !is_violated(&theory.theory))
            .map(|theory| Entry {
                name: theory.theory.clone(),
                kind: "theory".to_owned(),
                outcome: if theory.not_explored.is_some() {
                    "not explored"
                } else {
                    "held"
                }
                .to_owned(),
                is_bad: theory.not_explored.is_some(),
                tags: Vec::new(),
                file: None,
                line: None,
                about: None,
                text: theory
                    .not_explored
                    .clone()
                    .unwrap_or_else(|| format!("held on {}", count(theory.held, "input"))),
            });
        Page::counting(
            "cargo situ explore",
            &counted,
            summary.seconds,
            violations.chain(others).collect(),
            root,
        )
    }
}
