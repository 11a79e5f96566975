//! Verification: the tests as they will stand, compiled in a mirror of the workspace and run in different ways.

use super::candidate::Place;
use super::emit::{Emitting, Parameterized};
use super::settle::FOLDER;
use crate::diagnostics::{Diagnostic, Span};
use crate::edit::manifest::Dependency;
use crate::edit::{ChangeSet, NewItem};
use crate::source::{byte_range, parse};
use crate::trial::compile::{Build, Tests, build_tests};
use crate::trial::ways;
use crate::workspace::Workspace;
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::Item;

/// So often a test is written anew without what the compiler calls unused.
const MOST_ROUNDS: usize = 5;
/// Why a style cannot say what a test says.
const NO_FORM: &str = "it has no form in this style";

/// A test that holds, as it is shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The test.
    pub test: Parameterized,
    /// Where it goes.
    pub item: NewItem,
}

/// Tests that hold, the change that brings them, and why others are not there.
pub struct Verified {
    /// The tests.
    pub shown: Vec<Shown>,
    /// The change.
    pub changes: ChangeSet,
    /// Reason → how many tests were left out.
    pub left_out: BTreeMap<String, usize>,
}

/// Verifies: what does not compile, gives a warning, fails or is not stable is left out.
pub fn verify(
    workspace: &Workspace,
    emitting: &Emitting<'_>,
    tests: Vec<Parameterized>,
    dependency: &Dependency,
    step: &dyn Fn(&str),
) -> Result<Verified> {
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let mut shown = Vec::new();
    for test in tests {
        match emitting.item(&test) {
            Some(item) => shown.push(Shown { test, item }),
            None => *left_out.entry(NO_FORM.to_owned()).or_default() += 1,
        }
    }
    let mut rounds = 0;
    let (changes, programs) = loop {
        rounds += 1;
        if shown.is_empty() {
            return Ok(Verified { shown, changes: ChangeSet::default(), left_out });
        }
        step("compiling the tests that are kept");
        name(emitting, &mut shown);
        let (changes, mirror) = composed(workspace, &shown, dependency)?;
        let Build { errors, programs, warnings } = build_tests(&mirror, Tests::All)?;
        let ranges = ranges(&changes, &shown);
        let mut changed = false;
        let mut mended: BTreeSet<usize> = BTreeSet::new();
        let mut rejected: BTreeMap<usize, String> = BTreeMap::new();
        let warnings = if errors.is_empty() { warnings } else { Vec::new() };
        for message in errors.iter().chain(&warnings) {
            for at in holding(message, &ranges, &shown).collect::<Vec<_>>() {
                let text = text_of(&changes, &shown[at]);
                if rounds < MOST_ROUNDS && shown[at].test.mending.learn(message, text) {
                    mended.insert(at);
                } else if !mended.contains(&at) {
                    rejected.insert(at, reason_of(message));
                }
            }
        }
        if errors.is_empty() && rejected.is_empty() && mended.is_empty() {
            break (changes, programs);
        }
        for at in mended {
            match emitting.item(&shown[at].test) {
                Some(item) => shown[at].item = item,
                None => drop(rejected.insert(at, NO_FORM.to_owned())),
            }
            changed = true;
        }
        if rejected.is_empty() && !changed {
            let first = errors.into_iter().find_map(|error| error.rendered).unwrap_or_default();
            bail!("an error in the copy with the new tests belongs to none of them:\n{first}");
        }
        shown = without(shown, &rejected, &mut left_out);
    };
    step("running the tests in different ways");
    let names: Vec<&str> = shown.iter().map(|one| one.test.name.as_str()).collect();
    let paths: Vec<String> = shown.iter().map(|one| path_of(emitting, one)).collect();
    let number = |test: &str| {
        let is_of = |path: &String| {
            test.strip_prefix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        paths.iter().position(is_of)
    };
    let folder = workspace.situ_folder().join(FOLDER).join("runs");
    let unstable = ways::unstable(&programs, shown.len(), &folder, &names, &number)?;
    if unstable.is_empty() {
        return Ok(Verified { shown, changes, left_out });
    }
    shown = without(shown, &unstable, &mut left_out);
    name(emitting, &mut shown);
    let changes = match shown.is_empty() {
        true => ChangeSet::default(),
        false => composed(workspace, &shown, dependency)?.0,
    };
    Ok(Verified { shown, changes, left_out })
}

/// Names the tests in their order, so that no number is left out.
fn name(emitting: &Emitting<'_>, shown: &mut [Shown]) {
    let mut taken = emitting.names_taken();
    for one in shown {
        let name = emitting.name(&one.test, &mut taken);
        if name != one.test.name {
            one.test.name = name;
            one.item = emitting.item(&one.test).unwrap_or_else(|| one.item.clone());
        }
    }
}

fn reason_of(message: &Diagnostic) -> String {
    match message.is_error() {
        true => format!("it does not compile as it would be shown: {}", message.message),
        false => format!("it would give a warning: {}", message.message),
    }
}

/// The new file of a test.
fn text_of<'c>(changes: &'c ChangeSet, shown: &Shown) -> &'c str {
    let file = changes.files.iter().find(|file| file.path == shown.item.file);
    file.map(|file| file.after.as_str()).unwrap_or_default()
}

/// The path of a test, as a test program calls it.
fn path_of(emitting: &Emitting<'_>, shown: &Shown) -> String {
    let target = &emitting.made.targets[shown.test.target];
    let place = Place::of(&emitting.material.tests[target.test].test);
    place.module.iter().chain([&shown.test.name]).cloned().collect::<Vec<_>>().join("::")
}

fn composed(workspace: &Workspace, shown: &[Shown], dependency: &Dependency) -> Result<(ChangeSet, Workspace)> {
    let items: Vec<NewItem> = shown.iter().map(|one| one.item.clone()).collect();
    let changes = ChangeSet::of_items(workspace, &items, dependency)?;
    let files: Vec<(PathBuf, String)> =
        changes.files.iter().map(|file| (file.path.clone(), file.after.clone())).collect();
    let mirror = workspace.mirror(FOLDER, &files)?;
    Ok((changes, mirror))
}

/// Where each test stands in its new file.
fn ranges(changes: &ChangeSet, shown: &[Shown]) -> Vec<Option<Range<usize>>> {
    let mut of_files: BTreeMap<&Path, BTreeMap<String, Range<usize>>> = BTreeMap::new();
    for file in &changes.files {
        let mut found = BTreeMap::new();
        if let Ok(tree) = parse(&file.after) {
            functions(&tree.items, &mut found);
        }
        of_files.insert(&file.path, found);
    }
    let range = |one: &Shown| of_files.get(one.item.file.as_path())?.get(&one.test.name).cloned();
    shown.iter().map(range).collect()
}

fn functions(items: &[Item], found: &mut BTreeMap<String, Range<usize>>) {
    for item in items {
        match item {
            Item::Fn(function) => drop(found.insert(function.sig.ident.to_string(), byte_range(item))),
            Item::Mod(inner) => functions(inner.content.as_ref().map_or(&[], |(_, items)| items), found),
            _ => {}
        }
    }
}

/// The tests that a message points into.
fn holding<'h>(
    message: &'h Diagnostic,
    ranges: &'h [Option<Range<usize>>],
    shown: &'h [Shown],
) -> impl Iterator<Item = usize> + 'h {
    let spans: Vec<&Span> = message.all_spans();
    (0..shown.len()).filter(move |at| {
        let Some(range) = &ranges[*at] else { return false };
        let is_inside = |span: &&&Span| {
            Path::new(&span.file_name).ends_with(&shown[*at].item.file)
                && range.start <= span.byte_start
                && span.byte_end <= range.end
        };
        spans.iter().any(|span| is_inside(&span))
    })
}

fn without(
    shown: Vec<Shown>,
    rejected: &BTreeMap<usize, String>,
    left_out: &mut BTreeMap<String, usize>,
) -> Vec<Shown> {
    let gone: BTreeSet<usize> = rejected.keys().copied().collect();
    for reason in rejected.values() {
        *left_out.entry(reason.clone()).or_default() += 1;
    }
    shown.into_iter().enumerate().filter(|(at, _)| !gone.contains(at)).map(|(_, one)| one).collect()
}
