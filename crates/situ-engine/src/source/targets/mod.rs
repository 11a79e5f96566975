//! Target statements: those that manipulate regular expressions, strings, bits or sequences, and
//! conditions, where a test of them is possible.

pub(crate) mod effects;
pub(crate) mod lasting;
mod methods;

pub(crate) use methods::is_plain_manipulation;

use crate::source::parse_tokens_with;
use proc_macro2::{TokenStream, TokenTree};
use serde::{Deserialize, Serialize};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    BinOp, Block, Expr, ExprBinary, ExprCall, ExprIndex, ExprMethodCall, Item, Macro, Token, UnOp,
};

/// What a target statement manipulates. If there are several, the first variant counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Regex,
    /// Strings and chars.
    Text,
    /// Bits of integers.
    Bits,
    /// Iterators and collections.
    Sequence,
    /// None of the above, but the expression decides a branch.
    Condition,
    /// None of the above; the user selected the statement's line, or all statements.
    Other,
}

impl Kind {
    pub(crate) const ALL: [Kind; 6] = [
        Kind::Regex,
        Kind::Text,
        Kind::Bits,
        Kind::Sequence,
        Kind::Condition,
        Kind::Other,
    ];

    /// Returns the kind as reports show it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Regex => "regex",
            Kind::Text => "text",
            Kind::Bits => "bits",
            Kind::Sequence => "sequence",
            Kind::Condition => "condition",
            Kind::Other => "other",
        }
    }
}

/// Returns what an expression manipulates. Skips blocks inside it, whose statements are targets of
/// their own.
pub(crate) fn kind_of(expression: &Expr) -> Option<Kind> {
    let mut search = Search::default();
    search.visit_expr(expression);
    search.found
}

/// Returns what a condition manipulates: that of an `if`, `while` or guard, or the scrutinee of a
/// `match`. Returns `None` for a mere name, which leaves nothing to test.
pub(crate) fn kind_of_condition(condition: &Expr) -> Option<Kind> {
    kind_of(condition).or_else(|| (!only_names(condition)).then_some(Kind::Condition))
}

fn only_names(expression: &Expr) -> bool {
    match expression {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(field) => only_names(&field.base),
        Expr::Paren(inner) => only_names(&inner.expr),
        Expr::Reference(inner) => only_names(&inner.expr),
        Expr::Unary(inner) => only_names(&inner.expr),
        Expr::Tuple(parts) => parts.elems.iter().all(only_names),
        _ => false,
    }
}

/// Returns what the arguments of a macro manipulate. `format!` itself manipulates strings.
pub(crate) fn kind_of_macro(call: &Macro) -> Option<Kind> {
    let mut search = Search::default();
    search.visit_macro(call);
    search.found
}

#[derive(Default)]
struct Search {
    found: Option<Kind>,
}

impl Search {
    fn note(&mut self, kind: Kind) {
        self.found = Some(self.found.map_or(kind, |found| found.min(kind)));
    }
}

impl<'ast> Visit<'ast> for Search {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if let Some(kind) = methods::kind_of_method(&call.method.to_string(), call.args.len()) {
            self.note(kind);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(path) = &*call.func {
            let words: Vec<String> = path
                .path
                .segments
                .iter()
                .map(|segment| segment.ident.to_string())
                .collect();
            if words.len() > 1
                && words
                    .iter()
                    .any(|word| word == "Regex" || word == "RegexBuilder")
            {
                self.note(Kind::Regex);
            } else if words
                .last()
                .is_some_and(|word| matches!(word.as_str(), "from_utf8" | "from_utf8_lossy"))
            {
                self.note(Kind::Text);
            }
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        if is_bit_operator(&binary.op) && !is_plain_logic(binary) {
            self.note(Kind::Bits);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_index(&mut self, index: &'ast ExprIndex) {
        if matches!(&*index.index, Expr::Range(_)) {
            self.note(Kind::Sequence);
        }
        visit::visit_expr_index(self, index);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let name = call
            .path
            .segments
            .last()
            .map(|last| last.ident.to_string())
            .unwrap_or_default();
        if name == "format" {
            self.note(Kind::Text);
        }
        for argument in macro_arguments(call.tokens.clone()) {
            self.visit_expr(&argument);
        }
    }

    fn visit_block(&mut self, _: &'ast Block) {}

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Returns the arguments of a macro call as expressions, or none if they do not all parse.
pub(crate) fn macro_arguments(tokens: TokenStream) -> Vec<Expr> {
    let parsed = parse_tokens_with(Punctuated::<Expr, Token![,]>::parse_terminated, tokens);
    parsed
        .map(|arguments| arguments.into_iter().collect())
        .unwrap_or_default()
}

/// Collects all identifiers in a token stream, including those inside groups.
pub(crate) fn names_in(tokens: TokenStream, names: &mut Vec<proc_macro2::Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => names.push(name),
            TokenTree::Group(group) => names_in(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn is_bit_operator(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::BitAnd(_)
            | BinOp::BitOr(_)
            | BinOp::BitXor(_)
            | BinOp::Shl(_)
            | BinOp::Shr(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Returns whether a bit operator has operands that are clearly `bool`: `(a == b) | (c == d)`.
fn is_plain_logic(binary: &ExprBinary) -> bool {
    let bare = |side: &Expr| match side {
        Expr::Paren(inner) => (*inner.expr).clone(),
        other => other.clone(),
    };
    let is_truth = |side: &Expr| match bare(side) {
        Expr::Binary(side) => {
            matches!(
                side.op,
                BinOp::Eq(_)
                    | BinOp::Ne(_)
                    | BinOp::Lt(_)
                    | BinOp::Le(_)
                    | BinOp::Gt(_)
                    | BinOp::Ge(_)
            )
        }
        Expr::Unary(side) => {
            matches!(side.op, UnOp::Not(_)) && matches!(&*side.expr, Expr::Paren(_))
        }
        _ => false,
    };
    is_truth(&binary.left) && is_truth(&binary.right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(source: &str) -> Option<Kind> {
        kind_of(&syn::parse_str(source).unwrap())
    }

    #[test]
    fn manipulations_are_recognised_by_what_is_called() {
        assert_eq!(
            kind("Regex::new(p).unwrap().is_match(s)"),
            Some(Kind::Regex)
        );
        assert_eq!(kind("line.strip_prefix(\"a\")"), Some(Kind::Text));
        assert_eq!(kind("(x >> 3) & 1"), Some(Kind::Bits));
        assert_eq!(
            kind("v.iter().map(|x| x + 1).sum::<u8>()"),
            Some(Kind::Sequence)
        );
        assert_eq!(kind("buffer[2..n]"), Some(Kind::Sequence));
        assert_eq!(kind("format!(\"{a}\")"), Some(Kind::Text));
        assert_eq!(kind("assert!(s.starts_with('a'))"), Some(Kind::Text));
    }

    #[test]
    fn conditions_are_targets_unless_they_only_name_something() {
        let kind = |source: &str| kind_of_condition(&syn::parse_str(source).unwrap());
        for source in [
            "a < b",
            "x.is_some()",
            "is_ready(a) && !b",
            "self.n[i] == 3",
            "let Some(x) = y",
        ] {
            assert_eq!(kind(source), Some(Kind::Condition), "{source}");
        }
        assert_eq!(kind("line.starts_with(\"a\") && n > 1"), Some(Kind::Text));
        for source in ["done", "!self.done", "(&a.b)", "true", "*x", "(a, b.c)"] {
            assert_eq!(kind(source), None, "{source}");
        }
    }

    #[test]
    fn plain_arithmetic_calls_and_blocks_inside_are_no_targets() {
        for source in [
            "a + b",
            "f(x, y)",
            "(a == b) | (c == d)",
            "if c { s.trim() } else { t.trim() }",
            "x.get(1)",
        ] {
            assert_eq!(kind(source), None, "{source}");
        }
    }
}
