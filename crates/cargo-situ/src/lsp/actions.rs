//! Code actions: extract tests, fill in givens, explore a theory.

use super::document::Document;
use super::givens::{missing, test_at};
use super::jobs::Job;
use super::place::uri_of;
use super::recorded::at_line;
use gen_lsp_types::{CodeAction, CodeActionKind, TextEdit, WorkspaceEdit};
use situ_engine::cargo::workspace::Workspace;
use situ_engine::record::read::Recording;
use std::collections::HashMap;

/// Returns the code actions at a line.
pub fn actions(
    document: &Document,
    line: usize,
    recording: Option<&Recording>,
    workspace: &Workspace,
) -> Vec<CodeAction> {
    let mut actions = Vec::new();
    let theory = document
        .theories()
        .find(|theory| (theory.first_line..=theory.last_line).contains(&line));
    if let Some(theory) = theory {
        actions.push(by_command(
            "Situ: explore this theory",
            &Job::Explore(theory.name.clone()),
        ));
    } else if let Some(test) = test_at(document, line) {
        let recorded = recording.and_then(|recording| above(recording, document, line));
        if let Some(text) = recorded.and_then(|site| missing(&test, site, workspace)) {
            let edit = TextEdit {
                range: document.range_of(test.insert_at..test.insert_at),
                new_text: text,
            };
            let changes =
                HashMap::from([(uri_of(&workspace.root().join(&document.path)), vec![edit])]);
            actions.push(CodeAction {
                title: "Situ: fill in the givens from a recording".to_owned(),
                kind: Some(CodeActionKind::QuickFix),
                edit: Some(WorkspaceEdit {
                    changes: Some(changes),
                    ..WorkspaceEdit::default()
                }),
                ..CodeAction::default()
            });
        }
    } else {
        actions.push(by_command(
            "Situ: extract tests here",
            &Job::Extract(document.place(line)),
        ));
    }
    actions
}

/// Returns what was recorded at the nearest line above the test at `line`.
fn above<'r>(
    recording: &'r Recording,
    document: &Document,
    line: usize,
) -> Option<&'r situ_engine::record::read::RecordedSite> {
    /// The number of lines above a test in which its target is looked for. A target stands right
    /// above its tests, but may be long.
    const FARTHEST: usize = 30;
    (line.saturating_sub(FARTHEST)..line)
        .rev()
        .find_map(|line| at_line(recording, document, line).into_iter().next())
}

fn by_command(title: &str, job: &Job) -> CodeAction {
    CodeAction {
        title: title.to_owned(),
        kind: Some(CodeActionKind::Refactor),
        command: Some(job.command(title)),
        ..CodeAction::default()
    }
}
