//! Marking of variables that a test does not use although the function does.
//!
//! This is not about warnings, which are off in a test: for each unused variable the compiler
//! searches all bodies of the crate for a constant that was perhaps meant, before it checks whether
//! the lint is on.

use crate::analyse::Mentions;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{FieldPat, Item, Pat, PatIdent, Stmt};

/// Prefixes the variables of these statements with `_` unless they are mentioned.
pub fn mark_unused(statements: &mut [Stmt], mentions: &Mentions) {
    // Only its calls would reveal what a macro defined here mentions.
    if statements
        .iter()
        .any(|statement| matches!(statement, Stmt::Item(Item::Macro(_))))
    {
        return;
    }
    let mut marker = Marker {
        names: HashSet::new(),
        mentions,
    };
    for statement in statements {
        if let Stmt::Local(local) = statement {
            marker.visit_pat_mut(&mut local.pat);
        }
    }
}

struct Marker<'m> {
    names: HashSet<String>,
    mentions: &'m Mentions,
}

impl Marker<'_> {
    fn marked(&mut self, pattern: &PatIdent) -> Option<Ident> {
        let name = pattern.ident.to_string();
        // By convention a name with a capital letter is that of a constant.
        let may_be_marked = name.starts_with(|c: char| c.is_lowercase());
        let marked = format!("_{}", name.trim_start_matches("r#"));
        let is_free = !self.mentions.has(&marked) || self.names.contains(&marked);
        if !may_be_marked || !is_free || self.mentions.used.contains_key(&name) {
            return None;
        }
        self.names.insert(marked.clone());
        Some(Ident::new(&marked, pattern.ident.span()))
    }
}

impl VisitMut for Marker<'_> {
    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        visit_mut::visit_field_pat_mut(self, field);
        // `Point { x }` names the field and the variable at once.
        if let (None, Pat::Ident(pattern), syn::Member::Named(member)) =
            (&field.colon_token, &*field.pat, &field.member)
            && pattern.ident != *member
        {
            field.colon_token = Some(syn::Token![:](member.span()));
        }
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut PatIdent) {
        if let Some(marked) = self.marked(pattern) {
            pattern.ident = marked;
        }
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    fn visit_expr_mut(&mut self, _value: &mut syn::Expr) {}
}

#[cfg(test)]
mod tests {
    use super::mark_unused;
    use crate::analyse::mentions_of;
    use quote::ToTokens;
    use syn::visit::Visit;
    use syn::{Block, parse_quote};

    fn check(mut block: Block, expected: Block) {
        let mentions = mentions_of(|mentions| {
            block
                .stmts
                .iter()
                .for_each(|statement| mentions.visit_stmt(statement))
        });
        mark_unused(&mut block.stmts, &mentions);
        assert_eq!(
            block.to_token_stream().to_string(),
            expected.to_token_stream().to_string()
        );
    }

    #[test]
    fn only_variables_that_nobody_mentions_are_marked() {
        check(
            parse_quote!({
                let a = f();
                let b = a;
                let (mut c, d) = g(d);
            }),
            parse_quote!({
                let a = f();
                let _b = a;
                let (mut _c, d) = g(d);
            }),
        );
        check(
            parse_quote!({
                let a = 1;
                println!("{a}");
            }),
            parse_quote!({
                let a = 1;
                println!("{a}");
            }),
        );
        check(
            parse_quote!({
                let a = 1;
                bail!(a => b);
            }),
            parse_quote!({
                let a = 1;
                bail!(a => b);
            }),
        );
    }

    #[test]
    fn a_field_keeps_its_name() {
        check(
            parse_quote!({
                let P { x, ref y, .. } = p;
                let Q { z: w } = q;
            }),
            parse_quote!({
                let P {
                    x: _x, y: ref _y, ..
                } = p;
                let Q { z: _w } = q;
            }),
        );
    }

    #[test]
    fn a_name_that_is_taken_or_a_constant_stays() {
        check(
            parse_quote!({
                let a = 1;
                f(_a);
            }),
            parse_quote!({
                let a = 1;
                f(_a);
            }),
        );
        check(
            parse_quote!({
                let None = f() else { g() };
            }),
            parse_quote!({
                let None = f() else { g() };
            }),
        );
    }

    #[test]
    fn where_a_macro_is_defined_nothing_is_marked() {
        let block: Block = parse_quote!({
            let a = 1;
            macro_rules! m {
                () => {
                    a
                };
            }
            m!();
        });
        check(block.clone(), block);
    }
}
