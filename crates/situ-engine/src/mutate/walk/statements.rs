//! Visits blocks, their statements, and the arguments of macros.

use super::attributes::leaves_out;
use super::{LONGEST_LIST, Walk};
use crate::mutate::operators::{BlockKind, Node, is_noise};
use crate::source::{byte_range, parse_tokens_with, range_of};
use proc_macro2::TokenStream;
use situ_syntax::{attributes_of_statement, is_test_statement};
use syn::parse::ParseStream;
use syn::{Block, Expr, Macro, Stmt, Token};

impl Walk<'_> {
    pub(super) fn block(&mut self, block: &Block, kind: BlockKind) {
        if matches!(kind, BlockKind::Loop | BlockKind::ValueLoop) {
            self.around.push(kind);
            let begins = range_of(block.brace_token.span.open()).end;
            let has_attributes = self.text[begins..].trim_start().starts_with("#!");
            self.loops.extend(
                self.function
                    .filter(|_| self.constant == 0 && !has_attributes)
                    .map(|at| (begins, at)),
            );
        }
        self.tests.extend(
            block
                .stmts
                .iter()
                .filter(|statement| is_test_statement(statement))
                .map(byte_range),
        );
        let statements = block
            .stmts
            .iter()
            .filter(|statement| !is_test_statement(statement));
        let last = statements.clone().count().saturating_sub(1);
        for (at, statement) in statements.enumerate() {
            if attributes_of_statement(statement).iter().any(leaves_out) {
                continue;
            }
            self.offer(&Node::Statement {
                statement,
                is_last: at == last,
                is_first: at == 0,
                block: kind,
            });
            self.statement(statement);
        }
        if matches!(kind, BlockKind::Loop | BlockKind::ValueLoop) {
            self.around.pop();
        }
    }

    pub(super) fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Local(local) => {
                self.pattern(&local.pat);
                if let Some(init) = &local.init {
                    self.copied_condition(&local.pat, &init.expr);
                    self.full(&init.expr, |walk| walk.expression(&init.expr));
                    if let Some((_, diverge)) = &init.diverge {
                        self.expression(diverge);
                    }
                }
            }
            Stmt::Item(item) => self.item(item),
            Stmt::Expr(expression, _) => self.full(expression, |walk| walk.expression(expression)),
            Stmt::Macro(call) => self.arguments_of(&call.mac),
        }
    }

    /// Visits the arguments of macros that are known to take expressions.
    pub(super) fn arguments_of(&mut self, call: &Macro) {
        if is_noise(call) {
            return;
        }
        let Some(name) = call.path.segments.last().map(|last| last.ident.to_string()) else {
            return;
        };
        let (skipped, only) = match name.as_str() {
            "vec" => (0, usize::MAX),
            "format" => (1, usize::MAX),
            "write" | "writeln" => (2, usize::MAX),
            "matches" => (0, 1),
            "assert" => (0, 1),
            "assert_eq" | "assert_ne" => (0, 2),
            _ => return,
        };
        let parser = |input: ParseStream<'_>| -> syn::Result<Vec<Expr>> {
            let mut all = Vec::new();
            while !input.is_empty() && all.len() < only {
                all.push(input.parse::<Expr>()?);
                if input.parse::<Option<Token![,]>>()?.is_none() {
                    break;
                }
            }
            let _rest: TokenStream = input.parse()?;
            Ok(all)
        };
        let Ok(arguments) = parse_tokens_with(parser, call.tokens.clone()) else {
            return;
        };
        for argument in arguments.iter().skip(skipped) {
            // `name = value` in a format macro is not an assignment.
            match argument {
                Expr::Assign(named) if name != "vec" => self.expression(&named.right),
                Expr::Repeat(_) | Expr::Lit(_)
                    if name == "vec" && arguments.len() > LONGEST_LIST => {}
                _ => self.expression(argument),
            }
        }
    }
}
