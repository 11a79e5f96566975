//! Every function, impl block, trait and module of published crates, with and without a test at each statement.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Instant;

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{ImplItem, Item, ItemFn, ItemImpl, ItemMod, ItemTrait, TraitItem};
use testkit::published;

use crate::clauses;
use crate::insertion::{count_places, with_test_at};
use crate::verdict::{Verdict, judge};

/// The crates that are tried: ours to build and to test with whatever else the workspace comes to depend on, so that this
/// does not take longer each time a dependency is added.
const CRATES: &[&str] = &[
    "camino",
    "cargo-platform",
    "cargo_metadata",
    "dissimilar",
    "expect-test",
    "itoa",
    "linkme",
    "linkme-impl",
    "once_cell",
    "prettyplease",
    "proc-macro2",
    "quote",
    "semver",
    "serde",
    "serde_core",
    "serde_derive",
    "serde_json",
    "syn",
    "thiserror",
    "thiserror-impl",
    "unicode-ident",
];

/// At most this many places of one function are tried, spread evenly: what comes out of a function grows with its
/// square.
const PLACES_PER_FUNCTION: usize = 2;

const FAULTS_SHOWN: usize = 5;

#[derive(Default, Debug)]
struct Tally {
    crates: BTreeSet<String>,
    functions: usize,
    blocks: usize,
    with_a_test: usize,
    expanded_with_a_test: usize,
    faults: Vec<String>,
}

impl Tally {
    /// Whether the item was expanded; a fault is kept and counts as not.
    fn judge(&mut self, item: &Item) -> bool {
        match judge(TokenStream::new(), item) {
            Ok(verdict) => verdict == Verdict::Expanded,
            Err(fault) => {
                self.faults.push(fault);
                false
            }
        }
    }

    fn add(&mut self, other: Tally) {
        self.crates.extend(other.crates);
        self.functions += other.functions;
        self.blocks += other.blocks;
        self.with_a_test += other.with_a_test;
        self.expanded_with_a_test += other.expanded_with_a_test;
        self.faults.extend(other.faults);
    }
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
        self.blocks.push(Item::Impl(block.clone()));
        let mut shell = block.clone();
        for item in std::mem::take(&mut shell.items).into_iter().filter(|item| matches!(item, ImplItem::Fn(_))) {
            self.functions.push(Item::Impl(ItemImpl { items: vec![item], ..shell.clone() }));
        }
        visit::visit_item_impl(self, block);
    }

    fn visit_item_trait(&mut self, block: &ItemTrait) {
        self.blocks.push(Item::Trait(block.clone()));
        let mut shell = block.clone();
        for item in std::mem::take(&mut shell.items).into_iter().filter(|item| matches!(item, TraitItem::Fn(_))) {
            self.functions.push(Item::Trait(ItemTrait { items: vec![item], ..shell.clone() }));
        }
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
    let mut crates = published::crates();
    crates.retain(|published| CRATES.contains(&published.name.as_str()));
    let files: Vec<(&str, &Path)> = crates
        .iter()
        .flat_map(|published| published.files.iter().map(|file| (published.name.as_str(), file.as_path())))
        .collect();
    let mut tally = try_files(&files);
    let faults = std::mem::take(&mut tally.faults);
    eprintln!("{tally:?} in {:?}", started.elapsed());
    let first = &faults[..faults.len().min(FAULTS_SHOWN)];
    assert!(faults.is_empty(), "{} faults, the first of them:\n{}", faults.len(), first.join("\n\n"));
    assert!(tally.crates.len() >= 10, "{tally:?}");
    assert!(tally.functions >= 4_000, "{tally:?}");
    assert!(tally.blocks >= 1_500, "{tally:?}");
    assert!(tally.with_a_test >= 10_000, "{tally:?}");
    assert!(tally.expanded_with_a_test >= 3_000, "too few tests were understood: {tally:?}");
}

/// Shares the files out among as many threads as there are cores: one would take a minute.
fn try_files(files: &[(&str, &Path)]) -> Tally {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let work = |worker: usize| {
        let mut tally = Tally::default();
        for (number, (name, path)) in files.iter().enumerate().skip(worker).step_by(workers) {
            tally.add(try_file(number, name, path));
        }
        tally
    };
    let mut tally = Tally::default();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|worker| scope.spawn(move || work(worker))).collect();
        threads.into_iter().for_each(|thread| tally.add(thread.join().expect("a share of the files failed")));
    });
    tally
}

/// The file's number decides which tests its functions get, so that every run tries the same.
fn try_file(number: usize, crate_name: &str, path: &Path) -> Tally {
    let mut tally = Tally::default();
    let mut subjects = Subjects::default();
    // Some published files are templates or need a newer compiler; they are no Rust to us.
    if let Some(file) = fs::read_to_string(path).ok().and_then(|text| syn::parse_file(&text).ok()) {
        subjects.visit_file(&file);
    }
    if !subjects.functions.is_empty() {
        tally.crates.insert(crate_name.to_string());
    }
    for function in &subjects.functions {
        tally.functions += 1;
        if !tally.judge(function) {
            tally.faults.push("refused without any test in it".to_string());
        }
        try_places(number, function, PLACES_PER_FUNCTION, &mut tally);
    }
    for block in &subjects.blocks {
        tally.blocks += 1;
        tally.judge(block);
        try_places(number, block, 1, &mut tally);
    }
    tally
}

/// Puts a test at this many places of an item, one at a time.
fn try_places(number: usize, item: &Item, limit: usize, tally: &mut Tally) {
    let places = count_places(&mut item.clone());
    for place in (0..places).step_by(places.div_ceil(limit).max(1)) {
        let number = number + tally.with_a_test;
        let with_test = with_test_at(item, place, &mut |around| clauses::test(number, around));
        tally.with_a_test += 1;
        tally.expanded_with_a_test += usize::from(tally.judge(&with_test));
    }
}
