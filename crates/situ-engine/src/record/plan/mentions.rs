//! Finds where code uses a stream.

use super::places::bindings_of;
use crate::source::byte_range;
use crate::source::targets::{macro_arguments, names_in};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{
    Expr, ExprAsync, ExprCall, ExprClosure, ExprMethodCall, ExprReference, Item, Macro, PatIdent,
};

/// Methods of the stream traits that borrow their receiver.
const BORROWING: [&str; 17] = [
    "by_ref",
    "consume",
    "fill_buf",
    "flush",
    "read",
    "read_exact",
    "read_line",
    "read_to_end",
    "read_to_string",
    "read_until",
    "read_vectored",
    "write",
    "write_all",
    "write_char",
    "write_fmt",
    "write_str",
    "write_vectored",
];

/// Macros that call a method of their first argument.
const WRITING: [&str; 2] = ["write", "writeln"];

/// Macros that evaluate their arguments once.
const EVALUATING: [&str; 7] = [
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "print",
    "println",
    "vec",
];

/// Visitor that finds the mentions of one stream.
pub(super) struct Mentions<'m> {
    /// Place of the stream, as source.
    pub place: &'m str,
    is_borrowed: bool,
    /// Byte ranges where the place is used as a stream, and whether the wrapper must be reborrowed
    /// there.
    pub used: Vec<(Range<usize>, bool)>,
    /// Whether the place is also used in another way, or later.
    is_elsewhere: bool,
    /// Number of enclosing closures and `async` blocks.
    deferred: usize,
}

impl<'m> Mentions<'m> {
    pub(super) fn of(place: &'m str, is_borrowed: bool) -> Mentions<'m> {
        Mentions {
            place,
            is_borrowed,
            used: Vec::new(),
            is_elsewhere: false,
            deferred: 0,
        }
    }

    /// Returns whether the stream is not mentioned at all.
    pub(super) fn are_none(&self) -> bool {
        !self.is_elsewhere && self.used.is_empty()
    }

    /// Returns whether the place is used as a stream, and in no other way.
    pub(super) fn are_uses(&self) -> bool {
        !self.is_elsewhere && !self.used.is_empty()
    }
}

impl Mentions<'_> {
    fn is_place(&self, expression: &Expr) -> bool {
        text_of(expression).is_some_and(|text| text == self.place)
    }

    fn add(&mut self, expression: &Expr, needs_borrow: bool) {
        self.is_elsewhere |= self.deferred > 0;
        self.used.push((byte_range(expression), needs_borrow));
    }

    /// Visits an argument of a call. A borrowed stream is reborrowed for it.
    fn argument(&mut self, argument: &Expr) {
        match self.is_borrowed && self.is_place(argument) {
            true => self.add(argument, true),
            false => self.visit_expr(argument),
        }
    }

    fn deferred(&mut self, visit: impl FnOnce(&mut Self)) {
        self.deferred += 1;
        visit(self);
        self.deferred -= 1;
    }
}

/// Returns the source of an expression that is a variable or a field of one.
pub(super) fn text_of(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident().map(ToString::to_string),
        Expr::Field(field) => Some(format!(
            "{}.{}",
            text_of(&field.base)?,
            quote::ToTokens::to_token_stream(&field.member)
        )),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Mentions<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.is_elsewhere |= self.is_place(expression);
        visit::visit_expr(self, expression);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let stays = self.is_borrowed || BORROWING.iter().any(|method| call.method == method);
        match stays && self.is_place(&call.receiver) {
            true => self.add(&call.receiver, false),
            false => self.visit_expr(&call.receiver),
        }
        call.args
            .iter()
            .for_each(|argument| self.argument(argument));
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        self.visit_expr(&call.func);
        call.args
            .iter()
            .for_each(|argument| self.argument(argument));
    }

    fn visit_expr_reference(&mut self, reference: &'ast ExprReference) {
        match reference.mutability.is_some() && self.is_place(&reference.expr) {
            true => self.add(&reference.expr, false),
            false => self.visit_expr(&reference.expr),
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let is_among = |names: &[&str]| {
            call.path
                .segments
                .last()
                .is_some_and(|last| names.iter().any(|name| last.ident == name))
        };
        let arguments = macro_arguments(call.tokens.clone());
        let mut arguments = arguments.iter().peekable();
        if is_among(&WRITING)
            && let Some(first) = arguments.next_if(|first| self.is_place(first))
        {
            self.add(first, false);
        }
        if is_among(&WRITING) || is_among(&EVALUATING) {
            for argument in arguments {
                // `format!("{count}", count = input.read(buffer)?)`
                match argument {
                    Expr::Assign(named) => self.visit_expr(&named.right),
                    other => self.visit_expr(other),
                }
            }
            return;
        }
        let mut names = Vec::new();
        names_in(call.tokens.clone(), &mut names);
        let root = self.place.split('.').next().unwrap_or_default();
        self.is_elsewhere |= names.iter().any(|name| name == root);
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        // The closure's own parameter shadows the name.
        if closure
            .inputs
            .iter()
            .flat_map(bindings_of)
            .any(|(name, _)| name == self.place)
        {
            return;
        }
        self.deferred(|mentions| visit::visit_expr_closure(mentions, closure));
    }

    fn visit_expr_async(&mut self, block: &'ast ExprAsync) {
        self.deferred(|mentions| visit::visit_expr_async(mentions, block));
    }

    // A binding of the same name shadows the stream.
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.is_elsewhere |= pattern.ident == self.place;
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(place: &str, is_borrowed: bool, text: &str) -> Option<usize> {
        let expression: Expr = syn::parse_str(text).unwrap();
        let mut mentions = Mentions::of(place, is_borrowed);
        mentions.visit_expr(&expression);
        mentions.are_uses().then_some(mentions.used.len())
    }

    #[test]
    fn what_a_trait_has_is_a_use_of_a_stream() {
        assert_eq!(used("out", true, "out.write_all(&buf[n..])?"), Some(1));
        assert_eq!(
            used(
                "out",
                true,
                "if x { out.write_all(a) } else { write!(out, \"{}\", b) }"
            ),
            Some(2)
        );
        assert_eq!(
            used("self.out", false, "writeln!(self.out, \"{l}\")?"),
            Some(1)
        );
        assert_eq!(used("out", true, "self.print(1, out)?"), Some(1));
        assert_eq!(used("out", false, "print(&mut out)"), Some(1));
        assert_eq!(used("out", false, "out.by_ref().write(b)"), Some(1));
        assert_eq!(used("out", true, "each(|out| out.flush(), out)"), Some(1));
    }

    #[test]
    fn what_gives_a_stream_away_or_keeps_it_is_none() {
        let kept = [
            ("out", false, "print(out)"),
            ("input", false, "input.lines()"),
            (
                "out",
                true,
                "items.for_each(|item| out.write_all(item).unwrap())",
            ),
            ("out", true, "Printer { out }"),
            ("out", true, "own_macro!(out, 1)"),
            (
                "out",
                true,
                "match x { Some(out) => out.write_all(b), None => y }",
            ),
            ("self.out", true, "self.out.inner.write_all(b)"),
        ];
        for (place, is_borrowed, text) in kept {
            assert_eq!(used(place, is_borrowed, text), None, "{text}");
        }
    }
}
