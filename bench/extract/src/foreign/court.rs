//! Builds a subject with a mutant in it, and runs the extracted tests and then its own ones.

use super::mutants::Mutant;
use super::place::Placed;
use anyhow::{Context as _, Result, ensure};
use bench_subjects::in_folder;
use situ_engine::base::process::{self, Finished};
use situ_engine::cargo::workspace::cargo;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const BUILD: &[&str] = &["test", "--no-run"];
const EXTRACTED: &[&str] = &["test", "--tests", "situ_"];
const OWN: &[&str] = &["test", "--", "--skip", "situ_"];

/// A mutant may run so many times as long as the subject does without it, and always so long.
const TIMES: u32 = 10;
const ALWAYS: Duration = Duration::from_secs(10);

/// A mutant that fills memory without end fails by itself before the machine does.
const WITH_LITTLE_MEMORY: &str = "ulimit -v 8000000; exec \"$@\"";

/// What came of a mutant.
#[derive(Default)]
pub struct Verdict {
    /// Is it a program at all?
    pub compiles: bool,
    /// Do the extracted tests fail, or not come to an end?
    pub by_extracted: bool,
    /// Do the subject's own tests?
    pub by_unit: bool,
}

/// Judges the mutants of a subject.
pub struct Court<'f> {
    folder: &'f Path,
    limit: Duration,
    extracted: Plain,
    own: Plain,
}

/// A run of tests without any mutant.
struct Plain {
    words: &'static [&'static str],
    tests: usize,
    took: Duration,
}

impl Court<'_> {
    /// A subject whose tests all pass, both extracted ones and its own.
    pub fn open(folder: &Path, limit: Duration) -> Result<Court<'_>> {
        let built = run(folder, BUILD, limit)?;
        ensure!(
            built.status.success(),
            "the subject with extracted tests does not compile"
        );
        let extracted = plain(folder, EXTRACTED, limit)
            .context("running the extracted tests without a mutant")?;
        let own = plain(folder, OWN, limit)
            .context("running the subject's own tests without a mutant")?;
        Ok(Court {
            folder,
            limit,
            extracted,
            own,
        })
    }

    /// Judges one.
    pub fn judge(&self, mutant: &Mutant) -> Result<Verdict> {
        let _placed = Placed::put(mutant)?;
        let built = run(self.folder, BUILD, self.limit)?;
        ensure!(
            !built.timed_out,
            "a mutant is not compiled within {} s: {}",
            self.limit.as_secs(),
            mutant.shown
        );
        if !built.status.success() {
            return Ok(Verdict::default());
        }
        let by_extracted = self
            .is_killed(&self.extracted)
            .with_context(|| mutant.shown.clone())?;
        let by_unit = self
            .is_killed(&self.own)
            .with_context(|| mutant.shown.clone())?;
        Ok(Verdict {
            compiles: true,
            by_extracted,
            by_unit,
        })
    }

    fn is_killed(&self, plain: &Plain) -> Result<bool> {
        let finished = run(self.folder, plain.words, plain.took * TIMES + ALWAYS)?;
        let is_killed = finished.timed_out || !finished.status.success();
        // Tests that were not run notice nothing, which must not look like a mutant that stays alive.
        ensure!(
            is_killed || passed(&finished.stdout) == plain.tests,
            "not all tests were run"
        );
        Ok(is_killed)
    }
}

fn plain(folder: &Path, words: &'static [&'static str], limit: Duration) -> Result<Plain> {
    let finished = run(folder, words, limit)?;
    ensure!(
        !finished.timed_out && finished.status.success(),
        "they fail"
    );
    let tests = passed(&finished.stdout);
    ensure!(tests > 0, "there are none");
    Ok(Plain {
        words,
        tests,
        took: finished.took,
    })
}

fn run(folder: &Path, words: &[&str], limit: Duration) -> Result<Finished> {
    let mut command = in_folder(Command::new("sh"), folder);
    command
        .args(["-c", WITH_LITTLE_MEMORY, "sh"])
        .arg(cargo().get_program())
        .args(words);
    process::run(&mut command, Some(limit))
}

/// The number of tests that passed, over all test programs.
fn passed(said: &str) -> usize {
    let results = said
        .lines()
        .filter_map(|line| line.strip_prefix("test result: "));
    let numbers = results.filter_map(|line| {
        line.split_once(" passed")?
            .0
            .rsplit(' ')
            .next()?
            .parse::<usize>()
            .ok()
    });
    numbers.sum()
}

#[cfg(test)]
mod tests {
    use super::passed;

    #[test]
    fn the_tests_of_all_programs_are_counted() {
        let said = "running 14 tests\ntest result: ok. 14 passed; 0 failed; 0 ignored\n\
                    test result: ok. 2 passed; 0 failed; 0 ignored\n";
        assert_eq!(passed(said), 16);
        assert_eq!(
            passed("running 0 tests\ntest result: ok. 0 passed; 0 failed\n"),
            0
        );
    }
}
