//! Runs generated tests in different ways: what holds in one of them only is not shown to anybody.

use crate::mutate::build::Program;
use crate::mutate::suite::{Outcome, Transcript, Workplace, prepare};
use crate::mutate::test_list::list_tests;
use crate::process;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// No run of generated tests takes so long.
const LONGEST_RUN: Duration = Duration::from_secs(120);

/// A way to run tests: what it may show, and what is different.
type Way = (&'static str, &'static [&'static str], fn(&mut Command));

fn as_before(_: &mut Command) {}

fn elsewhere(command: &mut Command) {
    command.current_dir("/");
}

fn in_another_zone(command: &mut Command) {
    command.env("TZ", "Pacific/Kiritimati").env("LANG", "C").env("LC_ALL", "C");
}

fn without_a_home(command: &mut Command) {
    command.env_remove("HOME").env_remove("USER").env_remove("CARGO_MANIFEST_DIR");
}

const WAYS: [Way; 6] = [
    ("fails when it is run again", &[], as_before),
    ("depends on the order or on other tests", &["--test-threads=1"], as_before),
    ("depends on the working folder", &[], elsewhere),
    ("depends on the time zone or language", &[], in_another_zone),
    ("depends on the environment", &[], without_a_home),
    ("depends on the network", &[], process::without_network),
];

/// The tests that do not hold in every way of running them, with the reason. `names` are parts of their names, by which a
/// test program finds them; `number` tells them apart.
pub fn unstable(
    programs: &[Program],
    tests: usize,
    folder: &Path,
    names: &[&str],
    number: &dyn Fn(&str) -> Option<usize>,
) -> Result<BTreeMap<usize, String>> {
    let mut unstable: BTreeMap<usize, String> = BTreeMap::new();
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    for program in programs {
        for (reason, arguments, change) in WAYS {
            let arguments: Vec<&str> = names.iter().chain(arguments).copied().collect();
            for (name, outcome, _) in run(program, folder, &arguments, &change)? {
                let Some(at) = number(&name) else { continue };
                seen.insert(at);
                if outcome != Outcome::Passed {
                    unstable.entry(at).or_insert_with(|| reason.to_owned());
                }
            }
        }
        // One test that ends the whole program takes the others with it; by themselves they are seen.
        seen.extend(alone(program, folder, number, &mut unstable)?);
    }
    for at in (0..tests).filter(|at| !seen.contains(at)) {
        unstable.insert(at, "is not run by the test program".to_owned());
    }
    Ok(unstable)
}

/// Runs each test by itself, the last one first; gives those that came to an end.
fn alone(
    program: &Program,
    folder: &Path,
    number: &dyn Fn(&str) -> Option<usize>,
    unstable: &mut BTreeMap<usize, String>,
) -> Result<BTreeSet<usize>> {
    let mut seen = BTreeSet::new();
    for name in list_tests(program)?.into_iter().rev() {
        let Some(at) = number(&name) else { continue };
        let ended = run(program, folder, &["--exact", &name], &as_before)?;
        seen.extend((ended.len() == 1).then_some(at));
        let passed = ended.len() == 1 && ended[0].1 == Outcome::Passed;
        if !passed {
            unstable.entry(at).or_insert_with(|| "depends on other tests".to_owned());
        }
    }
    Ok(seen)
}

/// Runs tests of a program, and gives how each ended.
pub fn run(
    program: &Program,
    folder: &Path,
    arguments: &[&str],
    change: &dyn Fn(&mut Command),
) -> Result<Vec<(String, Outcome, Duration)>> {
    let place = Workplace::new(folder, 0)?;
    let mut command = Command::new(&program.path);
    prepare(&mut command, program, &place);
    command.args(arguments);
    change(&mut command);
    let finished = process::run_confined(&mut command, &place.scratch, Some(LONGEST_RUN))?;
    let mut transcript = Transcript::default();
    transcript.read(&finished.stdout, finished.took);
    Ok(transcript.ended)
}
