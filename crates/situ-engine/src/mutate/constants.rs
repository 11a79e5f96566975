//! Functions that are called in constants of doctests and must therefore stay `const`.
//!
//! A function with mutants is not `const`. Where that matters inside a crate and its tests, the
//! compiler reports it. Doctests are compiled after everything else, so that it would be reported
//! too late.

use crate::source::parse;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, ExprCall, ExprConst, ExprLit, ExprMethodCall, ItemConst, ItemStatic, Lit, Meta,
};

/// Returns the names of functions called in constants of a file's doctests: `Duration::new` if a
/// type is named, otherwise `new`.
pub(super) fn called_in_doctests(tree: &syn::File) -> BTreeSet<String> {
    let mut texts = Texts::default();
    texts.visit_file(tree);
    let mut calls = Calls::default();
    for block in code_blocks(&texts.0) {
        let code = format!("fn main() {{\n{block}\n}}");
        if let Ok(code) = parse(&code).or_else(|_| parse(&block)) {
            calls.visit_file(&code);
        }
    }
    calls.names
}

/// All documentation of a file, in order.
#[derive(Default)]
struct Texts(String);

impl<'ast> Visit<'ast> for Texts {
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) = &pair.value
        {
            self.0.push_str(&text.value());
            self.0.push('\n');
        }
    }
}

/// Returns the code between fences, including hidden lines.
fn code_blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut block: Option<String> = None;
    for line in text.lines().map(str::trim_start) {
        match (&mut block, line.starts_with("```")) {
            (None, true) => block = Some(String::new()),
            (Some(_), true) => blocks.extend(block.take()),
            (Some(block), false) => {
                block.push_str(line.strip_prefix("# ").unwrap_or(if line == "#" {
                    ""
                } else {
                    line
                }));
                block.push('\n');
            }
            (None, false) => {}
        }
    }
    blocks
}

/// Visitor that collects functions called in constant contexts.
#[derive(Default)]
struct Calls {
    names: BTreeSet<String>,
    constants: usize,
}

impl Calls {
    fn constant(&mut self, inside: impl FnOnce(&mut Self)) {
        self.constants += 1;
        inside(self);
        self.constants -= 1;
    }
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        self.constant(|calls| visit::visit_item_const(calls, item));
    }

    fn visit_item_static(&mut self, item: &'ast ItemStatic) {
        self.constant(|calls| visit::visit_item_static(calls, item));
    }

    fn visit_expr_const(&mut self, block: &'ast ExprConst) {
        self.constant(|calls| visit::visit_expr_const(calls, block));
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let (true, Expr::Path(path)) = (self.constants > 0, &*call.func) {
            let names: Vec<String> = path
                .path
                .segments
                .iter()
                .map(|segment| segment.ident.to_string())
                .collect();
            let is_type = |name: &String| name.starts_with(char::is_uppercase);
            self.names.extend(match names.as_slice() {
                [.., owner, name] if is_type(owner) => Some(format!("{owner}::{name}")),
                [.., name] => Some(name.clone()),
                [] => None,
            });
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if self.constants > 0 {
            self.names.insert(call.method.to_string());
        }
        visit::visit_expr_method_call(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_in_constants_of_doctests_are_found_and_others_are_not() {
        let tree = syn::parse_file(
            "/// ```\n/// # use a::B;\n/// const LIMIT: B = a::B::new(core(1).plus(2));\n/// let other = B::free();\n/// ```\n\
             pub fn f() { const X: u8 = own(); }",
        );
        let found: Vec<String> = called_in_doctests(&tree.unwrap()).into_iter().collect();
        assert_eq!(found, ["B::new", "core", "plus"]);
    }
}
