//! Whether a piece of a test may change variables that the rest of it reads, as far as its source
//! shows.

use crate::generate::generalize::scope::token_text::leading_expressions;
use crate::record::plan::is_changing_method;
use crate::source::parse_part;
use situ_syntax::is_compound;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Macro};

/// Methods of the standard library that never change their receiver.
pub(crate) const LOOKING: [&str; 44] = [
    "abs",
    "as_bytes",
    "as_deref",
    "as_mut_slice",
    "as_ref",
    "as_slice",
    "as_str",
    "binary_search",
    "borrow",
    "bytes",
    "capacity",
    "char_indices",
    "chars",
    "clone",
    "cloned",
    "cmp",
    "contains",
    "contains_key",
    "copied",
    "count",
    "ends_with",
    "eq",
    "first",
    "get",
    "get_ref",
    "is_empty",
    "is_err",
    "is_none",
    "is_ok",
    "is_some",
    "iter",
    "keys",
    "last",
    "len",
    "lines",
    "map",
    "ne",
    "partial_cmp",
    "peek",
    "starts_with",
    "to_owned",
    "to_string",
    "to_vec",
    "values",
];

/// The variables that are read later, and what is known of them.
pub(crate) struct Watched<'w> {
    /// The variables.
    pub live: &'w BTreeSet<String>,
    /// The variables declared `mut`.
    pub mutable: &'w BTreeSet<String>,
    /// The variables through which others can be changed.
    pub borrowing: &'w BTreeSet<String>,
    /// Methods of the workspace that never change their receiver.
    pub looking: &'w BTreeSet<String>,
}

impl Watched<'_> {
    /// Returns whether source code, an expression or statements, may change any of the variables.
    pub(crate) fn is_changed_by(&self, text: &str) -> bool {
        let Ok(block) = parse_part::<Block>(&format!("{{ {text} }}")) else {
            return true;
        };
        let mut changes = Changes {
            watched: self,
            found: false,
            is_argument: false,
        };
        changes.visit_block(&block);
        changes.found
    }

    fn is_method_changing(&self, root: &str, method: &str) -> bool {
        let only_looks = self.looking.contains(method) || LOOKING.contains(&method);
        self.live.contains(root)
            && !only_looks
            && (self.mutable.contains(root) || is_changing_method(method))
    }
}

struct Changes<'c> {
    watched: &'c Watched<'c>,
    found: bool,
    /// Whether the current expression is an argument.
    is_argument: bool,
}

impl Changes<'_> {
    /// Visits arguments, which the callee may change.
    fn arguments<'a>(&mut self, arguments: impl IntoIterator<Item = &'a Expr>) {
        for argument in arguments {
            self.is_argument = true;
            self.visit_expr(argument);
        }
    }

    fn is_live(&self, place: &Expr) -> bool {
        root_of(place).is_some_and(|root| self.watched.live.contains(&root))
    }
}

impl<'ast> Visit<'ast> for Changes<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.found |= match expression {
            Expr::MethodCall(call) => {
                let root = root_of(&call.receiver);
                root.is_some_and(|root| {
                    self.watched
                        .is_method_changing(&root, &call.method.to_string())
                })
            }
            Expr::Path(path) => {
                self.is_argument
                    && path
                        .path
                        .get_ident()
                        .is_some_and(|name| self.watched.borrowing.contains(&name.to_string()))
            }
            Expr::Reference(reference) => {
                reference.mutability.is_some() && self.is_live(&reference.expr)
            }
            Expr::Assign(assign) => self.is_live(&assign.left),
            Expr::Binary(binary) => is_compound(&binary.op) && self.is_live(&binary.left),
            _ => false,
        };
        match expression {
            Expr::Call(call) => {
                self.visit_expr(&call.func);
                self.arguments(&call.args);
            }
            Expr::MethodCall(call) => {
                self.is_argument = false;
                self.visit_expr(&call.receiver);
                self.arguments(&call.args);
            }
            _ => {
                self.is_argument = false;
                visit::visit_expr(self, expression);
            }
        }
        self.is_argument = false;
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        leading_expressions(&call.tokens)
            .iter()
            .for_each(|operand| self.visit_expr(operand));
    }
}

/// Returns the variable that a place or a chain of calls begins with.
pub(crate) fn root_of(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Field(field) => root_of(&field.base),
        Expr::Index(index) => root_of(&index.expr),
        Expr::MethodCall(call) => root_of(&call.receiver),
        Expr::Try(question) => root_of(&question.expr),
        Expr::Await(waiting) => root_of(&waiting.base),
        Expr::Paren(inner) => root_of(&inner.expr),
        Expr::Reference(reference) => root_of(&reference.expr),
        Expr::Unary(unary) => root_of(&unary.expr),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_something_that_is_looked_at_counts() {
        let set = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<BTreeSet<String>>()
        };
        let (live, mutable, looking) = (
            set(&["stack", "words"]),
            set(&["stack", "other"]),
            set(&["depth"]),
        );
        let borrowing = set(&["rest"]);
        let watched = Watched {
            live: &live,
            mutable: &mutable,
            borrowing: &borrowing,
            looking: &looking,
        };
        let changing = [
            "stack.pop()",
            "stack.field.turn(1).unwrap()",
            "fill(&mut stack)",
            "stack.x = 3",
            "words.next()",
            "stack[0] += 1",
            "dbg!(stack.pop())",
            "fill(rest, 1)",
        ];
        for text in changing {
            assert!(watched.is_changed_by(text), "{text}");
        }
        for text in [
            "stack.len()",
            "stack.depth()",
            "other.pop()",
            "words.join(2)",
            "fill(&stack)",
            "let stack = 5;",
            "rest == 1",
        ] {
            assert!(!watched.is_changed_by(text), "{text}");
        }
    }
}
