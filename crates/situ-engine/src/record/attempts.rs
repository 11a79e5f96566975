//! Records the tests of a workspace. Records them again with less instrumentation if recording
//! changed their outcomes.

use super::restriction::Restriction;
use super::run::{Options, with_processor_time};
use super::watch::{Interrupted, Watch};
use crate::base::process::{self, sandbox};
use crate::programs::outcomes::{self, Build, Built, Confinement, Outcomes};
use anyhow::{Context as _, Result};
use situ_recorder::recorder;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Maximum number of recordings of the same tests.
const MAX_ATTEMPTS: usize = 5;

/// Everything needed to record the tests of a workspace, several times if necessary.
pub(super) struct Attempts<'a> {
    pub options: &'a Options,
    /// Original test programs and their outcomes.
    pub plain: (&'a Built, &'a Outcomes),
    /// Instrumented test programs.
    pub build: &'a Built,
    /// Folder of the recording.
    pub folder: &'a Path,
    /// Scratch folder of the tests in the sandbox.
    pub scratch: PathBuf,
    /// Environment variables of all attempts.
    pub variables: Vec<(String, String)>,
    /// Time limit of one program.
    pub limit: Duration,
    /// Receives messages about the progress.
    pub step: &'a dyn Fn(&str),
}

/// Outcomes of recorded tests, and the restrictions of their recording.
pub(super) struct Recorded {
    pub outcomes: Outcomes,
    /// Processor time of the last attempt, in seconds.
    pub processor: f64,
    /// Descriptions of tests that ended differently than without recording.
    pub differences: Vec<String>,
    /// What the recording had to do without.
    pub restrictions: Vec<Restriction>,
}

impl Attempts<'_> {
    /// Records the tests with as few restrictions as possible.
    pub(super) fn record(&self, notes: PathBuf) -> Result<Recorded> {
        let mut watch = Watch::prepare(notes, &self.options.opaque_types)?;
        let mut restrictions = Vec::new();
        for _ in 1..MAX_ATTEMPTS {
            let (outcomes, processor, interrupted) = self.attempt(&mut watch, &restrictions)?;
            let found = self.found(&outcomes, interrupted, &restrictions);
            if found.is_empty() {
                return self.without_differences(&mut watch, outcomes, processor, restrictions);
            }
            let types = found
                .iter()
                .filter_map(Restriction::type_name)
                .map(str::to_owned)
                .collect();
            watch.leave_out(types)?;
            (self.step)("recording the tests again: the recorder disturbed them");
            restrictions.extend(found);
        }
        // Without foreign code, the recorder executes nothing that could disturb the tests.
        restrictions.push(Restriction::ForeignCode);
        let (outcomes, processor, _) = self.attempt(&mut watch, &restrictions)?;
        let differences = self.stable_differences(&outcomes)?;
        Ok(Recorded {
            outcomes,
            processor,
            differences,
            restrictions,
        })
    }

    /// Runs the tests once. Removes the recording of an earlier attempt.
    fn attempt(
        &self,
        watch: &mut Watch,
        without: &[Restriction],
    ) -> Result<(Outcomes, f64, Interrupted)> {
        if !self.options.append {
            super::run::remove(self.folder)?;
            let _ = fs::create_dir_all(self.folder);
        }
        let mut variables = self.variables.clone();
        // Capturing memory that is managed by hand may crash the program. With `append`, the folder
        // holds other recordings too, from which a failed attempt could not be removed.
        if !without.contains(&Restriction::MemoryByHand) && !self.options.append {
            variables.push((recorder::HOME_VARIABLE.to_owned(), "1".to_owned()));
        }
        if !without.contains(&Restriction::ForeignCode) {
            variables.push(watch.variable());
        }
        let build = Build::Instrumented(&variables);
        let confinement = Confinement::recording_to(&self.scratch, &[self.folder, watch.folder()])?;
        let run = || {
            with_processor_time(|| match self.options.each_test_apart {
                true => outcomes::run_apart(&self.build.tests, build, self.limit, &confinement),
                false => {
                    outcomes::run_all(&self.build.tests, build, Some(self.limit), &confinement)
                }
            })
        };
        let (given, interrupted) = watch.during(process::kill_all_groups, run);
        let (outcomes, processor) = given?;
        Ok((outcomes, processor, interrupted))
    }

    /// Returns the restrictions for the next attempt.
    fn found(
        &self,
        outcomes: &Outcomes,
        interrupted: Interrupted,
        earlier: &[Restriction],
    ) -> Vec<Restriction> {
        let new =
            |names: BTreeSet<String>, restriction: fn(String) -> Restriction| -> Vec<Restriction> {
                names
                    .into_iter()
                    .map(restriction)
                    .filter(|one| !earlier.contains(one))
                    .collect()
            };
        let hanging = new(interrupted.hung, Restriction::HangingType);
        if !hanging.is_empty() || outcomes.signals <= self.plain.1.signals {
            return hanging;
        }
        let crashing = new(interrupted.running, Restriction::CrashingType);
        let is_left = crashing.is_empty()
            && !self.options.append
            && !earlier.contains(&Restriction::MemoryByHand);
        if is_left {
            vec![Restriction::MemoryByHand]
        } else {
            crashing
        }
    }

    /// Records the tests again without executing code of foreign types, if they ended differently
    /// than without recording. Keeps the new recording if it has fewer differences.
    fn without_differences(
        &self,
        watch: &mut Watch,
        outcomes: Outcomes,
        processor: f64,
        mut restrictions: Vec<Restriction>,
    ) -> Result<Recorded> {
        let differences = self.stable_differences(&outcomes)?;
        let first = Recorded {
            outcomes,
            processor,
            differences,
            restrictions: restrictions.clone(),
        };
        if first.differences.is_empty()
            || !first.outcomes.timed_out.is_empty()
            || self.options.append
        {
            return Ok(first);
        }
        (self.step)("recording the tests again: some ended differently");
        let aside = self.folder.with_extension("first");
        super::run::remove(&aside)?;
        fs::rename(self.folder, &aside).context("moving a recording aside")?;
        restrictions.push(Restriction::ForeignCode);
        let (outcomes, processor, _) = self.attempt(watch, &restrictions)?;
        let differences = self.stable_differences(&outcomes)?;
        if differences.len() < first.differences.len() {
            super::run::remove(&aside)?;
            return Ok(Recorded {
                outcomes,
                processor,
                differences,
                restrictions,
            });
        }
        super::run::remove(self.folder)?;
        fs::rename(&aside, self.folder).context("restoring a recording")?;
        Ok(first)
    }

    /// Returns the differences in outcomes, without tests that are flaky by themselves.
    fn stable_differences(&self, recorded: &Outcomes) -> Result<Vec<String>> {
        let (build, plain) = self.plain;
        let differences = plain.differences(recorded);
        if differences.is_empty() {
            return Ok(differences);
        }
        let again = outcomes::run_all(
            &build.tests,
            Build::Plain,
            Some(self.limit),
            &Confinement::None,
        )?;
        let unstable = tests_that_differ(plain, &again);
        let differences = differences
            .into_iter()
            .filter(|difference| !unstable.contains(&test_of(difference)));
        let differences: Vec<String> = differences.collect();
        if differences.is_empty() || !sandbox::is_on() {
            return Ok(differences);
        }
        // Tests that end differently in the sandbox without being recorded are not the recorder's
        // fault.
        (self.step)("running the original tests in the sandbox");
        let confinement = Confinement::recording_to(&self.scratch, &[])?;
        let confined =
            outcomes::run_all(&build.tests, Build::Plain, Some(self.limit), &confinement)?;
        let left_out = tests_that_differ(plain, &confined);
        left_out
            .iter()
            .filter(|test| !test.ends_with(": "))
            .for_each(|test| sandbox::note_left_out(test));
        Ok(differences
            .into_iter()
            .filter(|difference| !left_out.contains(&test_of(difference)))
            .collect())
    }
}

/// Returns the program and test of a difference.
fn test_of(difference: &str) -> String {
    difference
        .rsplit_once(": ")
        .map_or(difference, |(test, _)| test)
        .to_owned()
}

fn tests_that_differ(one: &Outcomes, other: &Outcomes) -> BTreeSet<String> {
    one.differences(other)
        .iter()
        .map(|difference| test_of(difference))
        .collect()
}
