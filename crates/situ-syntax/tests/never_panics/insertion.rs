//! The same item with tests at its statements.

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
pub fn count_places(item: &Item) -> usize {
    struct Places(usize);
    impl Visit<'_> for Places {
        fn visit_block(&mut self, block: &Block) {
            self.0 += places_in(block);
            visit::visit_block(self, block);
        }
    }
    let mut places = Places(0);
    places.visit_item(item);
    places.0
}

/// The item with a test at one place.
pub fn with_test_at(item: &Item, place: usize, make: &dyn Fn(&Surroundings) -> Stmt) -> Item {
    inserted(item, Some(place), &|_, around| make(around))
}

/// The item with a test at each place, told by its number and what stands around it.
pub fn with_tests(item: &Item, make: &dyn Fn(usize, &Surroundings) -> Stmt) -> Item {
    inserted(item, None, make)
}

fn inserted(item: &Item, only: Option<usize>, make: &dyn Fn(usize, &Surroundings) -> Stmt) -> Item {
    let mut changed = item.clone();
    Inserter {
        seen: 0,
        only,
        locals: local_names(item),
        make,
    }
    .visit_item_mut(&mut changed);
    changed
}

struct Inserter<'m> {
    seen: usize,
    only: Option<usize>,
    locals: BTreeSet<String>,
    make: &'m dyn Fn(usize, &Surroundings) -> Stmt,
}

impl VisitMut for Inserter<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let first = self.seen;
        let places = places_in(block);
        self.seen += places;
        let is_wanted = |index: &usize| self.only.is_none_or(|only| only == first + index);
        // Made before the blocks inside get tests of their own, which would be mentioned too.
        let mut tests: Vec<(usize, Stmt)> = (0..places)
            .filter(is_wanted)
            .map(|index| (index, self.test(block, first, index)))
            .collect();
        if self.only.is_none() || tests.is_empty() {
            visit_mut::visit_block_mut(self, block);
        }
        while let Some((index, test)) = tests.pop() {
            block.stmts.insert(index, test);
        }
    }
}

impl Inserter<'_> {
    fn test(&self, block: &Block, first: usize, index: usize) -> Stmt {
        let names = |index: Option<usize>| {
            let statement = index.and_then(|index| block.stmts.get(index));
            statement
                .map(|statement| self.mentioned(statement))
                .unwrap_or_default()
        };
        let around = Surroundings {
            before: names(index.checked_sub(1)),
            after: names(Some(index)),
        };
        (self.make)(first + index, &around)
    }

    fn mentioned(&self, statement: &Stmt) -> Vec<String> {
        let mut names = BTreeSet::new();
        collect_idents(statement.to_token_stream(), &mut names);
        let mut bound = Locals::default();
        bound.visit_stmt(statement);
        names
            .into_iter()
            .filter(|name| self.locals.contains(name) && !bound.0.contains(name))
            .collect()
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
