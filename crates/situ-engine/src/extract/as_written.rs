//! Givens that a test holds as they are written, because no value of a table could be them: the format of a formatter, and a
//! closure that the function around has made.

use crate::record::plan::Phase;
use crate::record::read::RecordedSite;
use crate::source::byte_range;
use crate::targets::names_in;
use quote::ToTokens;
use situ_rt::value::{FORMATTER, Value};
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprClosure, ImplItemFn, ItemFn, Pat, PatIdent, Stmt, TraitItemFn};

/// The type of a closure that is given.
const CLOSURE: &str = "{{closure}}";

/// The source of a given that stands in the test itself.
pub fn as_written(value: &Value) -> Option<&str> {
    match value {
        Value::Built { type_name, tail, .. } if [FORMATTER, CLOSURE].contains(&type_name.as_str()) => Some(tail),
        _ => None,
    }
}

/// A formatter of this format.
pub fn formatter(format: &str) -> Value {
    written(FORMATTER, format!("{format:?}"))
}

/// Whether a given is a formatter.
pub fn is_formatter(value: &Value) -> bool {
    matches!(value, Value::Built { type_name, .. } if type_name == FORMATTER)
}

/// A closure with this source.
pub fn closure(source: &str) -> Value {
    written(CLOSURE, source.to_owned())
}

fn written(type_name: &str, source: String) -> Value {
    Value::Built { type_name: type_name.to_owned(), head: String::new(), args: Vec::new(), tail: source }
}

/// Whether a closure is among the inputs of a statement.
pub fn reads_closure(recorded: &RecordedSite) -> bool {
    let is_closure = |value: &Value| matches!(value.behind_references(), Value::Opaque { type_name, .. } if type_name.ends_with(CLOSURE));
    recorded.sets.iter().any(|set| recorded.values(set, Phase::Before).iter().any(|(_, value)| is_closure(value)))
}

/// The closures that code at this byte can see by a name and that hold nothing of their surroundings, with their sources.
pub fn closures_at(text: &str, file: &syn::File, at: usize) -> BTreeMap<String, String> {
    let mut search = Search { text, at, variables: Vec::new(), found: BTreeMap::new() };
    search.visit_file(file);
    search.found
}

struct Search<'s> {
    text: &'s str,
    at: usize,
    /// All variables of the function around.
    variables: Vec<String>,
    found: BTreeMap<String, String>,
}

impl Search<'_> {
    /// Looks into a function if the byte is in it. What it can see is what that function has.
    fn function<'a, T: ToTokens>(&mut self, item: &'a T, inside: impl FnOnce(&mut Self, &'a T)) {
        if byte_range(item).contains(&self.at) {
            self.found.clear();
            let mut names = Variables::default();
            names.tokens(item);
            self.variables = names.0;
            inside(self, item);
        }
    }

    fn holds_nothing(&self, closure: &ExprClosure) -> bool {
        let (mut own, mut mentioned) = (Variables::default(), Vec::new());
        own.visit_expr_closure(closure);
        names_in(closure.to_token_stream(), &mut mentioned);
        let is_outer = |name: &String| name == "self" || self.variables.contains(name) && !own.0.contains(name);
        !mentioned.iter().map(ToString::to_string).any(|name| is_outer(&name))
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(item, |search, item| visit::visit_item_fn(search, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(item, |search, item| visit::visit_impl_item_fn(search, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.function(item, |search, item| visit::visit_trait_item_fn(search, item));
    }

    fn visit_block(&mut self, block: &'ast Block) {
        if !byte_range(block).contains(&self.at) {
            return;
        }
        for statement in &block.stmts {
            let own = byte_range(statement);
            if let Stmt::Local(local) = statement
                && own.end <= self.at
                && let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            {
                let closure = match &*init.expr {
                    Expr::Closure(closure) if self.holds_nothing(closure) => Some(byte_range(closure)),
                    _ => None,
                };
                let name = name.ident.to_string();
                match closure.and_then(|range| self.text.get(range)) {
                    Some(source) => self.found.insert(name, source.to_owned()),
                    None => self.found.remove(&name),
                };
            }
            self.visit_stmt(statement);
        }
    }
}

/// The names that patterns bind.
#[derive(Default)]
struct Variables(Vec<String>);

impl Variables {
    fn tokens(&mut self, item: &impl ToTokens) {
        if let Ok(item) = syn::parse2::<ImplItemFn>(item.to_token_stream()) {
            self.visit_impl_item_fn(&item);
        } else if let Ok(item) = syn::parse2::<TraitItemFn>(item.to_token_stream()) {
            self.visit_trait_item_fn(&item);
        }
    }
}

impl<'ast> Visit<'ast> for Variables {
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.0.push(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closure_is_seen_where_it_has_its_name_and_holds_nothing() {
        let text = "fn f(limit: u8) {
            let is_digit = |b: u8| { let low = b'0'; b >= low };
            let is_small = |b: u8| b < limit;
            { let inner = |x| x + 1; HERE; }
            let later = |x| x;
        }
        fn g() { let other = |x| x; }";
        let file = syn::parse_file(text).unwrap();
        let found = closures_at(text, &file, text.find("HERE").unwrap());
        let names: Vec<(&str, &str)> = found.iter().map(|(name, source)| (name.as_str(), source.as_str())).collect();
        assert_eq!(names, [("inner", "|x| x + 1"), ("is_digit", "|b: u8| { let low = b'0'; b >= low }")]);
    }
}
