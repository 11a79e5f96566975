//! Runs generated tests in several environments, and rejects those that do not pass in all of them.

use super::environments::{CopiedTree, ENVIRONMENTS, Setting};
use crate::base::process;
use crate::programs::harness::{Outcome, Transcript, Workplace, prepare};
use crate::programs::program::Program;
use crate::programs::test_list::list_tests;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Time limit for one run of generated tests.
const LONGEST_RUN: Duration = Duration::from_secs(120);
/// Maximum number of test names in one command line.
const MAX_NAMES: usize = 400;

/// Reason why a generated test that compiles is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instability {
    /// The test ends its process, or does not end.
    NoEnd,
    /// The test fails with this setting.
    Setting(Setting),
    /// The test fails with several settings together, and with none of them alone.
    Environment,
    /// The test passes with others and fails alone.
    OtherTests,
    /// No test program lists the test.
    NotRun,
}

impl fmt::Display for Instability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Instability::NoEnd => "does not end",
            Instability::Setting(setting) => return setting.fmt(formatter),
            Instability::Environment => "depends on the environment",
            Instability::OtherTests => "depends on other tests",
            Instability::NotRun => "is not run by the test program",
        })
    }
}

/// Returns the tests that do not pass in every environment, with the reason. `number` maps a test's
/// name to its index.
pub(crate) fn unstable(
    programs: &[Program],
    tests: usize,
    folder: &Path,
    number: &dyn Fn(&str) -> Option<usize>,
) -> Result<BTreeMap<usize, Instability>> {
    let mut unstable: BTreeMap<usize, Instability> = BTreeMap::new();
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    for program in programs {
        let listed = list_tests(program)?.into_iter();
        let names: BTreeMap<String, usize> = listed
            .filter_map(|name| number(&name).map(|at| (name, at)))
            .collect();
        if names.is_empty() {
            continue;
        }
        let copy = CopiedTree::make(program, folder)?;
        let mut trial = Trial {
            program,
            folder,
            copy: &copy,
            names: &names,
            unstable: &mut unstable,
        };
        for environment in ENVIRONMENTS {
            trial.in_environment(environment)?;
        }
        trial.alone()?;
        seen.extend(names.into_values());
    }
    for at in (0..tests).filter(|at| !seen.contains(at)) {
        unstable.insert(at, Instability::NotRun);
    }
    Ok(unstable)
}

/// Tests of a program that are being tried.
struct Trial<'t> {
    program: &'t Program,
    folder: &'t Path,
    copy: &'t CopiedTree,
    /// Index of each test, by name.
    names: &'t BTreeMap<String, usize>,
    unstable: &'t mut BTreeMap<usize, Instability>,
}

impl Trial<'_> {
    /// Runs all tests in an environment. Runs those again that shared a process with a test that
    /// ended it.
    fn in_environment(&mut self, environment: &[Setting]) -> Result<()> {
        let standing = self
            .names
            .iter()
            .filter(|(_, at)| !self.unstable.contains_key(*at));
        let standing: Vec<&str> = standing.map(|(name, _)| name.as_str()).collect();
        for names in standing.chunks(MAX_NAMES) {
            let ended = self.run(environment, names)?;
            for name in names {
                let outcome = match ended.get(*name) {
                    Some(outcome) => Some(*outcome),
                    None => self.run(environment, &[name])?.get(*name).copied(),
                };
                if outcome != Some(Outcome::Passed) {
                    let reason = self.why(environment, name, outcome)?;
                    self.unstable.entry(self.names[*name]).or_insert(reason);
                }
            }
        }
        Ok(())
    }

    /// Finds the setting with which a test fails, by trying each alone.
    fn why(
        &self,
        environment: &[Setting],
        name: &str,
        outcome: Option<Outcome>,
    ) -> Result<Instability> {
        if outcome.is_none() {
            return Ok(Instability::NoEnd);
        }
        if let [only] = environment {
            return Ok(Instability::Setting(*only));
        }
        if self.run(&[Setting::Again], &[name])?.get(name) != Some(&Outcome::Passed) {
            return Ok(Instability::Setting(Setting::Again));
        }
        for setting in environment {
            if self.run(&[*setting], &[name])?.get(name) != Some(&Outcome::Passed) {
                return Ok(Instability::Setting(*setting));
            }
        }
        Ok(Instability::Environment)
    }

    /// Runs each test alone, the last one first.
    fn alone(&mut self) -> Result<()> {
        for (name, at) in self.names.iter().rev() {
            if self.unstable.contains_key(at) {
                continue;
            }
            if self.run(&[Setting::Again], &[name])?.get(name) != Some(&Outcome::Passed) {
                self.unstable.insert(*at, Instability::OtherTests);
            }
        }
        Ok(())
    }

    /// Returns how tests end in an environment. Tests that do not end are missing.
    fn run(&self, environment: &[Setting], names: &[&str]) -> Result<BTreeMap<String, Outcome>> {
        let program = environment
            .iter()
            .fold(self.program.path.as_path(), |path, setting| {
                setting.program(path, self.copy)
            });
        let arguments: Vec<&str> = ["--exact"].iter().chain(names).copied().collect();
        let change = |command: &mut Command| {
            environment
                .iter()
                .for_each(|setting| setting.apply(command, self.copy))
        };
        let ended = run_program(self.program, program, self.folder, &arguments, &change)?;
        Ok(ended
            .into_iter()
            .map(|(name, outcome, _)| (name, outcome))
            .collect())
    }
}

/// Runs tests of a program, and returns how each ended.
pub(crate) fn run(
    program: &Program,
    folder: &Path,
    arguments: &[&str],
) -> Result<Vec<(String, Outcome, Duration)>> {
    run_program(program, &program.path, folder, arguments, &|_| {})
}

/// Runs tests of a program, and returns what it wrote to standard output.
pub(crate) fn output(program: &Program, folder: &Path, arguments: &[&str]) -> Result<String> {
    let place = Workplace::new(folder, 0)?;
    let mut command = program.launcher.command(&program.path);
    prepare(&mut command, program, &place);
    command.args(arguments);
    let finished = process::run_confined(&mut command, &place.scratch, Some(LONGEST_RUN))?;
    Ok(finished.stdout)
}

fn run_program(
    program: &Program,
    path: &Path,
    folder: &Path,
    arguments: &[&str],
    change: &dyn Fn(&mut Command),
) -> Result<Vec<(String, Outcome, Duration)>> {
    let place = Workplace::new(folder, 0)?;
    let mut command = program.launcher.command(path);
    prepare(&mut command, program, &place);
    command.args(arguments);
    change(&mut command);
    let finished = process::run_confined(&mut command, &place.scratch, Some(LONGEST_RUN))?;
    let mut transcript = Transcript::default();
    transcript.read(&finished.stdout, finished.took);
    Ok(transcript.ended)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::programs::shell_program::shell_program;

    fn reasons(tests: &[(&str, &str)]) -> BTreeMap<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let program = shell_program(&folder, tests);
        let number = |name: &str| tests.iter().position(|(own, _)| *own == name);
        let found = unstable(&[program], tests.len(), &folder.join("runs"), &number).unwrap();
        found
            .into_iter()
            .map(|(at, reason)| (tests[at].0.to_owned(), reason.to_string()))
            .collect()
    }

    fn check(body: &str, expected: Option<&str>) {
        let found = reasons(&[("one", body)]);
        assert_eq!(found.get("one").map(String::as_str), expected, "{body}");
    }

    /// Returns a shell test that passes only where a variable is what it is here.
    fn inherited(name: &str) -> String {
        let value = std::env::var(name).unwrap_or_default();
        format!(r#"[ "${name}" = "{value}" ]"#)
    }

    #[test]
    fn what_a_test_depends_on_is_named() {
        check("true", None);
        check("false", Some("fails when it is run again"));
        check(
            r#"[ "$RUST_BACKTRACE" != 1 ]"#,
            Some("depends on RUST_BACKTRACE"),
        );
        check(
            r#"[ "$RUST_BACKTRACE" != full ]"#,
            Some("depends on RUST_BACKTRACE"),
        );
        check(
            r#"[ -n "$RUST_BACKTRACE" ]"#,
            Some("depends on RUST_BACKTRACE"),
        );
        check(&inherited("CI"), Some("depends on CI"));
        check(&inherited("NO_COLOR"), Some("depends on NO_COLOR"));
        check(r#"[ "$TERM" != dumb ]"#, Some("depends on the terminal"));
        check(r#"[ "$(umask)" != 0077 ]"#, Some("depends on the umask"));
        check(
            r#"[ "$LOGNAME" != somebody-else ]"#,
            Some("depends on the user's name"),
        );
        check("[ -e program ]", Some("depends on the working folder"));
        check(
            r#"case "$0" in *copied*) false ;; *) true ;; esac"#,
            Some("depends on the folder that the package is in"),
        );
    }

    #[test]
    fn a_test_that_ends_the_program_in_one_environment_takes_no_other_with_it() {
        let kills = format!("{} || kill -9 $$", inherited("CI"));
        let depends = r#"[ "$RUST_BACKTRACE" != 1 ]"#;
        let found = reasons(&[("kills", &kills), ("depends", depends), ("holds", "true")]);
        assert_eq!(found.get("kills").map(String::as_str), Some("does not end"));
        assert_eq!(
            found.get("depends").map(String::as_str),
            Some("depends on RUST_BACKTRACE"),
            "it was not run with it"
        );
        assert!(!found.contains_key("holds"));
    }

    #[test]
    fn what_no_program_runs_is_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let found = unstable(&[], 1, folder.path(), &|_| None).unwrap();
        assert_eq!(found[&0], Instability::NotRun);
    }
}
