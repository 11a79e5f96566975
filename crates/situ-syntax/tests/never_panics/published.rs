//! Every function, impl block, trait and module of published crates, with and without a test at each statement.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{ImplItem, Item, ItemFn, ItemImpl, ItemMod, ItemTrait, TraitItem};
use testkit::published;

use crate::clauses;
use crate::insertion::{count_places, with_test_at, with_tests};
use crate::verdict::{Verdict, judge};

/// The crates that are tried: ours to build and to test with whatever else the workspace comes to depend on, so that this
/// does not take longer each time a dependency is added.
const CRATES: &[&str] = &[
    "camino",
    "cargo-platform",
    "cargo_metadata",
    "dissimilar",
    "expect-test",
    "inventory",
    "itoa",
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

/// In how many rounds every place gets a test of another kind, all places of a function at once.
const ROUNDS: usize = 2;

const FAULTS_SHOWN: usize = 5;

#[derive(Default, Debug)]
struct Tally {
    crates: BTreeSet<String>,
    functions: usize,
    blocks: usize,
    /// Places for a test: before each statement, and at the end of each block.
    places: usize,
    /// Items with a `blocktest!` at one of these places.
    with_a_blocktest: usize,
    expanded_with_a_blocktest: usize,
    /// Tests in items that have one at each place.
    among_others: usize,
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
        self.places += other.places;
        self.among_others += other.among_others;
        self.with_a_blocktest += other.with_a_blocktest;
        self.expanded_with_a_blocktest += other.expanded_with_a_blocktest;
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
        for item in std::mem::take(&mut shell.items)
            .into_iter()
            .filter(|item| matches!(item, ImplItem::Fn(_)))
        {
            self.functions.push(Item::Impl(ItemImpl {
                items: vec![item],
                ..shell.clone()
            }));
        }
        visit::visit_item_impl(self, block);
    }

    fn visit_item_trait(&mut self, block: &ItemTrait) {
        self.blocks.push(Item::Trait(block.clone()));
        let mut shell = block.clone();
        for item in std::mem::take(&mut shell.items)
            .into_iter()
            .filter(|item| matches!(item, TraitItem::Fn(_)))
        {
            self.functions.push(Item::Trait(ItemTrait {
                items: vec![item],
                ..shell.clone()
            }));
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
    let tally = try_all(ROUNDS);
    assert!(tally.crates.len() >= 10, "{tally:?}");
    assert!(tally.functions >= 4_000, "{tally:?}");
    assert!(tally.blocks >= 1_500, "{tally:?}");
    assert!(tally.with_a_blocktest >= 20_000, "{tally:?}");
    assert!(
        tally.expanded_with_a_blocktest >= 10_000,
        "too few tests were understood: {tally:?}"
    );
    assert!(tally.among_others >= 20_000 * ROUNDS, "{tally:?}");
}

#[test]
#[ignore = "minutes: cargo test --release -p situ-syntax --test never_panics -- --ignored"]
fn every_kind_of_test_at_every_statement_is_expanded_or_refused() {
    let tally = try_all(clauses::KINDS);
    assert!(tally.among_others >= 20_000 * clauses::KINDS, "{tally:?}");
}

/// Tries all items; where a place has had tests of all kinds after as many rounds as there are kinds.
fn try_all(rounds: usize) -> Tally {
    let started = Instant::now();
    let mut crates = published::crates();
    crates.retain(|published| CRATES.contains(&published.name.as_str()));
    let mut files: Vec<(&str, &Path)> = crates
        .iter()
        .flat_map(|published| {
            published
                .files
                .iter()
                .map(|file| (published.name.as_str(), file.as_path()))
        })
        .collect();
    // The longest first, so that no thread is left alone with one at the end.
    files.sort_by_key(|(_, path)| Reverse(fs::metadata(path).map_or(0, |about| about.len())));
    let mut tally = try_files(&files, rounds);
    let faults = std::mem::take(&mut tally.faults);
    eprintln!("{tally:?} in {:?}", started.elapsed());
    let first = &faults[..faults.len().min(FAULTS_SHOWN)];
    assert!(
        faults.is_empty(),
        "{} faults, the first of them:\n{}",
        faults.len(),
        first.join("\n\n")
    );
    tally
}

/// Shares the files out among as many threads as there are cores.
fn try_files(files: &[(&str, &Path)], rounds: usize) -> Tally {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut tally = Tally::default();
        while let Some((name, path)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            tally.add(try_file(name, path, rounds));
        }
        tally
    };
    let mut tally = Tally::default();
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .for_each(|thread| tally.add(thread.join().expect("a share of the files failed")));
    });
    tally
}

fn try_file(crate_name: &str, path: &Path, rounds: usize) -> Tally {
    let mut tally = Tally::default();
    let mut subjects = Subjects::default();
    // Some published files are templates or need a newer compiler; they are no Rust to us.
    if let Some(file) = fs::read_to_string(path)
        .ok()
        .and_then(|text| syn::parse_file(&text).ok())
    {
        subjects.visit_file(&file);
    }
    if !subjects.functions.is_empty() {
        tally.crates.insert(crate_name.to_string());
    }
    for function in &subjects.functions {
        tally.functions += 1;
        if !tally.judge(function) {
            tally
                .faults
                .push("refused without any test in it".to_string());
        }
        let places = count_places(function);
        tally.places += places;
        try_one_by_one(function, places, &mut tally);
        try_together(function, places, rounds, &mut tally);
    }
    for block in &subjects.blocks {
        tally.blocks += 1;
        tally.judge(block);
        let all = with_tests(block, &|place, around| clauses::any(place, around));
        tally.judge(&all);
    }
    tally
}

/// Puts a `blocktest!` at each place, one at a time.
fn try_one_by_one(function: &Item, places: usize, tally: &mut Tally) {
    for wanted in 0..places {
        let with_test = with_test_at(function, wanted, &clauses::blocktest);
        tally.with_a_blocktest += 1;
        tally.expanded_with_a_blocktest += usize::from(tally.judge(&with_test));
    }
}

/// Puts a test at every place, of another kind in each round.
fn try_together(function: &Item, places: usize, rounds: usize, tally: &mut Tally) {
    if places == 0 {
        return;
    }
    for round in 0..rounds {
        let first = round * clauses::KINDS / rounds;
        let with_tests = with_tests(function, &|place, around| {
            clauses::any(place + first, around)
        });
        tally.among_others += places;
        tally.judge(&with_tests);
    }
}
