//! `returned()`, `value()`, `cond()`, `items()`, `scrutinee()` in oracles become the variables that hold them.

use super::in_arguments;
use proc_macro2::{Ident, Span};
use std::collections::BTreeMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprLit, ExprPath, Lit, Macro};

/// Returns a variable as an expression.
pub fn variable(name: Ident) -> Expr {
    Expr::Path(ExprPath {
        attrs: Vec::new(),
        qself: None,
        path: name.into(),
    })
}

/// A visitor that replaces the result names and notes which operands of a condition were used.
#[derive(Default)]
pub struct ResultNames {
    /// The used operands; zero is the whole condition.
    pub operands: BTreeMap<usize, Span>,
    /// Calls with wrong arguments.
    pub mistakes: Vec<(Span, String)>,
}

impl VisitMut for ResultNames {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Call(call) = expression
            && let Expr::Path(path) = &*call.func
            && let Some(name) = path.path.get_ident()
        {
            let span = name.span();
            let local = |text: &str| Ident::new(text, span);
            let arguments: Vec<&Expr> = call.args.iter().collect();
            match (name.to_string().as_str(), arguments.as_slice()) {
                ("returned" | "value", []) => {
                    let name = local("__situ_value");
                    *expression = variable(name);
                    return;
                }
                ("scrutinee", []) => {
                    let name = local("__situ_scrutinee");
                    *expression = Expr::Verbatim(quote::quote!((*#name)));
                    return;
                }
                ("items", []) => {
                    let name = local("__situ_items");
                    *expression = variable(name);
                    return;
                }
                ("cond", []) => {
                    self.operands.insert(0, span);
                    let name = local("__situ_cond_0");
                    *expression = variable(name);
                    return;
                }
                (
                    "cond",
                    [
                        Expr::Lit(ExprLit {
                            lit: Lit::Int(number),
                            ..
                        }),
                    ],
                ) => {
                    let number_span = number.span();
                    let number: usize = number.base10_parse().unwrap_or(0);
                    if number == 0 {
                        self.mistakes.push((
                            span,
                            "operands are counted from one: write `cond(1)`, or `cond()` for all"
                                .into(),
                        ));
                        return;
                    }
                    self.operands.insert(number, number_span);
                    let name = local(&format!("__situ_cond_{number}"));
                    *expression = variable(name);
                    return;
                }
                ("returned" | "value" | "items" | "scrutinee", [_, ..]) => {
                    self.mistakes
                        .push((span, format!("`{name}()` takes no argument; remove it")));
                    return;
                }
                ("cond", _) => {
                    self.mistakes.push((
                        span,
                        "`cond` takes the number of an operand: write `cond(2)`, or `cond()`"
                            .into(),
                    ));
                    return;
                }
                _ => {}
            }
        }
        visit_mut::visit_expr_mut(self, expression);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        in_arguments(call, &mut |expression| self.visit_expr_mut(expression));
    }
}
