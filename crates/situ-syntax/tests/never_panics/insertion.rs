//! The same item with a test at one of its statements.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Item, PatIdent, Receiver, Stmt};

/// The local names around a place where a test is put that it would have to give.
pub struct Surroundings {
    /// Those that the statement before it mentions and does not bind itself.
    pub before: Vec<String>,
    /// The same of the statement after it.
    pub after: Vec<String>,
}

/// How many places for a test there are in an item: one before each statement, and one at the end of each block.
pub fn count_places(item: &mut Item) -> usize {
    let mut inserter = Inserter { skip: usize::MAX, seen: 0, locals: BTreeSet::new(), make: &mut |_| unreachable!() };
    inserter.visit_item_mut(item);
    inserter.seen
}

/// The item with a test at this place.
pub fn with_test_at(item: &Item, place: usize, make: &mut dyn FnMut(&Surroundings) -> Stmt) -> Item {
    let mut changed = item.clone();
    Inserter { skip: place, seen: 0, locals: local_names(item), make }.visit_item_mut(&mut changed);
    changed
}

struct Inserter<'a> {
    skip: usize,
    seen: usize,
    locals: BTreeSet<String>,
    make: &'a mut dyn FnMut(&Surroundings) -> Stmt,
}

impl VisitMut for Inserter<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let here = places_in(block);
        let wanted = self.skip.checked_sub(self.seen).filter(|&index| index < here);
        self.seen += here;
        if let Some(index) = wanted {
            let around = Surroundings {
                before: index.checked_sub(1).map(|before| self.mentioned(&block.stmts[before])).unwrap_or_default(),
                after: block.stmts.get(index).map(|after| self.mentioned(after)).unwrap_or_default(),
            };
            let test = (self.make)(&around);
            block.stmts.insert(index, test);
            return;
        }
        visit_mut::visit_block_mut(self, block);
    }
}

impl Inserter<'_> {
    fn mentioned(&self, statement: &Stmt) -> Vec<String> {
        let mut names = BTreeSet::new();
        collect_idents(statement.to_token_stream(), &mut names);
        let mut bound = Locals::default();
        bound.visit_stmt(statement);
        names.into_iter().filter(|name| self.locals.contains(name) && !bound.0.contains(name)).collect()
    }
}

/// A test after a tail would end the block's value, so the last place of such a block is none.
fn places_in(block: &Block) -> usize {
    let has_tail = match block.stmts.last() {
        Some(Stmt::Expr(_, semicolon)) => semicolon.is_none(),
        Some(Stmt::Macro(statement)) => statement.semi_token.is_none(),
        _ => false,
    };
    block.stmts.len() + usize::from(!has_tail)
}

fn collect_idents(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => drop(names.insert(ident.to_string())),
            TokenTree::Group(group) => collect_idents(group.stream(), names),
            _ => {}
        }
    }
}

/// The names that patterns bind, and `self`.
#[derive(Default)]
struct Locals(BTreeSet<String>);

impl Visit<'_> for Locals {
    fn visit_pat_ident(&mut self, pattern: &PatIdent) {
        self.0.insert(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_receiver(&mut self, _: &Receiver) {
        self.0.insert("self".to_string());
    }
}

fn local_names(item: &Item) -> BTreeSet<String> {
    let mut locals = Locals::default();
    locals.visit_item(item);
    locals.0
}
