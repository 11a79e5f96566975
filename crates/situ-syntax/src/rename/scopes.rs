//! Name resolution of local variables in a file.

use super::format;
use crate::grammar::kind_of_macro;
use crate::macros::{Arguments, string_literals};
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, Block, Expr, ExprClosure, ExprForLoop, ExprIf, ExprLet, ExprPath, ExprWhile, FieldPat,
    FieldValue, File, ImplItemFn, Item, ItemFn, Local, Macro, Pat, PatIdent, Signature, Stmt,
    TraitItemFn,
};

/// A use of a variable.
#[derive(Clone, Debug)]
pub struct Use {
    /// The index of the variable.
    pub variable: usize,
    /// The byte range of the name.
    pub bytes: Range<usize>,
    /// The offset at which a field name must be inserted if the variable is renamed: `Point { x }`.
    pub field_before: Option<usize>,
}

/// The variables in scope, innermost last.
type Seen = Vec<(String, usize)>;

/// The variables of a file and their uses.
pub struct Scopes {
    source: String,
    seen: Seen,
    /// The name and function of each variable.
    variables: Vec<(String, usize)>,
    functions: usize,
    function: usize,
    pub uses: Vec<Use>,
    /// The variables in scope where a statement starts or ends, by offset.
    boundaries: BTreeMap<usize, Seen>,
    /// Test macros, which are resolved after all scopes are known.
    pub tests: Vec<(Range<usize>, TokenStream)>,
    /// The names that the current pattern has bound: both sides of `A(x) | B(x)` bind one variable.
    pattern: BTreeMap<String, usize>,
}

impl Scopes {
    pub fn of(source: &str, file: &File) -> Scopes {
        let mut scopes = Scopes {
            source: source.to_owned(),
            seen: Vec::new(),
            variables: Vec::new(),
            functions: 0,
            function: 0,
            uses: Vec::new(),
            boundaries: BTreeMap::new(),
            tests: Vec::new(),
            pattern: BTreeMap::new(),
        };
        scopes.visit_file(file);
        scopes
    }

    /// Returns the function that a variable belongs to.
    pub fn function_of(&self, variable: usize) -> usize {
        self.variables[variable].1
    }

    /// Returns the variables of a function.
    pub fn names_of(&self, function: usize) -> impl Iterator<Item = &str> {
        self.variables
            .iter()
            .filter(move |(_, of)| *of == function)
            .map(|(name, _)| name.as_str())
    }

    /// Returns the variables in scope at the last boundary at or before an offset.
    pub fn seen_at(&self, byte: usize) -> Seen {
        self.boundaries
            .range(..=byte)
            .next_back()
            .map(|(_, seen)| seen.clone())
            .unwrap_or_default()
    }

    /// Resolves names in tokens that only a macro understands. A name after a dot or in a path is
    /// no variable.
    pub fn tokens(&mut self, tokens: TokenStream, seen: &Seen) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let is_mark = |at: Option<usize>, mark: char| {
            at.and_then(|at| trees.get(at)).is_some_and(
                |tree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == mark),
            )
        };
        for (at, tree) in trees.iter().enumerate() {
            match tree {
                TokenTree::Group(group) => self.tokens(group.stream(), seen),
                TokenTree::Ident(name) => {
                    let before = at.checked_sub(1);
                    let after_dot = is_mark(before, '.') && !is_mark(at.checked_sub(2), '.');
                    let in_path = is_mark(before, ':')
                        || (is_mark(Some(at + 1), ':') && is_mark(Some(at + 2), ':'));
                    if !after_dot && !in_path {
                        self.name(name, seen, None);
                    }
                }
                TokenTree::Literal(literal) => self.literal(literal.span().byte_range(), seen),
                TokenTree::Punct(_) => {}
            }
        }
    }

    fn name(&mut self, name: &Ident, seen: &Seen, field_before: Option<usize>) {
        self.place(
            &name.to_string(),
            name.span().byte_range(),
            seen,
            field_before,
        );
    }

    fn place(&mut self, name: &str, bytes: Range<usize>, seen: &Seen, field_before: Option<usize>) {
        if let Some((_, variable)) = seen.iter().rev().find(|(known, _)| known == name) {
            self.uses.push(Use {
                variable: *variable,
                bytes,
                field_before,
            });
        }
    }

    fn literal(&mut self, bytes: Range<usize>, seen: &Seen) {
        let Some(text) = self
            .source
            .get(bytes.clone())
            .filter(|text| text.ends_with(['"', '#']))
        else {
            return;
        };
        let text = text.to_owned();
        for (inside, name) in format::names(&text) {
            self.place(
                name,
                bytes.start + inside.start..bytes.start + inside.end,
                seen,
                None,
            );
        }
    }

    fn bind(&mut self, pattern: &PatIdent, field_before: Option<usize>) {
        let name = pattern.ident.to_string();
        // By convention, such a name is a constant or a variant.
        let is_constant = name.starts_with(|first: char| first.is_uppercase())
            && pattern.subpat.is_none()
            && pattern.by_ref.is_none()
            && pattern.mutability.is_none();
        if is_constant {
            return;
        }
        let variable = *self.pattern.entry(name.clone()).or_insert_with(|| {
            self.variables.push((name.clone(), self.function));
            self.variables.len() - 1
        });
        self.seen.push((name, variable));
        self.uses.push(Use {
            variable,
            bytes: pattern.ident.span().byte_range(),
            field_before,
        });
    }

    fn pattern(&mut self, pattern: &Pat) {
        self.pattern.clear();
        self.visit_pat(pattern);
    }

    /// Calls `inside` and restores the variables in scope.
    fn scope(&mut self, inside: impl FnOnce(&mut Self)) {
        let before = self.seen.len();
        inside(self);
        self.seen.truncate(before);
    }

    fn function(&mut self, signature: &Signature, block: &Block) {
        let (outer, around) = (std::mem::take(&mut self.seen), self.function);
        self.functions += 1;
        self.function = self.functions;
        for input in &signature.inputs {
            if let syn::FnArg::Typed(input) = input {
                self.pattern(&input.pat);
            }
        }
        self.visit_block(block);
        (self.seen, self.function) = (outer, around);
    }

    fn boundary(&mut self, byte: usize) {
        self.boundaries.insert(byte, self.seen.clone());
    }
}

impl<'ast> Visit<'ast> for Scopes {
    fn visit_item(&mut self, item: &'ast Item) {
        let outer = std::mem::take(&mut self.seen);
        visit::visit_item(self, item);
        self.seen = outer;
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.scope(|scopes| {
            for statement in &block.stmts {
                let bytes = statement.span().byte_range();
                scopes.boundary(bytes.start);
                scopes.visit_stmt(statement);
                scopes.boundary(bytes.end);
            }
        });
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        match statement {
            Stmt::Macro(call) if kind_of_macro(&call.mac).is_some() => {
                self.tests
                    .push((call.span().byte_range(), call.mac.tokens.clone()));
            }
            other => visit::visit_stmt(self, other),
        }
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            init.diverge
                .iter()
                .for_each(|(_, diverge)| self.visit_expr(diverge));
        }
        self.pattern(&local.pat);
    }

    fn visit_expr_let(&mut self, condition: &'ast ExprLet) {
        self.visit_expr(&condition.expr);
        self.pattern(&condition.pat);
    }

    fn visit_expr_if(&mut self, branch: &'ast ExprIf) {
        self.scope(|scopes| {
            scopes.visit_expr(&branch.cond);
            scopes.visit_block(&branch.then_branch);
        });
        branch
            .else_branch
            .iter()
            .for_each(|(_, otherwise)| self.visit_expr(otherwise));
    }

    fn visit_expr_while(&mut self, repeated: &'ast ExprWhile) {
        self.scope(|scopes| visit::visit_expr_while(scopes, repeated));
    }

    fn visit_expr_for_loop(&mut self, repeated: &'ast ExprForLoop) {
        self.visit_expr(&repeated.expr);
        self.scope(|scopes| {
            scopes.pattern(&repeated.pat);
            scopes.visit_block(&repeated.body);
        });
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        self.scope(|scopes| {
            scopes.pattern(&arm.pat);
            scopes.visit_expr(&arm.body);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        self.scope(|scopes| {
            closure
                .inputs
                .iter()
                .for_each(|input| scopes.pattern(input));
            scopes.visit_expr(&closure.body);
        });
    }

    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.bind(pattern, None);
        pattern
            .subpat
            .iter()
            .for_each(|(_, inner)| self.visit_pat(inner));
    }

    fn visit_field_pat(&mut self, field: &'ast FieldPat) {
        match (&*field.pat, field.colon_token) {
            (Pat::Ident(pattern), None) => {
                self.bind(pattern, Some(pattern.span().byte_range().start))
            }
            (pattern, _) => self.visit_pat(pattern),
        }
    }

    fn visit_field_value(&mut self, field: &'ast FieldValue) {
        match (&field.expr, field.colon_token) {
            (Expr::Path(path), None) => {
                let Some(name) = path.path.get_ident() else {
                    return;
                };
                let seen = self.seen.clone();
                self.name(name, &seen, Some(name.span().byte_range().start));
            }
            (expression, _) => self.visit_expr(expression),
        }
    }

    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        if let (None, Some(name)) = (&path.qself, path.path.get_ident()) {
            let seen = self.seen.clone();
            self.name(name, &seen, None);
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let seen = self.seen.clone();
        let Some(arguments) = Arguments::of(call) else {
            return self.tokens(call.tokens.clone(), &seen);
        };
        self.scope(|scopes| {
            if let Some(pattern) = arguments.pattern() {
                scopes.pattern(pattern);
            }
            arguments
                .expressions()
                .into_iter()
                .for_each(|expression| scopes.visit_expr(expression));
        });
        for literal in string_literals(call) {
            self.literal(literal.span().byte_range(), &seen);
        }
    }
}
