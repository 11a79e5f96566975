//! Records the tests of a workspace, and once more with less where that changed what they do.

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

/// So often tests are recorded, whatever happens.
const MAX_ATTEMPTS: usize = 5;

/// The tests of a workspace, which are to be recorded.
pub(super) struct Attempts<'a> {
    /// How to record.
    pub options: &'a Options,
    /// The tests as they are, and how they ended.
    pub plain: (&'a Built, &'a Outcomes),
    /// The instrumented tests.
    pub build: &'a Built,
    /// Where the recording lies.
    pub folder: &'a Path,
    /// Where the tests write in the sandbox.
    pub scratch: PathBuf,
    /// The environment of all attempts.
    pub variables: Vec<(String, String)>,
    /// How long one program may run.
    pub limit: Duration,
    /// Told what is going on.
    pub step: &'a dyn Fn(&str),
}

/// Tests that were recorded.
pub(super) struct Recorded {
    /// How they ended.
    pub outcomes: Outcomes,
    /// The processor time that the last attempt took.
    pub processor: f64,
    /// Those that ended in another way than without recording.
    pub differences: Vec<String>,
    /// What the recording goes without.
    pub restrictions: Vec<Restriction>,
}

impl Attempts<'_> {
    /// Records, with as few restrictions as it takes.
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
            (self.step)("recording the tests again: what the recorder did was not harmless");
            restrictions.extend(found);
        }
        // Whatever it was, without all of this it is nothing that the recorder runs.
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

    /// Runs the tests once; what an earlier attempt has recorded is gone.
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
        // What others have recorded cannot be taken back should that go wrong.
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

    /// What the next attempt has to go without.
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

    /// Where tests ended in another way than without recording, records them again without code of other crates' types, and
    /// takes that if it helps.
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
        (self.step)("recording the tests again: some ended in another way");
        let aside = self.folder.with_extension("first");
        super::run::remove(&aside)?;
        fs::rename(self.folder, &aside).context("putting a recording aside")?;
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
        fs::rename(&aside, self.folder).context("taking a recording back")?;
        Ok(first)
    }

    /// Differences, without the tests that differ from run to run by themselves.
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
        // Those that end so in the sandbox without being recorded, too, say nothing of the recorder.
        (self.step)("running the tests as they are in the sandbox");
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

/// The program and test that a difference is about.
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
