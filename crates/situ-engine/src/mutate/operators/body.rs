//! Bodies of functions.

use super::values::values_of;
use super::{Change, Node, Operator};
use crate::source::{Splice, byte_range};
use situ_syntax::is_test_statement;
use syn::ReturnType;

/// Operator that replaces the body of a function by simple values of its return type.
pub(crate) const OPERATOR: Operator = Operator {
    name: "body",
    about: "Replaces the body of a function by a simple value of its return type. Tests that \
            call the function without checking its result miss it.",
    before: "fn ready(&self) -> bool { self.compute() }",
    after: &[
        "fn ready(&self) -> bool { true }",
        "fn ready(&self) -> bool { false }",
    ],
    find: |node, around, found| {
        let Node::Body { signature, block } = node else {
            return;
        };
        // In-situ tests are not part of the body.
        let mut statements = block
            .stmts
            .iter()
            .filter(|statement| !is_test_statement(statement));
        let Some(first) = statements.next() else {
            return;
        };
        let last = statements.next_back().unwrap_or(first);
        let inside = byte_range(first).start..byte_range(last).end;
        let mut put = |code: String, shown: String| {
            let shown = Some(Splice {
                range: inside.clone(),
                text: shown,
            });
            found.push(Change {
                shown,
                ..Change::before(first, code)
            });
        };
        match &signature.output {
            ReturnType::Default => put("return;".to_owned(), String::new()),
            ReturnType::Type(_, returned) => {
                let whole = around.text[inside.clone()].to_owned();
                let values = values_of(returned)
                    .into_iter()
                    .filter(|value| *value != whole);
                values.for_each(|value| put(format!("return {value};"), value));
            }
        }
    },
};
