//! Every function, impl block, trait and module of published crates, with and without a test at each statement.

use std::fs;
use std::time::Instant;

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{ImplItem, Item, ItemFn, ItemImpl, ItemMod, ItemTrait, TraitItem};
use testkit::published;

use crate::clauses;
use crate::insertion::{count_places, with_test_at};
use crate::verdict::{Verdict, judge};

/// At most this many places of one function are tried, spread evenly: what comes out of a function grows with its
/// square.
const PLACES_PER_FUNCTION: usize = 12;

#[derive(Default, Debug)]
struct Tally {
    crates: usize,
    functions: usize,
    blocks: usize,
    with_a_test: usize,
    expanded_with_a_test: usize,
}

/// What is tried: each function alone, in its own impl or trait where it has one; and the larger items as a whole.
#[derive(Default)]
struct Subjects {
    functions: Vec<Item>,
    blocks: Vec<Item>,
}

impl Visit<'_> for Subjects {
    fn visit_item_fn(&mut self, function: &ItemFn) {
        self.functions.push(Item::Fn(function.clone()));
        visit::visit_item_fn(self, function);
    }

    fn visit_item_impl(&mut self, block: &ItemImpl) {
        for item in block.items.iter().filter(|item| matches!(item, ImplItem::Fn(_))) {
            self.functions.push(Item::Impl(ItemImpl { items: vec![item.clone()], ..block.clone() }));
        }
        self.blocks.push(Item::Impl(block.clone()));
        visit::visit_item_impl(self, block);
    }

    fn visit_item_trait(&mut self, block: &ItemTrait) {
        for item in block.items.iter().filter(|item| matches!(item, TraitItem::Fn(_))) {
            self.functions.push(Item::Trait(ItemTrait { items: vec![item.clone()], ..block.clone() }));
        }
        self.blocks.push(Item::Trait(block.clone()));
        visit::visit_item_trait(self, block);
    }

    fn visit_item_mod(&mut self, module: &ItemMod) {
        if module.content.is_some() {
            self.blocks.push(Item::Mod(module.clone()));
        }
        visit::visit_item_mod(self, module);
    }
}

#[test]
fn every_function_of_published_crates_is_expanded_or_refused() {
    let started = Instant::now();
    let mut tally = Tally::default();
    for published in published::crates() {
        let mut subjects = Subjects::default();
        for text in published.files.iter().filter_map(|path| fs::read_to_string(path).ok()) {
            // Some published files are templates or need a newer compiler; they are no Rust to us.
            if let Ok(file) = syn::parse_file(&text) {
                subjects.visit_file(&file);
            }
        }
        tally.crates += usize::from(!subjects.functions.is_empty());
        try_subjects(subjects, &mut tally);
    }
    eprintln!("{tally:?} in {:?}", started.elapsed());
    assert!(tally.crates >= 10, "{tally:?}");
    assert!(tally.functions >= 4_000, "{tally:?}");
    assert!(tally.blocks >= 1_500, "{tally:?}");
    assert!(tally.with_a_test >= 10_000, "{tally:?}");
    assert!(tally.expanded_with_a_test * 10 >= tally.with_a_test, "too few tests were understood: {tally:?}");
}

fn try_subjects(subjects: Subjects, tally: &mut Tally) {
    for mut function in subjects.functions {
        tally.functions += 1;
        assert_eq!(judge(TokenStream::new(), &function), Verdict::Expanded, "refused without any test in it");
        let places = count_places(&mut function);
        for place in (0..places).step_by(places.div_ceil(PLACES_PER_FUNCTION).max(1)) {
            let number = tally.with_a_test;
            let with_test = with_test_at(&function, place, &mut |around| clauses::test(number, around));
            tally.with_a_test += 1;
            tally.expanded_with_a_test += usize::from(judge(TokenStream::new(), &with_test) == Verdict::Expanded);
        }
    }
    for mut block in subjects.blocks {
        tally.blocks += 1;
        judge(TokenStream::new(), &block);
        if let Some(place) = count_places(&mut block).checked_sub(1) {
            let number = tally.with_a_test;
            judge(TokenStream::new(), &with_test_at(&block, place / 2, &mut |around| clauses::test(number, around)));
            tally.with_a_test += 1;
        }
    }
}
