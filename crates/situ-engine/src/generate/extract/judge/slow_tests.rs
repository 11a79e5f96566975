//! Tests of the user's that are too slow to be run with mutants.

use crate::base::process::Limit;
use crate::programs::harness::{Harness, Switch, Workplace, run_tests};
use crate::programs::program::Program;
use anyhow::Result;
use std::path::Path;
use std::time::Duration;

/// The duration above which a test is skipped.
const LONGEST: Duration = Duration::from_secs(10);

/// The maximum expected slowdown of programs with mutants.
const SLOWER: u32 = 5;

/// Returns the programs, each with the tests to skip. If all tests together were fast, none is
/// searched for.
pub(crate) fn left_out(
    programs: &[Program],
    folder: &Path,
    tests_took: Option<Duration>,
) -> Result<Vec<Program>> {
    if tests_took.is_some_and(|took| took * SLOWER < LONGEST) {
        return Ok(programs.to_vec());
    }
    let place = Workplace::new(folder, 0)?;
    programs
        .iter()
        .map(|program| without_slow_ones(program, &place, LONGEST))
        .collect()
}

/// Runs the tests until one is silent for too long; that one is skipped, and the next process
/// continues after it.
fn without_slow_ones(program: &Program, place: &Workplace, longest: Duration) -> Result<Program> {
    if program.harness != Harness::Tests {
        return Ok(program.clone());
    }
    let mut slow = Vec::new();
    let mut rest = program.clone();
    loop {
        let (finished, transcript) = run_tests(
            &rest,
            &[],
            &Switch::Off,
            place,
            Limit::Silent(longest),
            false,
        )?;
        let Some(running) = transcript.running.filter(|_| finished.timed_out) else {
            break;
        };
        rest.left_out
            .extend(transcript.ended.into_iter().map(|(name, ..)| name));
        rest.left_out.push(running.clone());
        slow.push(running);
    }
    Ok(Program {
        left_out: slow,
        ..program.clone()
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    /// Says what a test program would say, and sleeps in two of its tests.
    const PROGRAM: &str = r#"#!/bin/sh
for test in a sleeps b dozes c; do
    case " $* " in *" --skip $test "*) continue ;; esac
    printf 'test %s ... ' $test
    case $test in sleeps|dozes) sleep 30 ;; esac
    echo ok
done
echo 'test result: ok. 5 passed; 0 failed;'
"#;

    #[test]
    fn every_test_that_takes_too_long_is_left_out_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        fs::write(&path, PROGRAM).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let program = Program {
            name: "program".to_owned(),
            root: path.clone(),
            path,
            launcher: Default::default(),
            folder: folder.path().to_path_buf(),
            package: Default::default(),
            libraries: Default::default(),
            harness: Harness::Tests,
            left_out: Vec::new(),
        };
        let place = Workplace::new(folder.path(), 0).unwrap();
        let looked_at = without_slow_ones(&program, &place, Duration::from_secs(1)).unwrap();
        assert_eq!(looked_at.left_out, ["sleeps", "dozes"]);
        let brief = left_out(&[program], folder.path(), Some(Duration::from_millis(20))).unwrap();
        assert!(brief[0].left_out.is_empty(), "it was not even run");
    }
}
