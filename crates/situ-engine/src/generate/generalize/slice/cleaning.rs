//! Statements after the last assertion of a test that clean up.

use super::{Copy, covers};
use crate::generate::generalize::scope::assertion::Kind;
use crate::generate::generalize::scope::token_text::words_in;
use crate::source::byte_range;
use std::collections::BTreeSet;
use syn::Stmt;

/// Words in the names of functions that clean up.
const CLEANING: [&str; 19] = [
    "abort",
    "cleanup",
    "clean_up",
    "close",
    "delete",
    "drop",
    "finish",
    "join",
    "kill",
    "quit",
    "remove_dir",
    "remove_dir_all",
    "remove_file",
    "remove_var",
    "set_current_dir",
    "shutdown",
    "stop",
    "teardown",
    "wait",
];

impl Copy<'_> {
    /// Returns a statement after the last assertion if it cleans up something that was `made`
    /// before, otherwise an empty string.
    pub(super) fn cleaning(&self, statement: &Stmt, made: &BTreeSet<String>) -> String {
        let range = byte_range(statement);
        let is_asserting =
            self.scope.body.assertions.iter().any(|one| {
                one.is_explicit() && one.kind != Kind::Unwrap && covers(&range, &one.range)
            });
        let (Stmt::Expr(..), false) = (statement, is_asserting) else {
            return String::new();
        };
        let text = self.text[range].to_owned();
        let words = words_in(&text);
        let cleans = words.iter().any(|word| CLEANING.contains(&word.as_str()));
        let is_tail = matches!(statement, Stmt::Expr(_, None));
        let variables: Vec<&String> = words.iter().filter(|word| self.is_variable(word)).collect();
        let is_known = variables.iter().all(|word| made.contains(*word));
        if (cleans && !variables.is_empty() || is_tail) && is_known {
            text
        } else {
            String::new()
        }
    }
}
