//! Detection of oracles that visibly can never fail. Cases that only types reveal are left to the
//! compiler.

use super::clause::OracleKind;
use crate::macros::Arguments;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Pat};

/// Rejects a pattern that matches every value.
pub fn check_pattern(pattern: &Pat, guard: Option<&Expr>) -> syn::Result<()> {
    if guard.is_some() || !matches_everything(pattern) {
        return Ok(());
    }
    let message = "this pattern matches everything, so the check can never fail; write what is expected, or `check_runs()`";
    Err(syn::Error::new_spanned(pattern, message))
}

/// Rejects an oracle that does not depend on the fragment, or that compares something with itself.
pub fn check_oracle(oracle: &OracleKind) -> syn::Result<()> {
    match oracle {
        OracleKind::Eq(a, b) | OracleKind::Same(a, b) => {
            check_mention(&[a, b]).and_then(|()| check_sides(a, b))
        }
        OracleKind::Approx(a, b, _) => check_mention(&[a, b]).and_then(|()| check_sides(a, b)),
        OracleKind::Ne(a, b) => check_mention(&[a, b]),
        OracleKind::True(value) | OracleKind::False(value) => check_mention(&[value]),
        OracleKind::Matches(value, _) => check_mention(&[value]),
        OracleKind::Check(condition) => {
            check_mention(&[condition]).and_then(|()| check_condition(condition))
        }
        _ => Ok(()),
    }
}

fn check_condition(condition: &Expr) -> syn::Result<()> {
    match condition {
        Expr::Paren(inner) => check_condition(&inner.expr),
        Expr::Binary(binary) if matches!(binary.op, BinOp::Eq(_) | BinOp::Le(_) | BinOp::Ge(_)) => {
            check_sides(&binary.left, &binary.right)
        }
        Expr::Macro(call) => match Arguments::of(&call.mac) {
            Some(Arguments::Matches(_, pattern, guard)) => check_pattern(&pattern, guard.as_ref()),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

fn check_mention(values: &[&Expr]) -> syn::Result<()> {
    let mut mention = Mention::default();
    values.iter().for_each(|value| mention.visit_expr(value));
    if mention.names || mention.runs {
        return Ok(());
    }
    let message =
        "this mentions nothing that the fragment does; write what must hold, or `check_runs()`";
    Err(syn::Error::new_spanned(values[0], message))
}

fn check_sides(left: &Expr, right: &Expr) -> syn::Result<()> {
    let mut mention = Mention::default();
    mention.visit_expr(left);
    // A call may return something else each time.
    if mention.runs || left.to_token_stream().to_string() != right.to_token_stream().to_string() {
        return Ok(());
    }
    let message = "both sides are the same, so the check can never fail; write what is expected on one of them";
    Err(syn::Error::new_spanned(right, message))
}

/// The kinds of parts of an expression.
#[derive(Default)]
struct Mention {
    /// Whether it contains a name: a variable, a constant, a function.
    names: bool,
    /// Whether it contains something that executes: a call, a macro, a block.
    runs: bool,
}

impl<'ast> Visit<'ast> for Mention {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Path(_) => self.names = true,
            Expr::Lit(_)
            | Expr::Unary(_)
            | Expr::Binary(_)
            | Expr::Paren(_)
            | Expr::Group(_)
            | Expr::Reference(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Cast(_)
            | Expr::Tuple(_)
            | Expr::Array(_)
            | Expr::Range(_)
            | Expr::Repeat(_) => {}
            _ => self.runs = true,
        }
        visit::visit_expr(self, expression);
    }
}

/// Returns whether a pattern matches every value, whatever the type. A name in lower case binds;
/// others may be constants.
fn matches_everything(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Ident(name) => match &name.subpat {
            Some((_, inner)) => matches_everything(inner),
            None => {
                name.by_ref.is_some()
                    || name.mutability.is_some()
                    || !name.ident.to_string().contains(char::is_uppercase)
            }
        },
        Pat::Paren(inner) => matches_everything(&inner.pat),
        Pat::Reference(inner) => matches_everything(&inner.pat),
        Pat::Type(inner) => matches_everything(&inner.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().all(matches_everything),
        Pat::Or(either) => either.cases.iter().any(matches_everything),
        Pat::Slice(slice) => slice.elems.len() == 1 && slice.elems.first().is_some_and(is_rest),
        _ => false,
    }
}

/// `..` or `name @ ..`
fn is_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Rest(_) => true,
        Pat::Ident(name) => matches!(&name.subpat, Some((_, inner)) if is_rest(inner)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse::Parser as _;

    fn matches_all(pattern: &str) -> bool {
        matches_everything(
            &Pat::parse_multi_with_leading_vert
                .parse_str(pattern)
                .unwrap(),
        )
    }

    #[test]
    fn patterns_that_match_everything_are_known() {
        for pattern in [
            "_",
            "name",
            "ref name",
            "mut X",
            "name @ _",
            "_ | A",
            "A(1) | b",
            "(_, _)",
            "(a, ..)",
            "&_",
            "(_)",
            "[..]",
            "[all @ ..]",
            "()",
        ] {
            assert!(matches_all(pattern), "{pattern}");
        }
        for pattern in [
            "None",
            "LIMIT",
            "A(_)",
            "A | B",
            "(_, 1)",
            "[_]",
            "[]",
            "[_, ..]",
            "1..",
            "name @ 1..=3",
            "P { x: _ }",
            "&1",
        ] {
            assert!(!matches_all(pattern), "{pattern}");
        }
    }

    #[test]
    fn comparisons_with_oneself_and_without_the_fragment_are_known() {
        let condition =
            |text: &str| check_oracle(&OracleKind::Check(syn::parse_str(text).unwrap()));
        for text in [
            "true",
            "!false",
            "1 < 2",
            "x == x",
            "x.y >= x.y",
            "(&x[1] == &x[1])",
            "matches!(x, _)",
        ] {
            assert!(condition(text).is_err(), "{text}");
        }
        for text in [
            "x",
            "x == y",
            "x < x",
            "next() == next()",
            "x.len() == x.len()",
            "called()",
            "matches!(x, Some(_))",
        ] {
            assert!(condition(text).is_ok(), "{text}");
        }
    }
}
