//! What Situ's own engine makes of the same statements: the reduction saw these mutants, so they judge nothing anew.

use super::targets::{Statement, Tested};
use anyhow::Result;
use proc_macro2::TokenStream;
use situ_engine::mutate::sites::mutants_of;
use situ_engine::source::{SourceFile, parse};
use std::collections::BTreeSet;

/// The first byte of a statement and what it becomes, for all mutants.
pub struct Own(BTreeSet<(usize, String)>);

impl Own {
    /// The mutants of a file's statements.
    pub fn of(tested: &Tested) -> Result<Own> {
        // Blanks for tests: all other bytes stay where they are, and no mutant is about a test.
        let text = &tested.without_tests;
        let (tree, path) = (parse(text)?, tested.path.clone().into());
        let file = SourceFile {
            path,
            module: Vec::new(),
            conditions: Vec::new(),
            text: text.clone(),
            tree,
        };
        let mut own = BTreeSet::new();
        for mutant in mutants_of(&file, tested.path.clone().into(), 0, &[]).mutants {
            let mut changed = tested.text.clone();
            changed.replace_range(mutant.shown_range.clone(), &mutant.shown_text);
            let is_around = |one: &&Statement| {
                one.bytes.start <= mutant.shown_range.start
                    && mutant.shown_range.end <= one.bytes.end
            };
            for statement in tested.statements.iter().filter(is_around) {
                own.extend(
                    becomes(tested, statement, &changed).map(|text| (statement.bytes.start, text)),
                );
            }
        }
        Ok(Own(own))
    }

    /// Is a statement changed in the same way by one of these?
    pub fn has(&self, tested: &Tested, statement: &Statement, changed: &str) -> bool {
        becomes(tested, statement, changed)
            .is_some_and(|text| self.0.contains(&(statement.bytes.start, text)))
    }
}

fn becomes(tested: &Tested, statement: &Statement, changed: &str) -> Option<String> {
    let behind = tested.text.len() - statement.bytes.end;
    normalised(changed.get(statement.bytes.start..changed.len().checked_sub(behind)?)?)
}

/// Without blanks, comments and parentheses: the engine puts some around operands that need none.
fn normalised(code: &str) -> Option<String> {
    let tokens = code.parse::<TokenStream>().ok()?.to_string();
    Some(tokens.replace([' ', '\n', '(', ')'], ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_that_the_engine_makes_too_is_known() {
        let text = "fn f(a: u8, b: u8) -> bool {\n    let is = a - b > 1;\n    is\n}\n".to_owned();
        let bytes = text.find("let").unwrap()..text.find(";").unwrap() + 1;
        let statements = vec![Statement { line: 2, bytes }];
        let path = "src/lib.rs".to_owned();
        let tested = Tested {
            path,
            without_tests: text.clone(),
            text,
            lines: vec![2],
            statements,
        };
        let own = Own::of(&tested).unwrap();
        let has = |by: &str| {
            own.has(
                &tested,
                &tested.statements[0],
                &tested.text.replace("a - b > 1", by),
            )
        };
        assert!(has("a - b >= 1"));
        assert!(has("a + b > 1"));
        assert!(!has("a - b != 1"));
    }
}
