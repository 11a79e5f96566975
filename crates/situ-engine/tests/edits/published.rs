//! Tests at every statement of published sources: nothing that was there changes, and each test stands where it should.

use quote::ToTokens;
use situ_engine::edit::{Formatting, Place, Proposal, admitted, compose};
use situ_engine::source::{byte_range, parse, range_of};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, File, Item, Stmt, UseTree};

/// Crates of different hands, small enough for a debug build.
const CRATES: [&str; 8] = [
    "anyhow",
    "cargo_metadata",
    "ctrlc",
    "indicatif",
    "semver",
    "similar",
    "tempfile",
    "toml_edit",
];

fn sources() -> Vec<(PathBuf, String)> {
    let crates = testkit::published::crates()
        .into_iter()
        .filter(|one| CRATES.contains(&one.name.as_str()));
    let files: Vec<PathBuf> = crates.flat_map(|one| one.files).collect();
    let read = |path: PathBuf| std::fs::read_to_string(&path).ok().map(|text| (path, text));
    files
        .into_iter()
        .filter_map(read)
        .filter(|(_, text)| parse(text).is_ok())
        .collect()
}

/// Every place that a statement or a block offers, with the tokens of what a test there is about.
#[derive(Default)]
struct Places {
    found: Vec<(Place, String)>,
}

impl<'ast> Visit<'ast> for Places {
    fn visit_block(&mut self, block: &'ast Block) {
        let open = range_of(block.brace_token.span.open()).end;
        let tests = block
            .stmts
            .iter()
            .take_while(|statement| is_test(statement))
            .count();
        let header = block.stmts.get(tests).map_or(String::new(), plain);
        self.found.push((Place::BodyStart(open), header));
        for statement in block.stmts.iter().filter(|statement| !is_test(statement)) {
            let range = byte_range(statement);
            if !matches!(statement, Stmt::Expr(_, None)) {
                self.found.push((Place::After(range.end), plain(statement)));
            }
            self.found
                .push((Place::Before(range.start), plain(statement)));
        }
        visit::visit_block(self, block);
    }
}

fn is_test(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Macro(call) if call.mac.path.is_ident("itest") || call.mac.path.is_ident("blocktest"))
}

/// The tokens of a statement without tests.
fn plain(statement: &Stmt) -> String {
    let mut statement = statement.clone();
    Strip.visit_stmt_mut(&mut statement);
    statement.to_token_stream().to_string()
}

/// Takes out what composing adds.
struct Strip;

impl VisitMut for Strip {
    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain(|statement| !is_test(statement));
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| !attribute.path().is_ident("situ"));
    }

    fn visit_file_mut(&mut self, file: &mut File) {
        file.items.retain(|item| !is_import(item));
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        module
            .content
            .iter_mut()
            .for_each(|(_, items)| items.retain(|item| !is_import(item)));
        visit_mut::visit_item_mod_mut(self, module);
    }
}

fn is_import(item: &Item) -> bool {
    matches!(item, Item::Use(item) if matches!(&item.tree, UseTree::Path(path) if path.ident == "situ"))
}

fn proposals(text: &str) -> Vec<(Proposal, String)> {
    let file = parse(text).unwrap();
    let mut places = Places::default();
    places.visit_file(&file);
    let all: Vec<Place> = places.found.iter().map(|(place, _)| *place).collect();
    let admitted: BTreeSet<Place> = admitted(text, &all).into_iter().collect();
    let found = places
        .found
        .into_iter()
        .filter(|(place, _)| admitted.contains(place));
    let numbered = found.enumerate().map(|(number, (place, about))| {
        let kind = if matches!(place, Place::Before(_)) {
            "blocktest"
        } else {
            "itest"
        };
        let test = format!("{kind}!(given(x = {number}), check_eq(y, \"of {number}\"));");
        (
            Proposal {
                file: "src/lib.rs".into(),
                place,
                text: test,
            },
            about,
        )
    });
    numbered.collect()
}

/// Whether a text has all of another; blanks may go where a line is broken.
fn is_subsequence(one: &str, other: &str) -> bool {
    let is_solid = |byte: &u8| !matches!(byte, b' ' | b'\t');
    let mut there = other.bytes().filter(is_solid);
    one.bytes()
        .filter(is_solid)
        .all(|wanted| there.any(|found| found == wanted))
}

/// The lines of a text that end in a blank.
fn blank_endings(text: &str) -> usize {
    text.lines()
        .filter(|line| line.trim_end_matches('\r').ends_with([' ', '\t']))
        .count()
}

/// For each numbered test of a text: the tokens of the statement before it and behind it, and whether only tests stand
/// before it in its block.
#[derive(Default)]
struct Standing {
    found: BTreeMap<usize, (Option<String>, Option<String>, bool)>,
}

impl<'ast> Visit<'ast> for Standing {
    fn visit_block(&mut self, block: &'ast Block) {
        for (at, statement) in block
            .stmts
            .iter()
            .enumerate()
            .filter(|(_, statement)| is_test(statement))
        {
            let tokens = statement.to_token_stream().to_string();
            let number = tokens
                .split("given (x = ")
                .nth(1)
                .and_then(|rest| rest.split(')').next()?.parse().ok());
            let before = block.stmts[..at]
                .iter()
                .rev()
                .find(|statement| !is_test(statement))
                .map(plain);
            let behind = block.stmts[at..]
                .iter()
                .find(|statement| !is_test(statement))
                .map(plain);
            let is_first = before.is_none();
            self.found.insert(
                number.expect("every test has its number"),
                (before, behind, is_first),
            );
        }
        visit::visit_block(self, block);
    }
}

fn check(path: &Path, text: &str) -> usize {
    let proposals = proposals(text);
    let all: Vec<&Proposal> = proposals.iter().map(|(proposal, _)| proposal).collect();
    let options = Formatting::plain(cargo_metadata::Edition::E2021);
    let composed = compose(text, &all, &options)
        .unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
    assert!(
        is_subsequence(text, &composed),
        "{} has lost something",
        path.display()
    );
    assert!(
        blank_endings(&composed) <= blank_endings(text),
        "{} has blanks at the end of lines",
        path.display()
    );
    let (mut before, mut after) = (parse(text).unwrap(), parse(&composed).unwrap());
    let mut standing = Standing::default();
    standing.visit_file(&after);
    Strip.visit_file_mut(&mut before);
    Strip.visit_file_mut(&mut after);
    let (before, after) = (
        before.to_token_stream().to_string(),
        after.to_token_stream().to_string(),
    );
    assert!(before == after, "{} means something else", path.display());
    for (number, (proposal, about)) in proposals.iter().enumerate() {
        let (above, below, is_first) = &standing.found[&number];
        let right = match proposal.place {
            Place::After(_) => above.as_ref() == Some(about),
            Place::Before(_) => below.as_ref() == Some(about),
            Place::BodyStart(_) => *is_first && below.as_deref().unwrap_or("") == about,
        };
        assert!(
            right,
            "{}: {:?} is not at its place",
            path.display(),
            proposal
        );
    }
    let again = self::proposals(&composed);
    let again: Vec<&Proposal> = again.iter().map(|(proposal, _)| proposal).collect();
    assert_eq!(
        again.len(),
        all.len(),
        "{} offers other places now",
        path.display()
    );
    let twice = compose(&composed, &again, &options).unwrap();
    assert!(
        twice == composed,
        "{}: a second time adds tests",
        path.display()
    );
    all.len()
}

#[test]
fn at_every_statement_nothing_is_lost_and_a_second_time_adds_nothing() {
    let tests: usize = sources().iter().map(|(path, text)| check(path, text)).sum();
    assert!(tests > 10_000, "only {tests} places were tried");
}

#[test]
fn other_line_endings_tabs_and_marks_are_kept_too() {
    let change = |text: &str| {
        format!(
            "\u{feff}{}",
            text.replace("    ", "\t").replace('\n', "\r\n")
        )
    };
    let sources = sources();
    let changed = sources
        .iter()
        .filter(|(path, _)| path.to_string_lossy().contains("anyhow"));
    for (path, text) in changed {
        let text = change(text);
        check(path, &text);
        let all = proposals(&text);
        let all: Vec<&Proposal> = all.iter().map(|(proposal, _)| proposal).collect();
        let composed = compose(
            &text,
            &all,
            &Formatting::plain(cargo_metadata::Edition::E2021),
        )
        .unwrap();
        assert_eq!(
            composed.matches('\n').count(),
            composed.matches("\r\n").count(),
            "{}",
            path.display()
        );
    }
}

#[test]
fn a_formatted_file_stays_formatted_with_tests_everywhere() {
    let mut formatted = 0;
    for (path, text) in sources().iter().filter(|(_, text)| text.len() < 12_000) {
        let options = Formatting {
            edition: cargo_metadata::Edition::E2021,
            folder: path.parent().map(Path::to_path_buf),
            is_root: false,
            verbatim: false,
        };
        if options.formatted(text).as_deref() != Some(text) {
            continue;
        }
        let every_third = proposals(text)
            .into_iter()
            .step_by(3)
            .map(|(proposal, _)| proposal)
            .collect::<Vec<_>>();
        let composed = compose(text, &every_third.iter().collect::<Vec<_>>(), &options).unwrap();
        let again = options
            .formatted(&composed)
            .expect("rustfmt takes the composed file");
        assert!(
            again == composed,
            "{} is not formatted any more",
            path.display()
        );
        formatted += 1;
    }
    assert!(formatted > 20, "only {formatted} files were tried");
}
