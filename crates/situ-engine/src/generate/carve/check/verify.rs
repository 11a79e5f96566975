//! Verification: the tests as they will stand, compiled in a mirror of the workspace and run in different ways; what does
//! not hold is said in other words, or with another call of the same behaviour, or not at all.

use super::attempt::Attempt;
use super::attempts::{Attempts, Rejected, Rejection};
use super::test_locator::{Standing, standing};
use crate::base::diagnostics::{Diagnostic, Span};
use crate::base::words::count;
use crate::cargo::manifest::SituSource;
use crate::cargo::workspace::Workspace;
use crate::edit::{ChangeSet, admits};
use crate::generate::carve::refusal::CarveRefusal;
use crate::generate::carve::report::{Form, InPlace};
use crate::generate::carve::write::place::{PlacedTest, changes, has_module};
use crate::programs::program::Program;
use crate::trial::compile::{Build, build};
use crate::trial::ways;
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The mirror's folder.
const FOLDER: &str = "carve";
/// Rounds in which tests that do not hold are replaced by others; after that they are left out.
const MAX_REPLACEMENTS: usize = 3;

/// Tests that hold.
pub(crate) struct Verified {
    /// The change that brings them.
    pub changes: ChangeSet,
    /// The copy of the workspace that holds them; none where there is none.
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
        step("running the tests in different ways");
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

/// Compiles until nothing is rejected; none where no test is left.
fn compiled(
    workspace: &Workspace,
    attempts: &mut Attempts<'_>,
    situ: &SituSource,
    step: &dyn Fn(&str),
) -> Result<Option<(ChangeSet, Workspace, Vec<Program>)>> {
    loop {
        attempts.replace_call(&not_admitted(workspace, attempts), false);
        if attempts.standing.is_empty() {
            return Ok(None);
        }
        step(&format!(
            "compiling {}",
            count(attempts.standing.len(), "test")
        ));
        attempts.name(&|file, modules| has_tests(workspace, file, modules));
        let (changes, mirror) = composed(workspace, attempts, situ)?;
        let Build {
            errors,
            programs,
            warnings,
        } = build(&mirror)?;
        let blame = Blame {
            standing: standing(&changes),
            attempts,
        };
        let mut rejected = match errors.is_empty() {
            false => blame.rejected(&errors, &CarveRefusal::DoesNotCompile),
            true => blame.rejected(&warnings, &CarveRefusal::GivesWarning),
        };
        if rejected.is_empty() && !errors.is_empty() {
            // In-situ tests change more than their own lines: where nothing else explains an error, they do.
            rejected = attempts.in_situ(&CarveRefusal::DoesNotCompile);
            if !rejected.is_empty() {
                attempts.replace_call(&rejected, false);
                continue;
            }
        }
        if rejected.is_empty() && errors.is_empty() {
            return Ok(Some((changes, mirror, programs)));
        }
        if rejected.is_empty() {
            let first = errors
                .into_iter()
                .find_map(|error| error.rendered)
                .unwrap_or_default();
            bail!("an error in the copy with the new tests belongs to none of them:\n{first}");
        }
        attempts.reword(&rejected);
    }
}

/// In-situ tests of functions that `#[situ]` does not reach.
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

/// Whether a module of a file has carved tests already.
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

/// Tests by how they stand in the sources.
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

/// Which tests a message of the compiler is about.
struct Blame<'b, 's> {
    standing: Vec<Standing>,
    attempts: &'b Attempts<'s>,
}

impl Blame<'_, '_> {
    fn rejected(&self, messages: &[Diagnostic], refusal: &CarveRefusal) -> Rejected {
        let mut rejected = Rejected::new();
        for message in messages {
            let spans: Vec<&Span> = message.all_spans();
            let mut blamed = self.holding(&spans, &|standing: &Standing| standing.test.clone());
            if blamed.is_empty() {
                blamed = self.holding(&spans, &|standing: &Standing| standing.around.clone());
            }
            for at in blamed {
                rejected.entry(at).or_insert_with(|| Rejection {
                    refusal: refusal.clone(),
                    message: message.message.clone(),
                });
            }
        }
        rejected
    }

    fn holding(
        &self,
        spans: &[&Span],
        range: &dyn Fn(&Standing) -> std::ops::Range<usize>,
    ) -> Vec<usize> {
        let is_blamed = |standing: &&Standing| {
            let range = range(standing);
            spans.iter().any(|span| {
                Path::new(&span.file_name).ends_with(&standing.file)
                    && range.start <= span.byte_start
                    && span.byte_end <= range.end
            })
        };
        let blamed = self.standing.iter().filter(is_blamed);
        blamed
            .flat_map(|standing| self.attempts.standing_at(standing))
            .collect()
    }
}
