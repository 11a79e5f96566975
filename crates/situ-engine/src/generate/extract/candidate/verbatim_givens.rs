//! Givens that are written in the test itself, because no table can contain them: the format of a
//! formatter, and closures of the function around.

use crate::record::plan::Phase;
use crate::record::read::RecordedSite;
use crate::source::{byte_range, parse_tokens};
use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use situ_recorder::value::{FORMATTER, Value};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprClosure, ImplItemFn, ItemFn, Pat, PatIdent, Stmt, TraitItemFn};

/// The maximum number of closures that are tried for one.
const MAX_TRIED: usize = 6;

/// The type of a closure that is given.
const CLOSURE: &str = "{{closure}}";

/// Returns the source of a given that stands in the test itself.
pub(crate) fn as_written(value: &Value) -> Option<&str> {
    match value {
        Value::Built {
            type_name, tail, ..
        } if [FORMATTER, CLOSURE].contains(&type_name.as_str()) => Some(tail),
        _ => None,
    }
}

/// Returns a formatter of this format.
pub(crate) fn formatter(format: &str) -> Value {
    written(FORMATTER, format!("{format:?}"))
}

/// Returns whether a given is a formatter.
pub(crate) fn is_formatter(value: &Value) -> bool {
    matches!(value, Value::Built { type_name, .. } if type_name == FORMATTER)
}

/// Returns a closure with this source.
pub(crate) fn closure(source: &str) -> Value {
    written(CLOSURE, source.to_owned())
}

fn written(type_name: &str, source: String) -> Value {
    Value::Built {
        type_name: type_name.to_owned(),
        head: String::new(),
        args: Vec::new(),
        tail: source,
    }
}

/// Returns the closures among the inputs of a statement, and the names of the functions that made
/// them.
pub(crate) fn closures_read(recorded: &RecordedSite) -> BTreeSet<(&str, &str)> {
    let mut found = BTreeSet::new();
    for (name, value) in recorded
        .sets
        .iter()
        .flat_map(|set| recorded.values(set, Phase::Before))
    {
        if let Value::Opaque { type_name, .. } = value
            && let Some(path) = type_name.strip_suffix(CLOSURE)
        {
            found.insert((name, function_of(path)));
        }
    }
    found
}

/// Returns the last name of a path such as `mine::<impl mine::Tr for mine::T>::parse::<u8>::`.
fn function_of(path: &str) -> &str {
    let mut depth = 0;
    let mut end = path.trim_end_matches("::").len();
    for (at, letter) in path[..end].char_indices().rev() {
        match letter {
            '>' => depth += 1,
            '<' => {
                depth -= 1;
                if depth == 0 {
                    end = at;
                }
            }
            ':' if depth == 0 && at + 1 < end => return &path[at + 1..end],
            _ => {}
        }
    }
    &path[..end]
}

/// Returns closures that a caller may have passed: those of functions of this name that capture
/// nothing. Which one it was is unknown, so each is tried.
pub(crate) fn closures_made_by(
    function: &str,
    files: &[&(String, syn::File)],
) -> Vec<NamedClosure> {
    let mut found = Vec::new();
    for (text, tree) in files {
        let mut search = Made {
            text,
            function,
            variables: None,
            found: &mut found,
        };
        search.visit_file(tree);
    }
    found.truncate(MAX_TRIED);
    found
}

/// A closure that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedClosure {
    pub source: String,
    /// The variables that it holds.
    pub held: BTreeSet<String>,
}

/// Returns the closures that code at this byte can name.
pub(crate) fn closures_at(
    text: &str,
    file: &syn::File,
    at: usize,
) -> BTreeMap<String, NamedClosure> {
    let mut search = Search {
        text,
        at,
        variables: Vec::new(),
        found: BTreeMap::new(),
    };
    search.visit_file(file);
    search.found
}

struct Search<'s> {
    text: &'s str,
    at: usize,
    /// All variables of the function around.
    variables: Vec<String>,
    found: BTreeMap<String, NamedClosure>,
}

impl Search<'_> {
    /// Visits a function if the byte is in it; only its variables are visible.
    fn function<'a, T: ToTokens>(&mut self, item: &'a T, inside: impl FnOnce(&mut Self, &'a T)) {
        if byte_range(item).contains(&self.at) {
            self.found.clear();
            let mut names = Variables::default();
            names.tokens(item);
            self.variables = names.0;
            inside(self, item);
        }
    }
}

/// Returns the variables that a closure captures, of those of its function.
fn held_by(closure: &ExprClosure, variables: &[String]) -> BTreeSet<String> {
    let (mut own, mut mentioned) = (Variables::default(), Vec::new());
    own.visit_expr_closure(closure);
    names_of_variables(closure.to_token_stream(), &mut mentioned);
    let is_held =
        |name: &String| name == "self" || variables.contains(name) && !own.0.contains(name);
    mentioned.into_iter().filter(is_held).collect()
}

/// Collects the identifiers that may be variables: no methods and fields.
fn names_of_variables(tokens: TokenStream, names: &mut Vec<String>) {
    let mut is_member = false;
    for tree in tokens {
        match &tree {
            TokenTree::Ident(name) if !is_member => names.push(name.to_string()),
            TokenTree::Group(group) => names_of_variables(group.stream(), names),
            _ => {}
        }
        // The second dot of a range is followed by its end, which is no field.
        is_member = matches!(&tree, TokenTree::Punct(dot) if dot.as_char() == '.' && dot.spacing() == Spacing::Alone && !is_member);
    }
}

/// The closures of functions with one name.
struct Made<'m> {
    text: &'m str,
    function: &'m str,
    /// The variables of the function that it is in.
    variables: Option<Vec<String>>,
    found: &'m mut Vec<NamedClosure>,
}

impl Made<'_> {
    fn function<'a, T: ToTokens>(
        &mut self,
        name: &Ident,
        item: &'a T,
        inside: impl FnOnce(&mut Self, &'a T),
    ) {
        let variables = (name == self.function).then(|| {
            let mut names = Variables::default();
            names.tokens(item);
            names.0
        });
        let outer = std::mem::replace(&mut self.variables, variables);
        inside(self, item);
        self.variables = outer;
    }
}

impl<'ast> Visit<'ast> for Made<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(&item.sig.ident, item, visit::visit_item_fn);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.sig.ident, item, visit::visit_impl_item_fn);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.function(&item.sig.ident, item, visit::visit_trait_item_fn);
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        let Some(variables) = &self.variables else {
            return;
        };
        if held_by(closure, variables).is_empty()
            && let Some(source) = self.text.get(byte_range(closure))
            && self.found.iter().all(|known| known.source != source)
        {
            self.found.push(NamedClosure {
                source: source.to_owned(),
                held: BTreeSet::new(),
            });
        }
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(item, visit::visit_item_fn);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(item, visit::visit_impl_item_fn);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.function(item, visit::visit_trait_item_fn);
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
                let name = name.ident.to_string();
                let closure = match &*init.expr {
                    Expr::Closure(closure) => {
                        self.text
                            .get(byte_range(closure))
                            .map(|source| NamedClosure {
                                source: source.to_owned(),
                                held: held_by(closure, &self.variables),
                            })
                    }
                    _ => None,
                };
                match closure {
                    Some(closure) => self.found.insert(name, closure),
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
        if let Ok(item) = parse_tokens::<ImplItemFn>(item.to_token_stream()) {
            self.visit_impl_item_fn(&item);
        } else if let Ok(item) = parse_tokens::<TraitItemFn>(item.to_token_stream()) {
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
    fn a_closure_is_seen_where_it_has_its_name() {
        let text = "fn f(limit: u8) {
            let is_digit = |b: u8| { let low = b'0'; b >= low && b.is_digit() };
            let is_small = |b: u8| b < limit;
            { let inner = |x| x + 1; HERE; }
            let later = |x| x;
        }
        fn g() { let other = |x| x; }";
        let file = syn::parse_file(text).unwrap();
        let found = closures_at(text, &file, text.find("HERE").unwrap());
        let told = |(name, closure): (&String, &NamedClosure)| {
            format!("{name} {} {:?}", closure.source, closure.held)
        };
        let expected = [
            "inner |x| x + 1 {}",
            "is_digit |b: u8| { let low = b'0'; b >= low && b.is_digit() } {}",
            "is_small |b: u8| b < limit {\"limit\"}",
        ];
        assert_eq!(found.iter().map(told).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_closures_of_a_caller_are_found_by_its_name() {
        let text =
            "fn parse(s: &str, max: u8) { f(s, |c| c == '.'); f(s, |c| c > max); g(|c| c == '.'); }
        fn other() { f(\"\", |c| c == '-'); }";
        let file = (text.to_owned(), syn::parse_file(text).unwrap());
        let found = closures_made_by("parse", &[&file]);
        assert_eq!(
            found
                .iter()
                .map(|closure| closure.source.as_str())
                .collect::<Vec<_>>(),
            ["|c| c == '.'"]
        );
    }

    #[test]
    fn a_closures_type_tells_its_function() {
        assert_eq!(
            function_of("mine::parse::<impl core::str::FromStr for mine::T<u8>>::from_str::"),
            "from_str"
        );
        assert_eq!(function_of("mine::parse::all<mine::A, B>::"), "all");
        assert_eq!(function_of("main::"), "main");
    }
}
