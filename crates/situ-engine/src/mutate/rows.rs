//! Kill matrix of many inputs of a statement, computed inside one process.
//!
//! Extraction inserts a statement with its candidates as rows into the instrumented copy, as an
//! [`Addition`](super::expansion::Addition), and calls it through `situ_recorder::mutant::rows`. A
//! pair of mutant and row costs microseconds, and nothing is compiled for a candidate that is not
//! kept. What fuel cannot stop ends the process. The journal says where, and the next process
//! continues after it.

use super::stability::CLEAN_RUNS;
use crate::base::process::{self, Limit, Next, own_files};
use crate::programs::harness::{Workplace, prepare};
use crate::programs::program::Program;
use anyhow::{Context as _, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

/// Time without output after which a process counts as hanging.
const SILENCE: Duration = Duration::from_secs(5);

/// Statement to judge. Its number in the program's table is its position in the list.
#[derive(Clone, Debug)]
pub struct StatementMutants {
    /// Mutants to try.
    pub mutants: Vec<u32>,
}

/// Kill matrix of one statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matrix {
    /// Rows that pass without a mutant; only these were tried.
    pub passing: BTreeSet<usize>,
    /// Output of the first row that does not pass.
    pub failure: Option<String>,
    /// Rows that detect each mutant.
    pub killed_by: BTreeMap<u32, BTreeSet<usize>>,
}

/// Returns whether code may be judged inside one process. It must not contain `unsafe`, because a
/// mutant of unsafe code could corrupt the process.
pub fn is_safe(source: &str) -> bool {
    fn has_unsafe(tokens: proc_macro2::TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            proc_macro2::TokenTree::Ident(name) => name == "unsafe",
            proc_macro2::TokenTree::Group(group) => has_unsafe(group.stream()),
            _ => false,
        })
    }
    source.parse().is_ok_and(|tokens| !has_unsafe(tokens))
}

/// Judges statements with the test of a program that calls `situ_recorder::mutant::rows::judge`.
pub fn judge(
    program: &Program,
    test: &str,
    statements: &[StatementMutants],
    folder: &Path,
) -> Result<Vec<Matrix>> {
    let runner = RowJudge::new(program, test, folder)?;
    let plan: String = statements
        .iter()
        .enumerate()
        .map(|(number, statement)| line_of(number, &statement.mutants))
        .collect();
    let journal = runner.judge(&plan, "")?;
    let mut matrices = read(&journal, statements.len());
    // If rows fail without a mutant later, earlier runs may have changed the state of the process,
    // so their results are doubtful.
    for number in doubtful(&journal) {
        if let (Some(matrix), Some(statement)) = (matrices.get_mut(number), statements.get(number))
        {
            *matrix = runner.judge_apart(number, &statement.mutants)?;
        }
    }
    Ok(matrices)
}

/// Judges statements with a process for each mutant, because unsafe code may leave a process in an
/// invalid state.
pub fn judge_one_by_one(
    program: &Program,
    test: &str,
    statements: &[StatementMutants],
    folder: &Path,
) -> Result<Vec<Matrix>> {
    let runner = RowJudge::new(program, test, folder)?;
    let apart = statements
        .iter()
        .enumerate()
        .map(|(number, statement)| runner.judge_apart(number, &statement.mutants));
    apart.collect()
}

/// Returns the line of a statement in the plan.
fn line_of(number: usize, mutants: &[u32]) -> String {
    let mutants: String = mutants.iter().map(|mutant| format!(" {mutant}")).collect();
    format!("{number}{mutants}\n")
}

/// Runner of the test that judges rows, in as many processes as necessary.
struct RowJudge<'c> {
    program: &'c Program,
    test: &'c str,
    place: Workplace,
}

impl<'c> RowJudge<'c> {
    fn new(program: &'c Program, test: &'c str, folder: &Path) -> Result<RowJudge<'c>> {
        Ok(RowJudge {
            program,
            test,
            place: Workplace::new(folder, 0)?,
        })
    }

    /// Judges the rows of one statement with a process for each mutant. Rows that do not pass in
    /// several processes without a mutant are ignored.
    fn judge_apart(&self, number: usize, mutants: &[u32]) -> Result<Matrix> {
        let matrix = |journal: &str| read(journal, number + 1).pop().unwrap_or_default();
        let mut known = self.judge(&line_of(number, &[]), "")?;
        let mut found = matrix(&known);
        for _ in 1..CLEAN_RUNS {
            let again = matrix(&self.judge(&line_of(number, &[]), "")?);
            found.passing.retain(|row| again.passing.contains(row));
            found.failure = found.failure.or(again.failure);
        }
        // The results without a mutant are kept, so that they are not computed for each mutant.
        let is_kept = |line: &&str| match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["p", _, row, ..] => row.parse().is_ok_and(|row| found.passing.contains(&row)),
            [kind, ..] => *kind != "e",
            [] => false,
        };
        known = known
            .lines()
            .filter(is_kept)
            .map(|line| format!("{line}\n"))
            .collect();
        for mutant in mutants {
            found
                .killed_by
                .extend(matrix(&self.judge(&line_of(number, &[*mutant]), &known)?).killed_by);
        }
        Ok(found)
    }

    /// Executes a plan and returns its journal, which starts with `known`.
    fn judge(&self, plan_text: &str, known: &str) -> Result<String> {
        let (plan, journal) = (
            self.place.folder.join("plan"),
            self.place.folder.join("journal"),
        );
        own_files::write(&plan, plan_text).context("writing the plan")?;
        own_files::write(&journal, known).context("starting the journal")?;
        // Each process that dies has tried at least one more row, or begun one more mutant.
        let pairs = plan_text.split_whitespace().count();
        for _ in 0..=pairs.saturating_mul(2).saturating_add(1000) {
            let mut command = self.program.launcher.command(&self.program.path);
            prepare(&mut command, self.program, &self.place);
            command.args([
                "--exact",
                self.test,
                "--include-ignored",
                "--nocapture",
                "--test-threads=1",
            ]);
            command
                .env("SITU_ROWS_PLAN", &plan)
                .env("SITU_ROWS", &journal);
            let scratch = &self.place.scratch;
            process::stream_confined(&mut command, scratch, Limit::Silent(SILENCE), |_, _| {
                Next::Continue
            })?;
            let text =
                String::from_utf8_lossy(&own_files::read(&journal).context("reading the journal")?)
                    .into_owned();
            if text.lines().next_back() == Some("e") {
                return Ok(text);
            }
            if text.is_empty() {
                bail!(
                    "the test `{}` of {} judges no rows",
                    self.test,
                    self.program.path.display()
                );
            }
            note_death(&journal, &text)?;
        }
        bail!("judging rows does not end")
    }
}

/// Records the death of a process. The row that was running has detected the mutant, or failed if
/// none was on. If only the mutant is known, the next process tries its rows one by one.
fn note_death(journal: &Path, text: &str) -> Result<()> {
    let mut file = OpenOptions::new()
        .append(true)
        .open(journal)
        .context("opening the journal")?;
    let torn = if text.ends_with('\n') { "" } else { "\n" };
    let last = text
        .lines()
        .rev()
        .find(|line| line.starts_with(['r', 'k', 'm', 'd', 'b', 'p', 'c', 'u']));
    let line = match last.and_then(|line| line.split_once(' ')) {
        Some(("r", row)) => format!("{torn}k {row} died\n"),
        Some(("c", row)) => format!("{torn}u {row}\n"),
        _ => torn.to_owned(),
    };
    file.write_all(line.as_bytes())
        .context("writing to the journal")
}

/// Returns the statements with rows that detected a mutant and failed without one later.
fn doubtful(journal: &str) -> BTreeSet<usize> {
    journal
        .lines()
        .filter_map(|line| line.strip_prefix("u ")?.split(' ').next()?.parse().ok())
        .collect()
}

fn read(journal: &str, statements: usize) -> Vec<Matrix> {
    let mut matrices = vec![Matrix::default(); statements];
    for line in journal.lines() {
        let mut words = line.split(' ');
        let kind = words.next().unwrap_or("");
        let numbers: Vec<u32> = words.filter_map(|word| word.parse().ok()).collect();
        match (kind, numbers.as_slice()) {
            ("f", [statement, _, ..]) => {
                let said = line.splitn(4, ' ').nth(3).map(str::to_owned);
                let failure = &mut matrices[*statement as usize].failure;
                *failure = failure.take().or(said);
            }
            ("p", [statement, row, _]) => {
                matrices[*statement as usize].passing.insert(*row as usize);
            }
            ("k", [statement, mutant, row]) => {
                matrices[*statement as usize]
                    .killed_by
                    .entry(*mutant)
                    .or_default()
                    .insert(*row as usize);
            }
            _ => {}
        }
    }
    matrices
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_the_first_failing_row_said_is_kept() {
        let journal =
            "b 0 0\nf 0 0 expected 3 found 4\nb 0 1\np 0 1 7\nb 0 2\nf 0 2 expected 5\ne\n";
        let matrix = &read(journal, 1)[0];
        assert_eq!(matrix.failure.as_deref(), Some("expected 3 found 4"));
        assert_eq!(matrix.passing, BTreeSet::from([1]));
    }

    #[test]
    fn a_row_that_fails_or_dies_without_a_mutant_afterwards_is_held_against_its_statement() {
        assert_eq!(
            doubtful("p 0 0 7\nk 0 3 0\nc 0 0\nk 2 3 0\nc 2 0\nu 2 0\ne\n"),
            BTreeSet::from([2])
        );
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("journal");
        let text = "k 1 3 0\nd 1 3\nc 1 0\n";
        fs::write(&journal, text).unwrap();
        note_death(&journal, text).unwrap();
        assert_eq!(
            doubtful(&fs::read_to_string(&journal).unwrap()),
            BTreeSet::from([1])
        );
    }
}
