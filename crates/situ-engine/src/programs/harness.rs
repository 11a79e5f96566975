//! Executes test programs and parses their output.

use super::program::Program;
use crate::base::output_lines::Lines;
use crate::base::process::{self, Finished, Limit, Next, Scratch, own_files, sandbox};
use crate::cargo::workspace::cargo;
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Prefix of the test name for a program without `#[test]` functions, which is one test.
pub(crate) const WHOLE_PROGRAM: &str = "program ";
/// Environment variable of the search path for shared libraries.
const LIBRARY_PATH: &str = if cfg!(target_os = "macos") {
    "DYLD_FALLBACK_LIBRARY_PATH"
} else if cfg!(windows) {
    "PATH"
} else {
    "LD_LIBRARY_PATH"
};
/// Maximum length of a test's name in bytes.
const LONGEST_NAME: usize = 16 << 10;
/// Exit code of a doctest that panics.
const FAILED_DOCTEST: i32 = 101;

/// Variables that keep snapshot tools from updating their files instead of failing, and backtraces
/// from slowing down failures.
const SETTINGS: &[(&str, &str)] = &[
    ("INSTA_UPDATE", "no"),
    ("INSTA_FORCE_PASS", "0"),
    ("SNAPSHOTS", "verify"),
    ("RUST_BACKTRACE", "0"),
    ("RUST_LIB_BACKTRACE", "0"),
    ("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true"),
];
const REMOVED: &[&str] = &[
    "UPDATE_EXPECT",
    "TRYBUILD",
    "RUST_TEST_THREADS",
    "RUST_TEST_NOCAPTURE",
    "RUST_TEST_SHUFFLE",
];

/// Id of no mutant: the test runs with the mutant switch on, and no code is changed.
pub(crate) const NO_MUTANT: u32 = u32::MAX - 1;

/// Variable that selects one test of a program of merged doctests.
pub(crate) const ONE_DOCTEST: &str = "RUSTDOC_DOCTEST_RUN_NB_TEST";

/// How a program's tests are started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Harness {
    /// libtest: single tests can be selected.
    Tests,
    /// Doctests that rustdoc has merged. All of them run in one process.
    MergedDoctests,
    /// One doctest.
    Doctest {
        /// Whether the doctest must fail (`should_panic`).
        fails: bool,
        /// Index of the test if rustdoc has merged several.
        number: Option<usize>,
    },
}

/// State of the mutant switch for a process.
#[derive(Clone, Debug)]
pub(crate) enum Switch<'a> {
    Off,
    /// No mutant; the process writes the sites that it reaches to this file.
    Reach(&'a Path),
    Mutant {
        id: u32,
        /// Maximum number of sites that the process may pass.
        fuel: u64,
    },
}

impl Switch<'_> {
    /// Sets the environment variables that configure the switch in a process.
    pub(crate) fn apply(&self, command: &mut Command) {
        match self {
            Switch::Off => {}
            Switch::Reach(path) => {
                command
                    .env("SITU_MUTANT", "reach")
                    .env("SITU_REACH", path)
                    .env("SITU_MEMORY", memory_limit());
            }
            Switch::Mutant { id, fuel } => {
                command
                    .env("SITU_MUTANT", id.to_string())
                    .env("SITU_FUEL", fuel.to_string());
                command.env("SITU_MEMORY", memory_limit());
            }
        }
    }
}

/// Returns the memory limit of one process in bytes.
fn memory_limit() -> String {
    sandbox::limits().memory.to_string()
}

/// Folders that one worker's processes write to.
#[derive(Clone, Debug)]
pub struct Workplace {
    /// Folder for temporary files.
    pub folder: PathBuf,
    pub scratch: Scratch,
}

impl Workplace {
    /// Creates the folder of the worker with this number.
    pub fn new(above: &Path, number: usize) -> Result<Workplace> {
        let folder = above.join(format!("worker-{number}"));
        let scratch = Scratch::new(&folder)?;
        Ok(Workplace {
            folder: scratch.folder().to_path_buf(),
            scratch,
        })
    }

    /// Returns the file for standard error.
    pub fn errors(&self) -> PathBuf {
        self.folder.join("stderr")
    }
}

/// Sets working folder and environment for a process of the user's tests.
pub(crate) fn prepare(command: &mut Command, program: &Program, place: &Workplace) {
    command.current_dir(&program.folder);
    place.scratch.clear();
    place.scratch.prepare(command);
    command
        .env("CARGO_MANIFEST_DIR", &program.folder)
        .env("CARGO", cargo().get_program());
    command.env("CARGO_MANIFEST_PATH", program.folder.join("Cargo.toml"));
    command
        .env("CARGO_PKG_NAME", &program.package.0)
        .env("CARGO_PKG_VERSION", &program.package.1);
    command.envs(SETTINGS.iter().copied());
    for name in REMOVED {
        command.env_remove(name);
    }
    with_libraries(command, &program.path, &program.libraries);
    match own_files::create(&place.errors()) {
        Ok(file) => command.stderr(file),
        Err(_) => command.stderr(Stdio::null()),
    };
}

/// Lets a program find shared libraries beside it and those of the compiler.
pub(crate) fn with_libraries(command: &mut Command, program: &Path, libraries: &Path) {
    let earlier = std::env::var_os(LIBRARY_PATH);
    let own = [
        program.parent().unwrap_or(Path::new("")).to_path_buf(),
        libraries.to_path_buf(),
    ];
    let folders = own
        .into_iter()
        .chain(earlier.iter().flat_map(std::env::split_paths));
    if let Ok(paths) = std::env::join_paths(folders) {
        command.env(LIBRARY_PATH, paths);
    }
}

/// How one test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed,
    Ignored,
}

/// Parsed output of a test program so far.
#[derive(Debug)]
pub(crate) struct Transcript {
    lines: Lines,
    /// Ended tests: name, outcome, and time since the start.
    pub ended: Vec<(String, Outcome, Duration)>,
    /// Test that is running.
    pub running: Option<String>,
    /// Number of passed tests, if the program has finished and none failed.
    pub passed: Option<usize>,
    /// Whether the summary line was read.
    pub is_through: bool,
    /// Number of tests that the program announced (`running 3 tests`).
    pub announced: Option<usize>,
}

impl Default for Transcript {
    fn default() -> Transcript {
        let lines = Lines::with_ends();
        Transcript {
            lines,
            ended: Vec::new(),
            running: None,
            passed: None,
            is_through: false,
            announced: None,
        }
    }
}

impl Transcript {
    /// Parses a chunk of output.
    pub(crate) fn read(&mut self, piece: &str, at: Duration) {
        let mut lines = std::mem::replace(&mut self.lines, Lines::with_ends());
        lines.read(piece, &mut |line| self.line(line, at));
        // For a longer line, the running test was found before. Searching it again with each chunk
        // would take quadratic time.
        if lines.unfinished().len() <= LONGEST_NAME + piece.len()
            && let Some(name) = started(lines.unfinished())
        {
            self.running = Some(name);
        }
        self.lines = lines;
    }

    fn line(&mut self, line: &str, at: Duration) {
        if self.announced.is_none() && self.running.is_none() {
            self.announced = announced(line);
        }
        if let Some(summary) = line.strip_prefix("test result: ") {
            self.is_through = true;
            let passed = summary
                .strip_prefix("ok. ")
                .and_then(|rest| rest.split(' ').next());
            self.passed = passed.and_then(|number| number.parse().ok());
            return;
        }
        if let Some(name) = started(line) {
            self.running = Some(name);
        }
        // A test may print to the line that ends with its result.
        let outcome = match line {
            _ if line.ends_with("FAILED") => Outcome::Failed,
            _ if line.ends_with("ok") => Outcome::Passed,
            _ if line.contains("... ignored") => Outcome::Ignored,
            _ => return,
        };
        if let Some(name) = self.running.take() {
            self.ended.push((name, outcome, at));
        }
    }

    /// Returns how long each test took. Assumes that they run one after the other.
    pub(crate) fn times(&self) -> BTreeMap<&str, Duration> {
        let ends = self.ended.iter().map(|(_, _, at)| *at);
        let starts = std::iter::once(Duration::ZERO).chain(ends.clone());
        let spans = ends
            .zip(starts)
            .map(|(end, start)| end.saturating_sub(start));
        self.ended
            .iter()
            .map(|(name, ..)| name.as_str())
            .zip(spans)
            .collect()
    }

    pub(crate) fn failed(&self) -> impl Iterator<Item = &str> {
        self.with(Outcome::Failed)
    }

    /// Returns the tests with this outcome.
    pub(crate) fn with(&self, outcome: Outcome) -> impl Iterator<Item = &str> {
        self.ended
            .iter()
            .filter(move |(_, own, _)| *own == outcome)
            .map(|(name, ..)| name.as_str())
    }

    /// Returns whether every announced test has an outcome. A test that ends the process hides
    /// those after it.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_through
            && self
                .announced
                .is_none_or(|announced| self.ended.len() >= announced)
    }

    pub(crate) fn first_failed(&self) -> Option<&str> {
        self.failed().next()
    }
}

fn started(line: &str) -> Option<String> {
    let (name, _) = line.strip_prefix("test ")?.split_once(" ... ")?;
    // Some harnesses align the results with spaces.
    let name = name.trim_end();
    Some(
        name.strip_suffix(" - should panic")
            .unwrap_or(name)
            .to_owned(),
    )
}

/// Parses the number in `running 3 tests`.
fn announced(line: &str) -> Option<usize> {
    let (number, word) = line.strip_prefix("running ")?.split_once(' ')?;
    if matches!(word, "test" | "tests") {
        number.parse().ok()
    } else {
        None
    }
}

/// Returns whether these names mean a program without `#[test]` functions.
pub(crate) fn is_whole(names: &[&str]) -> bool {
    names.iter().any(|name| name.starts_with(WHOLE_PROGRAM))
}

/// Returns whether a process that was to run these tests passed.
pub(crate) fn has_passed(
    program: &Program,
    names: &[&str],
    finished: &Finished,
    transcript: &Transcript,
) -> bool {
    let succeeded = finished.status.success() && !finished.timed_out;
    match &program.harness {
        Harness::Tests if is_whole(names) => succeeded,
        Harness::Tests if names.is_empty() => succeeded && transcript.passed.is_some(),
        // A mutant may end the process before all tests have run.
        Harness::Tests => succeeded && transcript.passed == Some(names.len()),
        Harness::MergedDoctests => succeeded && transcript.passed.is_some(),
        Harness::Doctest { fails: false, .. } => succeeded,
        Harness::Doctest { fails: true, .. } => finished.status.code() == Some(FAILED_DOCTEST),
    }
}

/// Runs tests of a program one after the other; all of them if `names` is empty. Stops at the first
/// failure if `stop_at_failure`.
pub(crate) fn run_tests(
    program: &Program,
    names: &[&str],
    switch: &Switch<'_>,
    place: &Workplace,
    limit: impl Into<Limit>,
    stop_at_failure: bool,
) -> Result<(Finished, Transcript)> {
    let mut command = program.launcher.command(&program.path);
    prepare(&mut command, program, place);
    switch.apply(&mut command);
    if !place.scratch.bounds_memory() {
        command.env_remove("SITU_MEMORY");
    }
    match &program.harness {
        Harness::Tests if is_whole(names) => {}
        Harness::Tests => {
            command.arg("--test-threads=1");
            // `--exact` also makes `--skip` match whole names.
            if !names.is_empty() || !program.left_out.is_empty() {
                command.arg("--exact").args(names);
            }
            if names.is_empty() {
                command.args(program.left_out.iter().flat_map(|name| ["--skip", name]));
            }
        }
        Harness::MergedDoctests => drop(command.env("RUST_TEST_THREADS", "1")),
        Harness::Doctest {
            number: Some(number),
            ..
        } => drop(command.env(ONE_DOCTEST, number.to_string())),
        Harness::Doctest { .. } => {}
    }
    let mut transcript = Transcript::default();
    let finished = process::stream_confined(&mut command, &place.scratch, limit, |piece, at| {
        transcript.read(piece, at);
        match (
            transcript.is_through,
            stop_at_failure && transcript.first_failed().is_some(),
        ) {
            (_, true) => Next::Stop,
            (true, _) => Next::Finish,
            _ => Next::Continue,
        }
    })?;
    Ok((finished, transcript))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_follows_the_tests_as_they_run() {
        let mut transcript = Transcript::default();
        let time = Duration::from_millis;
        transcript.read(
            "\nrunning 3 tests\ntest a::b ... ok\ntest c - should pa",
            time(1),
        );
        transcript.read(
            "nic ... ok\ntest d ... ignored, why\ntest e ... noise",
            time(2),
        );
        assert_eq!(transcript.running.as_deref(), Some("e"));
        transcript.read(" FAILED\n", time(3));
        let names: Vec<&str> = transcript
            .ended
            .iter()
            .map(|(name, ..)| name.as_str())
            .collect();
        assert_eq!(names, ["a::b", "c", "d", "e"]);
        assert_eq!(transcript.first_failed(), Some("e"));
        assert_eq!(
            (transcript.times()["c"], transcript.times()["e"]),
            (time(1), time(1))
        );
        transcript.read("test result: ok. 12 passed; 0 failed;\n", time(4));
        assert_eq!(transcript.passed, Some(12));
    }

    #[test]
    fn a_program_that_ends_before_all_announced_tests_have_an_outcome_is_not_complete() {
        let read = |text: &str| {
            let mut transcript = Transcript::default();
            transcript.read(text, Duration::ZERO);
            transcript
        };
        let all = "running 2 tests\ntest a   ... ok\ntest b ... ignored\n";
        let whole = read(&format!(
            "{all}test result: ok. 1 passed; 0 failed; 1 ignored\n"
        ));
        assert!(whole.is_complete() && whole.ended[0].0 == "a", "{whole:?}");
        assert!(!read(all).is_complete());
        assert!(!read("running 2 tests\ntest a ... ok\ntest b ... running 1 test\n").is_complete());
        assert!(
            !read("running 2 tests\ntest a ... ok\ntest result: ok. 1 passed; 0 failed\n")
                .is_complete()
        );
    }

    #[test]
    fn a_test_that_writes_without_end_is_followed_and_takes_bounded_time_and_memory() {
        let mut transcript = Transcript::default();
        let piece = "x".repeat(16 << 10);
        transcript.read("test loud ... ", Duration::ZERO);
        // If each chunk searched the whole line, this would take minutes.
        (0..8_000).for_each(|_| transcript.read(&piece, Duration::ZERO));
        assert_eq!(transcript.running.as_deref(), Some("loud"));
        assert!(transcript.lines.unfinished().len() < 1 << 20);
        transcript.read("ok\ntest result: ok. 1 passed\n", Duration::ZERO);
        assert_eq!((transcript.ended.len(), transcript.passed), (1, Some(1)));
    }
}
