//! Verification: the final tests, compiled in a mirror of the workspace and run in different
//! environments. A failing test is reworded, generated from another call of the same behaviour, or
//! dropped.

use super::attempt::Attempt;
use super::attempts::{Attempts, Rejected, Rejection};
use super::test_locator::{Standing, standing};
use crate::base::diagnostics::Diagnostic;
use crate::base::words::count;
use crate::cargo::manifest::SituSource;
use crate::cargo::workspace::Workspace;
use crate::edit::{ChangeSet, admits};
use crate::generate::carve::refusal::CarveRefusal;
use crate::generate::carve::report::{Form, InPlace};
use crate::generate::carve::write::place::{PlacedTest, changes, has_module};
use crate::programs::program::Program;
use crate::trial::compile::build;
use crate::trial::owned_text::Owners;
use crate::trial::settle::{Round, Settle, settle};
use crate::trial::ways;
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The mirror's folder.
const FOLDER: &str = "carve";
/// The number of rounds in which failing tests are replaced; after that they are dropped.
const MAX_REPLACEMENTS: usize = 3;

/// Tests that hold.
pub(crate) struct Verified {
    /// The change that adds them.
    pub changes: ChangeSet,
    /// The copy of the workspace that contains them, if there is one.
    pub mirror: Option<Workspace>,
}

/// Verifies all attempts.
pub(crate) fn verify(
    workspace: &Workspace,
    attempts: &mut Attempts<'_>,
    situ: &SituSource,
    step: &dyn Fn(&str),
) -> Result<Verified> {
    for round in 0.. {
        let Some((changes, mirror, programs)) = compiled(workspace, attempts, situ, step)? else {
            break;
        };
        step("running the tests in different environments");
        let mut paths = attempts.paths();
        paths.truncate(attempts.standing.len());
        let number = |test: &str| paths.iter().position(|path| path.is(test));
        let folder = workspace.situ_folder().join(FOLDER).join("runs");
        let unstable = ways::unstable(&programs, attempts.standing.len(), &folder, &number)?;
        if unstable.is_empty() {
            return Ok(Verified {
                changes,
                mirror: Some(mirror),
            });
        }
        let rejected = unstable
            .into_iter()
            .map(|(at, reason)| (at, CarveRefusal::Unstable(reason).into()))
            .collect();
        attempts.replace_call(&rejected, round < MAX_REPLACEMENTS);
    }
    Ok(Verified {
        changes: ChangeSet::default(),
        mirror: None,
    })
}

/// The change that adds tests, the copy of the workspace that contains them, and its test programs.
type Compiled = (ChangeSet, Workspace, Vec<Program>);

/// Compiles until nothing is rejected. Returns `None` if no test is left.
fn compiled(
    workspace: &Workspace,
    attempts: &mut Attempts<'_>,
    situ: &SituSource,
    step: &dyn Fn(&str),
) -> Result<Option<Compiled>> {
    let mut compiling = Compiling {
        workspace,
        attempts,
        situ,
        step,
        standing: Vec::new(),
    };
    match settle(&mut compiling)? {
        Ok(compiled) => Ok(compiled),
        Err(unsettled) => bail!(
            "an error in the copy with the new tests is in none of them:\n{}",
            unsettled.first()
        ),
    }
}

struct Compiling<'c, 's> {
    workspace: &'c Workspace,
    attempts: &'c mut Attempts<'s>,
    situ: &'c SituSource,
    step: &'c dyn Fn(&str),
    /// The positions of the tests of the current round.
    standing: Vec<Standing>,
}

impl Settle for Compiling<'_, '_> {
    type Accepted = Option<Compiled>;

    fn attempt(&mut self, _: usize) -> Result<Round<Option<Compiled>>> {
        let not_admitted = not_admitted(self.workspace, self.attempts);
        self.attempts.replace_call(&not_admitted, false);
        if self.attempts.standing.is_empty() {
            return Ok(Round::Accepted(None));
        }
        (self.step)(&format!(
            "compiling {}",
            count(self.attempts.standing.len(), "test")
        ));
        self.attempts
            .name(&|file, modules| has_tests(self.workspace, file, modules));
        let (changes, mirror) = composed(self.workspace, self.attempts, self.situ)?;
        let build = build(&mirror)?;
        self.standing = standing(&changes);
        if !build.errors.is_empty() {
            return Ok(Round::Rejected(build.errors));
        }
        let compiled = (changes, mirror, build.programs);
        Ok(Round::Warned(Some(compiled), build.warnings))
    }

    fn blame(&mut self, messages: &[Diagnostic], _: usize) -> Result<bool> {
        let rejected = self.rejected(messages);
        self.attempts.reword(&rejected);
        Ok(!rejected.is_empty())
    }

    /// Drops all in-situ tests, which change more than their own lines, if nothing else explains an
    /// error.
    fn give_up(&mut self, _: &[Diagnostic]) -> Result<bool> {
        let rejected = self.attempts.in_situ(&CarveRefusal::DoesNotCompile);
        self.attempts.replace_call(&rejected, false);
        Ok(!rejected.is_empty())
    }
}

impl Compiling<'_, '_> {
    /// Returns the tests that messages point into, otherwise those in functions that messages point
    /// into.
    fn rejected(&self, messages: &[Diagnostic]) -> Rejected {
        let (mut tests, mut around) = (Owners::default(), Owners::default());
        for one in &self.standing {
            tests.add(&one.file, one.test.clone(), one);
            around.add(&one.file, one.around.clone(), one);
        }
        let mut rejected = Rejected::new();
        for message in messages {
            let mut blamed = tests.pointed_into(message);
            if blamed.is_empty() {
                blamed = around.pointed_into(message);
            }
            let refusal = match message.is_error() {
                true => CarveRefusal::DoesNotCompile,
                false => CarveRefusal::GivesWarning,
            };
            for at in blamed.iter().flat_map(|one| self.attempts.standing_at(one)) {
                rejected.entry(at).or_insert_with(|| Rejection {
                    refusal: refusal.clone(),
                    message: message.message.clone(),
                });
            }
        }
        rejected
    }
}

/// Returns the in-situ tests of functions that `#[situ]` does not reach.
fn not_admitted(workspace: &Workspace, attempts: &Attempts<'_>) -> Rejected {
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut rejected = Rejected::new();
    for (at, attempt) in attempts.standing.iter().enumerate() {
        if let Form::InSitu(InPlace { proposal, .. }) = attempt.form() {
            let read =
                || fs::read_to_string(workspace.root().join(&proposal.file)).unwrap_or_default();
            let text = texts.entry(proposal.file.clone()).or_insert_with(read);
            if !admits(text, proposal.place) {
                rejected.insert(at, CarveRefusal::NoInSituPlace.into());
            }
        }
    }
    rejected
}

/// Returns whether a module of a file has carved tests already.
pub(crate) fn has_tests(workspace: &Workspace, file: &Path, modules: &[String]) -> bool {
    has_module(
        &fs::read_to_string(workspace.root().join(file)).unwrap_or_default(),
        modules,
    )
}

fn composed(
    workspace: &Workspace,
    attempts: &Attempts<'_>,
    situ: &SituSource,
) -> Result<(ChangeSet, Workspace)> {
    let (tests, in_place) = split(attempts.standing.iter().map(Attempt::form));
    let changes = changes(workspace, &tests, &in_place, situ)?;
    let files: Vec<(PathBuf, String)> = changes
        .files
        .iter()
        .map(|file| (file.path.clone(), file.after.clone()))
        .collect();
    let mirror = workspace.mirror(FOLDER, &files)?;
    Ok((changes, mirror))
}

/// Splits tests into unit tests and in-situ tests.
pub(crate) fn split(forms: impl Iterator<Item = Form>) -> (Vec<PlacedTest>, Vec<InPlace>) {
    let (mut tests, mut in_place) = (Vec::new(), Vec::new());
    for form in forms {
        match form {
            Form::Unit(test) => tests.push(test),
            Form::InSitu(test) => in_place.push(test),
        }
    }
    (tests, in_place)
}
