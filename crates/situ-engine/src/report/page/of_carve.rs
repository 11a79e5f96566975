//! HTML page of `cargo situ carve`.

use super::{Distribution, Entry, Page, Sets};
use crate::generate::carve::{Carved, Form, Node, Refused, Report, Summary};
use std::collections::BTreeMap;
use std::path::Path;

impl Page {
    /// Creates the page of `carve`: the call tree of each scenario, the tests, and the calls
    /// without a test.
    pub fn of_carve(root: &Path, report: &Report) -> Page {
        let summary = &report.summary;
        let counted = [
            ("functions seen", summary.functions_seen),
            ("with tests", summary.functions_with_tests),
            ("distinct calls", summary.calls),
            ("tests attempted", summary.attempted),
            ("shown", summary.shown),
            ("with mocked calls", summary.with_mocks),
            ("with doubles", summary.with_doubles),
            ("branches taken by the run", summary.branches),
            ("and by the tests", summary.branches_taken),
        ];
        // The trees refer to tests by index, so tests come first.
        let entries = report
            .tests
            .iter()
            .map(of_carved)
            .chain(report.refused.iter().map(of_refused))
            .collect();
        let page = Page::counting("cargo situ carve", &counted, summary.seconds, entries, root);
        let distributions = vec![tests_of_functions(&report.trees)];
        Page {
            trees: report.trees.clone(),
            sets: of_branches(summary),
            distributions,
            ..page
        }
    }
}

fn of_carved(test: &Carved) -> Entry {
    let (kind, name) = match &test.form {
        Form::Unit(_) => ("unit test", test.name.clone()),
        Form::InSitu(_) => (
            "in place",
            format!("{}: {}", test.function, test.name.replace('_', " ")),
        ),
    };
    Entry {
        name,
        kind: kind.to_owned(),
        outcome: "new".to_owned(),
        is_bad: false,
        tags: Vec::new(),
        file: Some(test.file.clone()),
        line: Some(test.line),
        about: None,
        text: test.text.clone(),
    }
}

fn of_refused(refused: &Refused) -> Entry {
    Entry {
        name: refused.function.clone(),
        kind: "call".to_owned(),
        outcome: "not shown".to_owned(),
        is_bad: true,
        tags: Vec::new(),
        file: Some(refused.file.clone()),
        line: Some(refused.line),
        about: None,
        text: [refused.reason.as_str(), refused.detail.as_str()].join("\n"),
    }
}

/// Returns which of the run's branches existing and carved tests cover. Returns `None` if there are
/// no existing tests to compare with.
fn of_branches(summary: &Summary) -> Option<Sets> {
    let (existing, new) = (
        summary.branches_of_existing_tests?,
        summary.branches_new_to_tests?,
    );
    let both = summary.branches_taken.saturating_sub(new);
    Some(Sets {
        title: "Branches that the run took, by the tests that take them".to_owned(),
        left: (
            "the crate's own tests only".to_owned(),
            existing.saturating_sub(both),
        ),
        right: ("carved tests only".to_owned(), new),
        both,
        neither: summary.branches.saturating_sub(existing + new),
        unknown: 0,
    })
}

fn tests_of_functions(trees: &[Node]) -> Distribution {
    let mut counts = BTreeMap::new();
    trees.iter().for_each(|tree| count(tree, &mut counts));
    Distribution::of_numbers("Tests of a function", counts.into_values())
}

/// Counts the tests of each function once, although it may occur at several places in the trees.
fn count<'n>(node: &'n Node, counts: &mut BTreeMap<(&'n str, usize), usize>) {
    if node.is_chosen {
        counts.insert((&node.file, node.line), node.tests.len());
    }
    node.children.iter().for_each(|child| count(child, counts));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(line: usize, tests: Vec<usize>, children: Vec<Node>) -> Node {
        Node {
            function: format!("f{line}"),
            file: "src/a.rs".to_owned(),
            line,
            hits: 4,
            calls: 2,
            is_chosen: true,
            is_again: false,
            leaves: Vec::new(),
            tests,
            refused: Vec::new(),
            children,
        }
    }

    #[test]
    fn a_function_counts_once_wherever_it_stands() {
        let inner = node(3, vec![0, 1], Vec::new());
        let trees = [
            node(1, Vec::new(), vec![inner.clone(), inner.clone()]),
            inner,
        ];
        let bars = tests_of_functions(&trees).bars;
        assert_eq!((bars[0].1, bars[2].1), (1, 1));
    }

    #[test]
    fn branches_are_told_apart_by_who_takes_them() {
        let mut summary = Summary {
            branches: 10,
            branches_taken: 7,
            ..Summary::default()
        };
        assert!(
            of_branches(&summary).is_none(),
            "there are no tests to compare with"
        );
        (
            summary.branches_of_existing_tests,
            summary.branches_new_to_tests,
        ) = (Some(6), Some(3));
        let sets = of_branches(&summary).unwrap();
        assert_eq!(
            (sets.left.1, sets.both, sets.right.1, sets.neither),
            (2, 4, 3, 1)
        );
    }
}
