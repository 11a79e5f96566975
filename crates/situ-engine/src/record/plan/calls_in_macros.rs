//! Probes of outgoing calls in macro arguments.

use super::exits::evaluates_arguments;
use super::walk::Walk;
use crate::source::targets::macro_arguments;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Macro};

impl Walk<'_, '_> {
    /// Plans the probes of calls in the arguments of a macro. In a fragment, these calls are made
    /// like any other if the macro evaluates its arguments once.
    pub(super) fn calls_in_macro(&mut self, call: &Macro) {
        if !self.planner.wanted.fragments {
            return;
        }
        for made in made_in(call) {
            match &made {
                Expr::Await(waiting) => self.outgoing_await(waiting),
                other => self.outgoing(other),
            }
        }
    }
}

/// Macros that compare their arguments and evaluate each once.
const COMPARING: [&str; 4] = [
    "assert_eq",
    "assert_ne",
    "debug_assert_eq",
    "debug_assert_ne",
];

/// Returns the calls that a macro makes once, outermost first. Excludes those in closures and
/// blocks.
pub(super) fn made_in(call: &Macro) -> Vec<Expr> {
    struct Made(Vec<Expr>);
    impl<'ast> Visit<'ast> for Made {
        fn visit_expr(&mut self, expression: &'ast Expr) {
            if matches!(
                expression,
                Expr::Call(_) | Expr::MethodCall(_) | Expr::Await(_)
            ) {
                self.0.push(expression.clone());
            }
            visit::visit_expr(self, expression);
        }

        fn visit_block(&mut self, _: &'ast Block) {}

        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    }
    let compares = call
        .path
        .segments
        .last()
        .is_some_and(|last| COMPARING.iter().any(|name| last.ident == name));
    let mut made = Made(Vec::new());
    if compares || evaluates_arguments(call) {
        for argument in macro_arguments(call.tokens.clone()) {
            match &argument {
                // `format!("{count}", count = input.count())`
                Expr::Assign(named) => made.visit_expr(&named.right),
                other => made.visit_expr(other),
            }
        }
    }
    made.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens as _;

    #[test]
    fn calls_in_macros_are_found_where_these_evaluate_them_once() {
        let made = |text: &str| -> Vec<String> {
            let call: Macro = syn::parse_str(text).unwrap();
            made_in(&call)
                .iter()
                .map(|made| made.to_token_stream().to_string().replace(' ', ""))
                .collect()
        };
        assert_eq!(
            made("println!(\"{}\", f(g(a), b.c()))"),
            ["f(g(a),b.c())", "g(a)", "b.c()"]
        );
        assert_eq!(made("write!(w, \"{n}\", n = a.len())"), ["a.len()"]);
        assert_eq!(
            made("format!(\"{:?}\", a.iter().map(|x| f(x)))"),
            ["a.iter().map(|x|f(x))", "a.iter()"]
        );
        assert_eq!(made("my_macro!(f())"), [""; 0]);
    }
}
