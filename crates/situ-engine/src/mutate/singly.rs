//! Judges mutants that cannot be switched: a build for each, and all tests.

use super::baseline::Baseline;
use super::build::{Builder, Built};
use super::judge::{Status, Verdict, way_it_ended};
use super::suite::{Switch, Workplace, run_tests};
use crate::fault::Fault;
use crate::workspace::Workspace;
use anyhow::{Context as _, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Builds and judges one mutant after the other.
pub struct SingleBuilder<'a> {
    workspace: &'a Workspace,
    builder: Builder,
    number: PathBuf,
    place: Workplace,
    limit: Duration,
}

impl<'a> SingleBuilder<'a> {
    /// Prepares builds like this one.
    pub fn new(
        workspace: &'a Workspace,
        built: &Built,
        baseline: &Baseline,
        places: &Path,
    ) -> Result<SingleBuilder<'a>> {
        let number = workspace.situ_folder().join("mutants").join("single");
        let builder = built.builder.single(&number)?;
        let whole: Duration = baseline.tests.iter().map(|test| test.time).sum();
        let limit = whole * 10 + Duration::from_secs(10);
        Ok(SingleBuilder { workspace, builder, number, place: Workplace::new(places, 0)?, limit })
    }

    /// The verdict on a mutant; none if it does not compile.
    pub fn judge(&self, id: u32) -> Result<Option<Verdict>> {
        fs::write(&self.number, id.to_string()).context("naming the mutant")?;
        let built = match self.builder.clone().build(self.workspace) {
            Ok(built) => built,
            Err(error) if error.downcast_ref::<Fault>().is_some() => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut verdict = Verdict { status: Status::Survived, killed_by: Vec::new(), how: None, is_unstable: false };
        for program in &built.programs {
            let (finished, transcript) = run_tests(program, &[], &Switch::Off, &self.place, Some(self.limit), true)?;
            if finished.status.success() && !finished.stopped {
                continue;
            }
            let (status, how) = match transcript.first_failed() {
                Some(_) => (Status::Killed, "failed".to_owned()),
                None => way_it_ended(&finished, &self.place),
            };
            let by = transcript.first_failed().or(transcript.running.as_deref()).unwrap_or(&program.name);
            (verdict.status, verdict.how) = (status, Some(how));
            verdict.killed_by.push(by.to_owned());
            break;
        }
        Ok(Some(verdict))
    }
}
