//! Judges mutants: runs the tests that reach each of them, until one fails.

mod evidence;
mod group;
mod order;
#[cfg(all(test, unix))]
mod tests;
mod untried;
mod verdict;

use super::baseline::{Baseline, Test};
use super::report::TestName;
use super::stability::{CLEAN_RUNS, Instability, Stability};
use crate::base::parallel::in_parallel;
use crate::programs::harness::{Harness, Workplace};
use crate::programs::program::Program;
use anyhow::Result;
use evidence::Evidence;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::Path;
use std::sync::Mutex;

pub use untried::{Untried, is_in_situ};
pub use verdict::{Status, Verdict};

/// Mutant to judge, with the tests that reach it.
#[derive(Clone, Debug)]
pub struct Case {
    pub id: u32,
    /// Number of the mutant's function, which all mutants of the function share.
    pub neighbourhood: usize,
    /// Tests that reach the mutant, as indices into the baseline.
    pub tests: Vec<usize>,
}

/// Test whose failures do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnstableTest {
    /// Name in reports.
    pub name: String,
    /// Name of the program.
    pub program: String,
    pub why: Instability,
}

/// Programs, baseline and results so far, by which mutants are judged.
pub struct Court<'a> {
    pub programs: &'a [Program],
    pub baseline: &'a Baseline,
    /// Folder for the processes' files.
    pub folder: &'a Path,
    /// Whether to find every test that kills a mutant, not only the first.
    pub whole_matrix: bool,
    stability: Stability,
    /// Whether each group of tests passes in one process without a mutant.
    together: Mutex<HashMap<Vec<usize>, bool>>,
    recent: Mutex<HashMap<usize, Vec<usize>>>,
}

/// Test that did not pass with a mutant, and how it ended.
#[derive(Clone, Debug)]
struct Notice {
    test: usize,
    status: Status,
    how: String,
}

/// Which tests of a process failed and which passed.
#[derive(Clone, Debug, Default)]
struct Answer {
    /// Tests that did not pass; only the first if there are many.
    noticed: Vec<Notice>,
    passed: Vec<usize>,
}

impl Answer {
    /// Returns the tests that have run.
    fn tests(&self) -> impl Iterator<Item = usize> {
        self.noticed
            .iter()
            .map(|notice| notice.test)
            .chain(self.passed.iter().copied())
    }
}

impl<'a> Court<'a> {
    pub fn new(
        programs: &'a [Program],
        baseline: &'a Baseline,
        folder: &'a Path,
        whole_matrix: bool,
    ) -> Court<'a> {
        let stability = Stability::new(baseline);
        let (together, recent) = (Mutex::default(), Mutex::default());
        Court {
            programs,
            baseline,
            folder,
            whole_matrix,
            stability,
            together,
            recent,
        }
    }

    /// Returns a [`Court`] for other programs that contain some of these tests. Tests cannot run
    /// without a mutant there, so their stability is not checked any more.
    pub fn elsewhere<'b>(
        &self,
        programs: &'b [Program],
        baseline: &'b Baseline,
        tests: &[usize],
    ) -> Court<'b>
    where
        'a: 'b,
    {
        let stability = self.stability.to_final(tests);
        Court {
            stability,
            ..Court::new(programs, baseline, self.folder, self.whole_matrix)
        }
    }

    /// Checks which of these tests are stable, before any of them has killed a mutant.
    pub fn settle(&self, tests: &[usize]) -> Result<()> {
        let results = in_parallel(self.baseline.workers, tests.len(), |worker, at| {
            self.passes_alone(tests[at], CLEAN_RUNS, &Workplace::new(self.folder, worker)?)
        });
        results.into_iter().try_for_each(|result| result.map(drop))
    }

    /// Keeps those verdicts of an earlier run whose tests are stable in this run.
    pub fn keep_reliable(&self, verdicts: &mut HashMap<u32, Verdict>) -> Result<()> {
        let known: HashMap<String, usize> = (0..self.baseline.tests.len())
            .map(|at| (self.label(at), at))
            .collect();
        let killers: BTreeSet<usize> = verdicts
            .values()
            .flat_map(|verdict| &verdict.killed_by)
            .filter_map(|name| known.get(name))
            .copied()
            .collect();
        self.settle(&killers.into_iter().collect::<Vec<_>>())?;
        let counts = |name: &String| known.get(name).is_none_or(|test| self.is_reliable(*test));
        verdicts.retain(|_, verdict| verdict.killed_by.iter().all(counts));
        Ok(())
    }

    /// Judges all cases and returns the verdicts in the same order. Calls `tell` with each verdict.
    /// Judges a case again, and calls `tell` again, if a test that killed it later turns out to
    /// fail without a mutant.
    pub fn judge(
        &self,
        cases: &[Case],
        tell: impl Fn(&Case, &Verdict) + Sync,
    ) -> Result<Vec<Verdict>> {
        let mut judged: Vec<Option<(Verdict, Vec<usize>)>> = vec![None; cases.len()];
        let mut open: Vec<usize> = (0..cases.len()).collect();
        while !open.is_empty() {
            let verdicts = in_parallel(self.baseline.workers, open.len(), |worker, at| {
                let case = &cases[open[at]];
                let found = self.verdict(case, &Workplace::new(self.folder, worker)?)?;
                tell(case, &found.0);
                anyhow::Ok(found)
            });
            for (at, verdict) in open.iter().zip(verdicts) {
                judged[*at] = Some(verdict?);
            }
            let rests_on_unstable = |(_, killers): &(Verdict, Vec<usize>)| {
                killers.iter().any(|test| !self.is_reliable(*test))
            };
            open = (0..cases.len())
                .filter(|at| judged[*at].as_ref().is_some_and(rests_on_unstable))
                .collect();
        }
        Ok(judged
            .into_iter()
            .flatten()
            .map(|(verdict, _)| verdict)
            .collect())
    }

    /// Returns all tests with their names in reports.
    pub fn tests(&self) -> Vec<TestName> {
        let names = (0..self.baseline.tests.len()).map(|test| TestName {
            name: self.label(test),
            program: self.programs[self.test(test).program].name.clone(),
        });
        names.collect()
    }

    /// Returns the tests whose failures do not count.
    pub fn unstable_tests(&self) -> Vec<UnstableTest> {
        let unstable = self
            .stability
            .unstable()
            .into_iter()
            .map(|(test, why)| UnstableTest {
                name: self.label(test),
                program: self.programs[self.test(test).program].name.clone(),
                why,
            });
        unstable.collect()
    }

    /// Judges one mutant. Also returns the tests that killed it.
    pub fn verdict(&self, case: &Case, place: &Workplace) -> Result<(Verdict, Vec<usize>)> {
        let mut verdict = Verdict::new(if case.tests.is_empty() {
            Status::Unreached
        } else {
            Status::Survived
        });
        let mut untried: BTreeSet<usize> = case.tests.iter().copied().collect();
        let killers = self.killers(case, &mut verdict, &mut untried, place)?;
        let open = untried.into_iter().filter(|test| self.is_reliable(*test));
        verdict.untried = Untried::of(open.map(|test| self.test(test).name.as_str()));
        let unreliable = case.tests.iter().filter(|test| !self.is_reliable(**test));
        verdict.unstable_tests = unreliable.map(|test| self.label(*test)).collect();
        let is_random = || case.tests.iter().any(|test| self.test(*test).varies);
        verdict.is_unstable |=
            killers.is_empty() && (!verdict.unstable_tests.is_empty() || is_random());
        Ok((verdict, killers))
    }

    /// Runs the tests of a case, and returns those that kill the mutant. Removes executed tests
    /// from `untried`.
    fn killers(
        &self,
        case: &Case,
        verdict: &mut Verdict,
        untried: &mut BTreeSet<usize>,
        place: &Workplace,
    ) -> Result<Vec<usize>> {
        let mut killers = Vec::new();
        let mut groups: VecDeque<Vec<usize>> = self.groups(case).into();
        while let Some(group) = groups.pop_front() {
            let answer = self.run_group(case.id, &group, place)?;
            for test in answer.tests() {
                untried.remove(&test);
            }
            for notice in &answer.noticed {
                let evidence = self.evidence(case.id, notice, (&group, &answer), place)?;
                if evidence == Evidence::Nothing {
                    continue;
                }
                let is_doubtful = evidence == Evidence::Sometimes || self.test(notice.test).varies;
                verdict.note(notice, self.label(notice.test), is_doubtful);
                self.remember(case.neighbourhood, notice.test);
                killers.push(notice.test);
                if !self.whole_matrix {
                    return Ok(killers);
                }
            }
            // Reversed, so that the groups stay in order at the front.
            for rest in self.rest_of(&group, &answer).into_iter().rev() {
                groups.push_front(rest);
            }
        }
        Ok(killers)
    }

    fn test(&self, index: usize) -> &Test {
        &self.baseline.tests[index]
    }

    /// Returns whether a test's failures count, as far as is known.
    fn is_reliable(&self, test: usize) -> bool {
        self.stability.instability(test).is_none()
    }

    /// Returns a test's name in reports.
    fn label(&self, index: usize) -> String {
        let name = &self.test(index).name;
        if self.is_merged(index) {
            format!("doctest {name}")
        } else {
            name.clone()
        }
    }

    fn is_merged(&self, test: usize) -> bool {
        self.programs[self.test(test).program].harness == Harness::MergedDoctests
    }

    /// Returns the tests of a process that ended early which have not run, in groups.
    fn rest_of(&self, group: &[usize], answer: &Answer) -> Vec<Vec<usize>> {
        if answer.noticed.is_empty() {
            return Vec::new();
        }
        let ran: BTreeSet<usize> = answer.tests().collect();
        let rest: Vec<usize> = group
            .iter()
            .copied()
            .filter(|test| !ran.contains(test))
            .collect();
        if rest.is_empty() {
            Vec::new()
        } else if self.is_merged(rest[0]) {
            // Together they would end the process again.
            rest.into_iter().map(|test| vec![test]).collect()
        } else {
            vec![rest]
        }
    }
}
