//! Build with mutants, together with its baseline.

use super::baseline::{self, Baseline, Test};
use super::build::{Builder, Built};
use super::doctests;
use super::run::{Event, Request};
use crate::base::user_error;
use crate::cargo::workspace::Workspace;
use crate::programs::program::Program;
use crate::source::nearest_names;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread;

/// Builds all tests with mutants, and measures the baseline.
pub(crate) fn build_and_measure(
    mut builder: Builder,
    workspace: &Workspace,
    request: &Request,
    (cores, folder): (usize, &Path),
    tell: &(dyn Fn(Event<'_>) + Sync),
) -> Result<Ready> {
    loop {
        let built = builder.build(workspace)?;
        tell(Event::Step("running the tests without mutants"));
        let error = match measure(workspace, &built, request, cores, folder) {
            Ok((programs, baseline)) => {
                return Ok(Ready {
                    built,
                    programs,
                    baseline,
                });
            }
            Err(error) => error,
        };
        let Some(doctests::CalledInConstants(messages)) = error.downcast_ref() else {
            return Err(error);
        };
        builder = built.builder;
        if !builder.keep_const(messages.iter().map(String::as_str))? {
            return Err(user_error::user_code(error.to_string()));
        }
        tell(Event::Step("building again"));
    }
}

/// Build with mutants and its baseline, ready for judging.
pub(crate) struct Ready {
    pub built: Built,
    /// Built programs, then those of doctests.
    pub programs: Vec<Program>,
    pub baseline: Baseline,
}

impl Ready {
    /// Returns the tests that reach each of these mutants.
    pub(crate) fn reached_by(&self, mutants: &BTreeSet<u32>) -> BTreeMap<u32, Vec<usize>> {
        self.baseline.reached_by(&self.built.choices, mutants)
    }

    /// Builds again with the user's own crates optimised. Returns `None` if the build or its tests
    /// have other results.
    pub(super) fn optimized(
        &self,
        workspace: &Workspace,
        request: &Request,
        (cores, folder): (usize, &Path),
    ) -> Option<Ready> {
        let build = || {
            self.built
                .builder
                .optimized()?
                .without_doctests()
                .build(workspace)
        };
        let built = build()
            .ok()
            .filter(|built| built.alive == self.built.alive)?;
        let (places, filter) = (folder.join("places"), request.tests.as_deref());
        let tests = baseline::measure(&built.programs, &places, filter, cores).ok()?;
        let kind = |test: &Test| (test.fails_sometimes, test.varies, test.is_apart);
        let earlier = |test: &Test| {
            self.baseline
                .tests
                .iter()
                .find(|known| known.name == test.name)
                .map(kind)
        };
        if tests
            .tests
            .iter()
            .any(|test| earlier(test) != Some(kind(test)))
        {
            return None;
        }
        // Doctests are not built again: their programs and results stay unoptimised.
        let count = self.built.programs.len();
        let doctests = self
            .baseline
            .tests
            .iter()
            .filter(|test| test.program >= count)
            .cloned();
        let doctests = doctests
            .map(|test| Test {
                program: test.program - count,
                ..test
            })
            .collect();
        let doctests = Baseline {
            tests: doctests,
            workers: self.baseline.workers,
        };
        let programs = [&built.programs[..], &self.programs[count..]].concat();
        let baseline = tests.and(doctests, built.programs.len());
        Some(Ready {
            built,
            programs,
            baseline,
        })
    }
}

/// Measures the tests while the doctests are built, then the doctests.
fn measure(
    workspace: &Workspace,
    built: &Built,
    request: &Request,
    cores: usize,
    folder: &Path,
) -> Result<(Vec<Program>, Baseline)> {
    let places = folder.join("places");
    let has_doctests = request.doctests && workspace.packages().iter().any(doctests::has_library);
    let (tests, doctests) = thread::scope(|scope| {
        let doctests = scope.spawn(|| match has_doctests {
            true => doctests::keep_all(&built.builder, workspace, &folder.join("doctests")),
            false => Ok(Vec::new()),
        });
        let tests = baseline::measure(&built.programs, &places, None, cores);
        (
            tests,
            doctests
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        )
    });
    let (tests, doctests) = (tests?, doctests?);
    let also = baseline::measure(&doctests, &places, None, cores)?;
    let programs = [&built.programs[..], &doctests[..]].concat();
    let all = tests.and(also, built.programs.len());
    check_runner(workspace, built, &all)?;
    let baseline = match &request.tests {
        Some(part) => named(part, all)?,
        None => all,
    };
    Ok((programs, baseline))
}

/// Returns an error if a runner does not pass environment variables on. Mutants could not be
/// switched on then, and every mutant would count as unreached.
fn check_runner(workspace: &Workspace, built: &Built, baseline: &Baseline) -> Result<()> {
    let Some(runner) = workspace.launcher().runner() else {
        return Ok(());
    };
    let is_silent = baseline
        .tests
        .iter()
        .all(|test| test.reached.sites.is_empty());
    if built.alive.is_empty() || baseline.tests.is_empty() || !is_silent {
        return Ok(());
    }
    Err(user_error::input(format!(
        "no test reported that it reaches a mutant: the runner `{runner}` of cargo's configuration \
         must pass environment variables on to the programs that it runs, and let them write to \
         files of this machine"
    )))
}

/// Keeps the tests whose names contain `part`. Returns a user error if there are none.
fn named(part: &str, all: Baseline) -> Result<Baseline> {
    let (tests, others): (Vec<Test>, Vec<Test>) = all
        .tests
        .into_iter()
        .partition(|test| test.name.contains(part));
    if tests.is_empty() {
        let names = others.iter().map(|test| test.name.as_str());
        let near: Vec<String> = nearest_names(part, names, 3)
            .into_iter()
            .map(|name| format!("`{name}`"))
            .collect();
        let there = match others.len() {
            0 => "there are no tests".to_owned(),
            1 => format!("the only test is {}", near.join("")),
            count => format!("there are {count} tests, such as {}", near.join(", ")),
        };
        return Err(user_error::input(format!(
            "`--tests {part}`: no test has a name that contains this; {there}"
        )));
    }
    Ok(Baseline { tests, ..all })
}
