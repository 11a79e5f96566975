//! Judges mutants that cannot be switched at run time: each gets its own build, and all tests are
//! run.

use super::baseline::{Baseline, Test};
use super::build::{Builder, Built};
use super::judge::{Case, Court, Verdict};
use crate::base::user_error::UserError;
use crate::cargo::workspace::Workspace;
use crate::programs::harness::Workplace;
use crate::programs::program::Program;
use anyhow::{Context as _, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Builder that compiles one mutant after the other into its own build, and judges it.
pub(super) struct SingleBuilder<'a> {
    workspace: &'a Workspace,
    builder: Builder,
    number: PathBuf,
    court: &'a Court<'a>,
    place: Workplace,
}

impl<'a> SingleBuilder<'a> {
    /// Prepares builds with a single mutant each. Checks all tests for stability first, because
    /// later builds cannot run without a mutant.
    pub(super) fn new(
        workspace: &'a Workspace,
        built: &Built,
        court: &'a Court<'a>,
        places: &Path,
    ) -> Result<SingleBuilder<'a>> {
        let number = workspace.situ_folder().join("mutants").join("single");
        let builder = built.builder.single(&number)?;
        court.settle(&(0..court.baseline.tests.len()).collect::<Vec<_>>())?;
        Ok(SingleBuilder {
            workspace,
            builder,
            number,
            court,
            place: Workplace::new(places, 0)?,
        })
    }

    /// Judges a mutant. Returns `None` if it does not compile.
    pub(super) fn judge(&self, id: u32) -> Result<Option<Verdict>> {
        fs::write(&self.number, id.to_string()).context("writing the mutant's number")?;
        let built = match self.builder.clone().build(self.workspace) {
            Ok(built) => built,
            Err(error) if error.downcast_ref::<UserError>().is_some() => return Ok(None),
            Err(error) => return Err(error),
        };
        let (indices, tests): (Vec<usize>, Vec<Test>) =
            self.tests_in(&built.programs).into_iter().unzip();
        let baseline = Baseline { tests, workers: 1 };
        let court = self.court.elsewhere(&built.programs, &baseline, &indices);
        let case = Case {
            id,
            neighbourhood: 0,
            tests: (0..baseline.tests.len()).collect(),
        };
        Ok(Some(court.verdict(&case, &self.place)?.0))
    }

    /// Returns the known tests that these programs contain, each with its index in the baseline.
    fn tests_in(&self, programs: &[Program]) -> Vec<(usize, Test)> {
        let known = self.court.baseline.tests.iter().enumerate();
        let found = known.filter_map(|(at, test)| {
            let own = &self.court.programs[test.program];
            let program = programs
                .iter()
                .position(|program| program.root == own.root && program.name == own.name)?;
            Some((
                at,
                Test {
                    program,
                    ..test.clone()
                },
            ))
        });
        found.collect()
    }
}
