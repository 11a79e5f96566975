//! The job of this process, from a file that an environment variable names.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// The environment variable with the path of the job's file.
pub const VARIABLE: &str = "SITU_EXPLORE";

/// Returns whether this process explores theories instead of testing them.
pub fn is_asked() -> bool {
    env::var_os(VARIABLE).is_some() || super::fuzz::is_given()
}

/// The kind of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Search.
    Explore,
    /// Execute the tree in this file once; it may end the process.
    Once(PathBuf),
    /// Execute simpler trees than the one in this file, until one ends the process.
    Simplify(PathBuf),
    /// Execute a fuzzer's finding: the bytes in this file.
    Import(PathBuf),
}

/// The settings of an exploration.
#[derive(Clone, Debug)]
pub struct Job {
    /// What to do.
    pub mode: Mode,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The time limit of the search.
    pub time: Duration,
    /// The maximum number of executions.
    pub runs: u64,
    /// Whether to stop after as long without new coverage as the search has taken so far.
    pub until_covered: bool,
    /// Whether to report inputs that pass on new paths.
    pub passing: bool,
    /// The folder of inputs worth keeping.
    pub corpus: Option<PathBuf>,
    /// The file with constants of the source.
    pub dictionary: Option<PathBuf>,
    /// The file in which each input is noted before it is executed.
    pub journal: Option<PathBuf>,
    /// The file to which standard error is redirected.
    pub errors: Option<PathBuf>,
    /// The memory limit, in bytes.
    pub memory: Option<u64>,
    /// The file with recorded values to start from.
    pub recorded: Option<PathBuf>,
    /// The classes of known failures, which are not reported again.
    pub known: Vec<String>,
}

impl Job {
    /// Loads the job of this process.
    pub fn of_this_process() -> Job {
        let path = env::var_os(VARIABLE).unwrap_or_default();
        Job::parse(&fs::read_to_string(path).unwrap_or_default())
    }

    /// Returns the job of one of so many that run one after the other.
    pub fn share_of(mut self, shares: usize) -> Job {
        let shares = u32::try_from(shares).unwrap_or(u32::MAX).max(1);
        self.time /= shares;
        if self.runs != u64::MAX {
            self.runs = (self.runs / u64::from(shares)).max(1);
        }
        self
    }

    /// Parses lines `key value`.
    pub fn parse(text: &str) -> Job {
        let values = |key: &str| {
            let key = format!("{key} ");
            text.lines()
                .filter_map(move |line| line.strip_prefix(&key))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let value = |key: &str| values(key).into_iter().next();
        let number = |key: &str| value(key).and_then(|value| value.parse::<u64>().ok());
        let path = |key: &str| value(key).map(PathBuf::from);
        let mode = match (path("once"), path("simplify"), path("import")) {
            (Some(tree), _, _) => Mode::Once(tree),
            (_, Some(tree), _) => Mode::Simplify(tree),
            (_, _, Some(bytes)) => Mode::Import(bytes),
            _ => Mode::Explore,
        };
        Job {
            mode,
            seed: number("seed").unwrap_or(0),
            time: Duration::from_millis(number("time").unwrap_or(u64::MAX / 2)),
            runs: number("runs").unwrap_or(u64::MAX),
            until_covered: value("until-covered").is_some(),
            passing: value("passing").is_some(),
            corpus: path("corpus"),
            dictionary: path("dictionary"),
            recorded: path("recorded"),
            journal: path("journal"),
            errors: path("errors"),
            memory: number("memory"),
            known: values("known"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Job, Mode};
    use std::time::Duration;

    #[test]
    fn a_job_is_read_from_its_lines() {
        let job = Job::parse("seed 7\ntime 1500\nknown a|b c\nknown d\nuntil-covered yes\n");
        assert_eq!(
            (job.seed, job.time, job.runs),
            (7, Duration::from_millis(1_500), u64::MAX)
        );
        assert_eq!(
            (job.known.len(), job.until_covered, job.passing),
            (2, true, false)
        );
        assert_eq!(job.mode, Mode::Explore);
        assert_eq!(job.share_of(3).time, Duration::from_millis(500));
        assert_eq!(Job::parse("runs 7").share_of(2).runs, 3);
        assert_eq!(Job::parse("once /x/y z").mode, Mode::Once("/x/y z".into()));
        assert_eq!(Job::parse("import /x").mode, Mode::Import("/x".into()));
    }
}
