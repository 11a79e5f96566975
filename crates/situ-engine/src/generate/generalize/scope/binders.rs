//! Bindings of variables in source code: two of one name are distinguished by their positions.

use crate::generate::generalize::scope::token_text::leading_expressions;
use crate::source::{byte_range, parse_part};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Block, Item, Macro, Pat};

/// A variable's binding: its name, and its first byte in the source. Variables of a loop or of a
/// called function have no position.
pub(crate) type Bound = (String, Option<usize>);

/// Returns a comment that marks where in the source the variable before it is bound.
pub(crate) fn mark(place: usize) -> String {
    format!("/*situ {place}*/")
}

/// Returns the variables of statements that have marks, in the order in which they are bound.
pub(crate) fn marked(statements: &str) -> Vec<Bound> {
    let text = format!("{{ {statements} }}");
    let Ok(block) = parse_part::<Block>(&text) else {
        return Vec::new();
    };
    let place = |behind: &str| {
        behind
            .strip_prefix("/*situ ")?
            .split_once("*/")?
            .0
            .parse()
            .ok()
    };
    binders_in(&block)
        .into_iter()
        .map(|(name, range)| (name, place(&text[range.end..])))
        .collect()
}

/// Returns the variables of a block with their bytes, in the order in which they are bound.
pub(crate) fn binders_in(block: &Block) -> Vec<(String, Range<usize>)> {
    let mut binders = Binders(Vec::new());
    binders.visit_block(block);
    binders.0
}

struct Binders(Vec<(String, Range<usize>)>);

impl<'ast> Visit<'ast> for Binders {
    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Ident(name) = pattern {
            self.0.push((
                name.ident.to_string(),
                byte_range(pattern).start..byte_range(&name.ident).end,
            ));
        }
        visit::visit_pat(self, pattern);
    }

    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_macro(&mut self, call: &'ast Macro) {
        for operand in leading_expressions(&call.tokens) {
            let mut inside = Binders(Vec::new());
            inside.visit_expr(&operand);
            self.0.extend(inside.0);
        }
    }
}

/// Pairs the variables of a copy with those of its formatted form: the n-th of a name with the n-th
/// of that name.
pub(crate) fn paired(
    copied: &[Bound],
    shown: &[(String, Range<usize>)],
) -> Vec<(Bound, Range<usize>)> {
    let mut pairs = Vec::new();
    for (at, bound) in copied.iter().enumerate() {
        let before = copied[..at]
            .iter()
            .filter(|other| other.0 == bound.0)
            .count();
        let same = shown
            .iter()
            .filter(|(name, _)| *name == bound.0)
            .nth(before);
        pairs.extend(same.map(|(_, range)| (bound.clone(), range.clone())));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_one_name_are_told_apart_by_their_places() {
        let copied = marked(
            "match f() { A(x/*situ 7*/) => g(x), B { x: mut x/*situ 40*/ } => (), } let y = 1;",
        );
        let bound = |name: &str, place: Option<usize>| (name.to_owned(), place);
        assert_eq!(
            copied,
            [bound("x", Some(7)), bound("x", Some(40)), bound("y", None)]
        );
        let text = "{ match f() { A(x) => g(x), B { x: mut x } => (), } let y = 1; }";
        let shown = binders_in(&syn::parse_str(text).unwrap());
        let places: Vec<(Option<usize>, &str)> = paired(&copied, &shown)
            .into_iter()
            .map(|((_, place), range)| (place, &text[range]))
            .collect();
        assert_eq!(places, [(Some(7), "x"), (Some(40), "mut x"), (None, "y")]);
        assert_eq!(
            marked("assert!(let Ok(all/*situ 9*/) = f());"),
            [bound("all", Some(9))]
        );
    }
}
