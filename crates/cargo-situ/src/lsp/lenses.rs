//! Code lenses that run tests and theories.

use super::document::Document;
use super::jobs::Job;
use super::outcomes::Outcomes;
use gen_lsp_types::{CodeLens, Command};
use situ_engine::base::words::count;
use situ_engine::programs::catalog::Listed;
use std::collections::BTreeMap;

/// Returns one lens at each statement for all of its tests, one at each test if there are several,
/// and two at each theory.
pub fn lenses(document: &Document, outcomes: &Outcomes) -> Vec<CodeLens> {
    let mut targets: BTreeMap<(usize, usize), Vec<&Listed>> = BTreeMap::new();
    for test in document.in_situ() {
        targets
            .entry((test.first_line, test.last_line))
            .or_default()
            .push(test);
    }
    let mut lenses = Vec::new();
    let mut add = |line: usize, command: Command| {
        lenses.push(CodeLens {
            range: document.line_range(line),
            command: Some(command),
            ..CodeLens::default()
        });
    };
    for ((first, _), tests) in &targets {
        let places: Vec<String> = tests.iter().map(|test| document.place(test.line)).collect();
        let mark = tests
            .iter()
            .map(|test| outcomes.mark(document, test))
            .collect::<Vec<_>>();
        let mark = mark
            .iter()
            .find(|mark| **mark == "✗ ")
            .or(mark.first())
            .copied()
            .unwrap_or_default();
        let count = count(tests.len(), "test");
        add(
            *first,
            Job::Run(places).command(&format!("{mark}▶ run {count}")),
        );
        for test in tests.iter().filter(|_| tests.len() > 1) {
            let mark = outcomes.mark(document, test);
            add(
                test.line,
                Job::Run(vec![document.place(test.line)]).command(&format!("{mark}▶ run test")),
            );
        }
    }
    for theory in document.theories() {
        let mark = outcomes.mark(document, theory);
        add(
            theory.line,
            Job::Run(vec![document.place(theory.line)]).command(&format!("{mark}▶ run theory")),
        );
        add(
            theory.line,
            Job::Explore(theory.name.clone()).command("explore"),
        );
    }
    lenses
}

#[cfg(test)]
mod tests {
    use super::super::document::tests::document;
    use super::*;

    #[test]
    fn a_statement_runs_all_of_its_tests_and_a_theory_is_explored() {
        let text = "#[situ]\nfn f(x: u8) -> u8 {\n    let y = x;\n    itest!(given(x = 1), check_eq(y, 1));\n    \
                    itest!(given(x = 2), check_eq(y, 2));\n    y\n}\n#[theory]\nfn holds(x: u8) {}\n";
        let found = lenses(&document(text), &Outcomes::default());
        let shown: Vec<(u32, String)> = found
            .into_iter()
            .map(|lens| (lens.range.start.line, lens.command.unwrap().title))
            .collect();
        let expected = [
            (2, "▶ run 2 tests"),
            (3, "▶ run test"),
            (4, "▶ run test"),
            (8, "▶ run theory"),
            (8, "explore"),
        ];
        assert_eq!(
            shown,
            expected.map(|(line, title)| (line, title.to_owned()))
        );
    }
}
