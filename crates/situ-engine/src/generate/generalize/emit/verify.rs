//! Verification: the final tests, compiled in a mirror of the workspace and run in different
//! environments.

use crate::base::diagnostics::Diagnostic;
use crate::base::user_error;
use crate::cargo::manifest::Dependency;
use crate::cargo::workspace::Workspace;
use crate::edit::{ChangeSet, NewItem};
use crate::generate::generalize::emit::{Emitting, Parameterized, points_of};
use crate::generate::generalize::pair::candidate::Place;
use crate::generate::generalize::scope::binders::{binders_in, paired};
use crate::generate::generalize::trial::settle::FOLDER;
use crate::programs::program::Program;
use crate::source::{byte_range, parse};
use crate::trial::compile::{Tests, build_tests};
use crate::trial::owned_text::Owners;
use crate::trial::settle::{Round, Settle, settle};
use crate::trial::ways;
use anyhow::{Result, bail};
use quote::ToTokens as _;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::{FnArg, Item, ItemFn};

/// The maximum number of times that a test is rewritten without what the compiler calls unused.
const MAX_ROUNDS: usize = 5;
/// The reason if a style cannot express a test.
const NO_FORM: &str = "it cannot be written in this style";
/// The reason if a test exists already.
const THERE_ALREADY: &str = "it exists already";
/// The reason if a test would show no more than its original.
const NOTHING_TO_READ: &str = "its other arguments are too long to read";
/// The reason if another test makes this one redundant.
const SAID_ALREADY: &str =
    "another test asserts the same with the values that its argument is built from";

/// A test that passes, in its final form.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub test: Parameterized,
    /// The item to insert.
    pub item: NewItem,
}

/// The tests that pass, the change that adds them, and why others are missing.
pub(crate) struct Verified {
    /// The tests.
    pub shown: Vec<Shown>,
    pub changes: ChangeSet,
    /// The number of dropped tests by reason.
    pub left_out: BTreeMap<String, usize>,
}

/// Verifies tests. Those that do not compile, cause a warning, fail or are unstable are dropped.
pub(crate) fn verify(
    workspace: &Workspace,
    emitting: &Emitting<'_>,
    tests: Vec<Parameterized>,
    dependency: &Dependency,
    step: &dyn Fn(&str),
) -> Result<Verified> {
    let (shown, left_out) = (Vec::new(), BTreeMap::new());
    let mut verifying = Verifying {
        workspace,
        emitting,
        dependency,
        step,
        shown,
        left_out,
        changes: ChangeSet::default(),
    };
    verifying.write(tests);
    let programs = match settle(&mut verifying)? {
        Ok(programs) => programs,
        Err(unsettled) => bail!(
            "an error in the copy with the new tests is in none of them:\n{}",
            unsettled.first()
        ),
    };
    let mut changes = std::mem::take(&mut verifying.changes);
    step("running the tests in different environments");
    let mut rejected = verifying.unstable(&programs)?;
    rejected.extend(
        verifying
            .there_already(&changes)
            .into_iter()
            .map(|at| (at, THERE_ALREADY.to_owned())),
    );
    if !rejected.is_empty() {
        verifying.leave_out(&rejected);
        changes = verifying.composed()?;
    }
    Ok(Verified {
        shown: verifying.shown,
        changes,
        left_out: verifying.left_out,
    })
}

struct Verifying<'v> {
    workspace: &'v Workspace,
    emitting: &'v Emitting<'v>,
    dependency: &'v Dependency,
    step: &'v dyn Fn(&str),
    shown: Vec<Shown>,
    left_out: BTreeMap<String, usize>,
    /// The change that adds the tests of the current round.
    changes: ChangeSet,
}

impl Settle for Verifying<'_> {
    type Accepted = Vec<Program>;

    fn attempt(&mut self, round: usize) -> Result<Round<Vec<Program>>> {
        self.changes = self.composed()?;
        if self.shown.is_empty() {
            return Ok(Round::Accepted(Vec::new()));
        }
        (self.step)("compiling the chosen tests");
        let lacks_situ = self.changes.lacks_situ(self.workspace);
        if let Some(reason) = lacks_situ.filter(|_| round == 1) {
            return Err(user_error::input(reason.to_string()));
        }
        let mirror = self.workspace.mirror(FOLDER, &files_of(&self.changes))?;
        let build = build_tests(&mirror, Tests::All)?;
        Ok(match build.errors.is_empty() {
            true => Round::Warned(build.programs, build.warnings),
            false => Round::Rejected(build.errors),
        })
    }

    fn blame(&mut self, messages: &[Diagnostic], round: usize) -> Result<bool> {
        let Learned { mended, rejected } = self.learn(messages, round < MAX_ROUNDS);
        let changed = !mended.is_empty() || !rejected.is_empty();
        for at in mended {
            let one = &mut self.shown[at];
            one.item = self
                .emitting
                .item(&one.test)
                .unwrap_or_else(|| one.item.clone());
        }
        self.leave_out(&rejected);
        Ok(changed)
    }
}

impl Verifying<'_> {
    fn write(&mut self, tests: Vec<Parameterized>) {
        for test in tests {
            match self.emitting.item(&test) {
                _ if test.is_redundant => {
                    *self.left_out.entry(SAID_ALREADY.to_owned()).or_default() += 1
                }
                _ if !test.shows_more() => {
                    *self.left_out.entry(NOTHING_TO_READ.to_owned()).or_default() += 1
                }
                Some(item) => self.shown.push(Shown { test, item }),
                None => *self.left_out.entry(NO_FORM.to_owned()).or_default() += 1,
            }
        }
    }

    /// Attributes the compiler's messages: to tests that can be rewritten without unused parts, and
    /// to others.
    fn learn(&mut self, messages: &[Diagnostic], may_mend: bool) -> Learned {
        let functions = functions_of(&self.changes, &self.shown);
        let owners = owners_of(&functions, &self.shown);
        let mut learned = Learned::default();
        for message in messages {
            let holding: BTreeSet<usize> =
                owners.pointed_into(message).into_iter().copied().collect();
            for at in holding {
                let test = &self.shown[at].test;
                let binders = functions[at]
                    .as_ref()
                    .map(|of| paired(&self.emitting.binders(test), &of.binders));
                if may_mend
                    && self.shown[at]
                        .test
                        .mending
                        .learn(message, &binders.unwrap_or_default())
                {
                    learned.mended.insert(at);
                } else if !learned.mended.contains(&at) {
                    learned.rejected.insert(at, reason_of(message));
                }
            }
        }
        learned
    }

    /// Returns the tests that do not pass in every environment.
    fn unstable(&self, programs: &[Program]) -> Result<BTreeMap<usize, String>> {
        let paths: Vec<String> = self
            .shown
            .iter()
            .map(|one| path_of(self.emitting, one))
            .collect();
        let number = |test: &str| {
            let is_of = |path: &String| {
                test.strip_prefix(path.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
            };
            paths.iter().position(is_of)
        };
        let folder = self.workspace.situ_folder().join(FOLDER).join("runs");
        let unstable = ways::unstable(programs, self.shown.len(), &folder, &number)?;
        Ok(unstable
            .into_iter()
            .map(|(at, reason)| (at, reason.to_string()))
            .collect())
    }

    /// Returns the tests that an earlier run has written beside the original, whatever their cases
    /// are.
    fn there_already(&self, changes: &ChangeSet) -> Vec<usize> {
        let written = functions_of(changes, &self.shown);
        let is_there = |at: &usize| {
            let target = &self.emitting.made.targets[self.shown[*at].test.target];
            let beside = self.emitting.material.tests[target.test].test.beside.iter();
            let mut known = beside.filter_map(|item| match item {
                Item::Fn(function) => Some(claim_of(function)),
                _ => None,
            });
            written[*at]
                .as_ref()
                .is_some_and(|written| known.any(|known| known == written.claim))
        };
        (0..self.shown.len()).filter(is_there).collect()
    }

    fn leave_out(&mut self, rejected: &BTreeMap<usize, String>) {
        for reason in rejected.values() {
            *self.left_out.entry(reason.clone()).or_default() += 1;
        }
        let mut at = 0..;
        self.shown
            .retain(|_| at.next().is_some_and(|at| !rejected.contains_key(&at)));
    }

    /// Returns the change with all tests, numbered without gaps.
    fn composed(&mut self) -> Result<ChangeSet> {
        let mut taken = self.emitting.names_taken();
        for one in &mut self.shown {
            let name = self.emitting.name(&one.test, &mut taken);
            if name != one.test.name {
                one.test.name = name;
                one.item = self
                    .emitting
                    .item(&one.test)
                    .unwrap_or_else(|| one.item.clone());
            }
        }
        if self.shown.is_empty() {
            return Ok(ChangeSet::default());
        }
        let items: Vec<NewItem> = self.shown.iter().map(|one| one.item.clone()).collect();
        ChangeSet::of_items(self.workspace, &items, self.dependency)
    }
}

/// The result of a build for its tests.
#[derive(Default)]
struct Learned {
    /// Tests to rewrite.
    mended: BTreeSet<usize>,
    /// Tests to drop, and why.
    rejected: BTreeMap<usize, String>,
}

fn files_of(changes: &ChangeSet) -> Vec<(PathBuf, String)> {
    changes
        .files
        .iter()
        .map(|file| (file.path.clone(), file.after.clone()))
        .collect()
}

fn reason_of(message: &Diagnostic) -> String {
    match message.is_error() {
        true => format!("it does not compile in its final form: {}", message.message),
        false => format!("it would cause a warning: {}", message.message),
    }
}

/// Returns the path of a test in its program.
fn path_of(emitting: &Emitting<'_>, shown: &Shown) -> String {
    let target = &emitting.made.targets[shown.test.target];
    let place = Place::of(&emitting.material.tests[target.test].test);
    place
        .module
        .iter()
        .chain([&shown.test.name])
        .cloned()
        .collect::<Vec<_>>()
        .join("::")
}

/// A function of a new file.
#[derive(Clone)]
struct Written {
    /// Its byte ranges: data points are in a function of their own.
    ranges: Vec<Range<usize>>,
    /// Its parameters and body, independent of its name and cases.
    claim: String,
    /// Its variables.
    binders: Vec<(String, Range<usize>)>,
}

/// Finds the tests in their new files.
fn functions_of(changes: &ChangeSet, shown: &[Shown]) -> Vec<Option<Written>> {
    let mut of_files: BTreeMap<&Path, BTreeMap<String, Written>> = BTreeMap::new();
    for file in &changes.files {
        let mut found = BTreeMap::new();
        if let Ok(tree) = parse(&file.after) {
            functions(&tree.items, &mut found);
        }
        of_files.insert(&file.path, found);
    }
    let function = |one: &Shown| {
        let of_file = of_files.get(one.item.file.as_path())?;
        let mut written = of_file.get(&one.test.name).cloned()?;
        let points = of_file.get(&points_of(&one.test.name));
        written.ranges.extend(
            points
                .iter()
                .flat_map(|points| points.ranges.iter().cloned()),
        );
        Some(written)
    };
    shown.iter().map(function).collect()
}

fn functions(items: &[Item], found: &mut BTreeMap<String, Written>) {
    for item in items {
        match item {
            Item::Fn(function) => {
                let (claim, binders) = (claim_of(function), binders_in(&function.block));
                let written = Written {
                    ranges: vec![byte_range(item)],
                    claim,
                    binders,
                };
                found.insert(function.sig.ident.to_string(), written);
            }
            Item::Mod(inner) => functions(
                inner.content.as_ref().map_or(&[], |(_, items)| items),
                found,
            ),
            _ => {}
        }
    }
}

/// Returns the parameters and the body of a test, without the name of a data point's group.
fn claim_of(function: &ItemFn) -> String {
    let parameters = function.sig.inputs.iter().map(|input| match input {
        FnArg::Typed(typed) => format!(
            "{}: {}",
            typed.pat.to_token_stream(),
            typed.ty.to_token_stream()
        ),
        FnArg::Receiver(_) => String::new(),
    });
    format!(
        "{} {}",
        parameters.collect::<Vec<_>>().join(", "),
        function.block.to_token_stream()
    )
}

/// Returns the byte ranges of all tests in their new files.
fn owners_of(functions: &[Option<Written>], shown: &[Shown]) -> Owners<usize> {
    let mut owners = Owners::default();
    for (at, function) in functions.iter().enumerate() {
        for range in function.iter().flat_map(|function| &function.ranges) {
            owners.add(&shown[at].item.file, range.clone(), at);
        }
    }
    owners
}
