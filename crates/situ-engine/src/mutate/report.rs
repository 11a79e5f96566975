//! What a run found out, as plain data.

use super::diff::unified;
use super::inventory::Unreadable;
use super::judge::{Status, UnstableTest, Verdict};
use super::mutant::{FileMutants, Mutant, line_and_column};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A judged mutant.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Judged {
    /// The file, relative to the workspace.
    pub file: PathBuf,
    /// The line of the change.
    pub line: usize,
    /// The column of the change.
    pub column: usize,
    /// The operator that made it.
    pub operator: String,
    /// The function that it stands in.
    pub function: Option<String>,
    /// What was replaced.
    pub original: String,
    /// What was put there.
    pub replacement: String,
    /// The change as a unified diff.
    pub diff: String,
    /// What became of it, and why.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Line and column of the start and the end of what is replaced.
    #[serde(skip)]
    pub extent: [(usize, usize); 2],
}

impl Judged {
    /// A mutant with its verdict.
    pub fn new(file: &FileMutants, mutant: &Mutant, text: &str, verdict: Verdict) -> Judged {
        let range = &mutant.shown_range;
        Judged {
            file: file.path.clone(),
            line: mutant.line,
            column: mutant.column,
            operator: mutant.operator.clone(),
            function: mutant.function.map(|at| file.functions[at].name.clone()),
            original: text[range.clone()].to_owned(),
            replacement: mutant.shown_text.clone(),
            diff: unified(file, mutant, text),
            verdict,
            extent: [
                line_and_column(text, range.start),
                line_and_column(text, range.end),
            ],
        }
    }

    /// One line that says what the change is.
    pub fn headline(&self) -> String {
        let short = |text: &str| {
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            match line.char_indices().nth(60) {
                Some((at, _)) => format!("{}…", &line[..at]),
                None => line,
            }
        };
        match (
            self.original.trim().is_empty(),
            self.replacement.trim().is_empty(),
        ) {
            (true, _) => format!("put in `{}`", short(&self.replacement)),
            (_, true) => format!("leave out `{}`", short(&self.original)),
            _ => format!(
                "`{}` becomes `{}`",
                short(&self.original),
                short(&self.replacement)
            ),
        }
    }
}

/// A test.
#[derive(Clone, Debug)]
pub struct TestName {
    /// What it is called in reports.
    pub name: String,
    /// The program that it is in.
    pub program: String,
}

/// What a run found out.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The mutants that compile.
    pub mutants: Vec<Judged>,
    /// Files with code to change that cannot be read, so that nobody knows their mutants.
    pub unreadable: Vec<Unreadable>,
    /// The tests whose failures do not count.
    pub unstable_tests: Vec<UnstableTest>,
    /// How many do not compile.
    pub not_compiling: usize,
    /// How many cannot be switched.
    pub not_tried: usize,
    /// Whether some of these belong to procedural macros.
    pub has_macros: bool,
    /// How long everything took.
    pub seconds: f64,
    /// The steps, with the seconds that each took.
    pub steps: Vec<(String, f64)>,
    /// The tests that mutants met.
    pub tests: Vec<TestName>,
    /// Whether every test was asked for, so that it is known which kinds of tests kill a mutant.
    pub has_all_tests: bool,
    /// The workspace.
    pub root: PathBuf,
    /// The files that were looked at.
    pub files: Vec<PathBuf>,
}

impl Report {
    /// How many mutants have this status.
    pub fn count(&self, status: Status) -> usize {
        self.mutants
            .iter()
            .filter(|mutant| mutant.verdict.status == status)
            .count()
    }

    /// The summary, with the keys that scripts rely on.
    pub fn summary(&self) -> Value {
        let steps = self
            .steps
            .iter()
            .map(|(name, seconds)| (name.clone(), json!(seconds)));
        json!({
            "mutants": self.mutants.len(),
            "killed": self.count(Status::Killed),
            "survived": self.count(Status::Survived),
            "timed_out": self.count(Status::TimedOut),
            "unreached": self.count(Status::Unreached),
            "not_compiling": self.not_compiling,
            "not_tried": self.not_tried,
            "unstable": self.mutants.iter().filter(|mutant| mutant.verdict.is_unstable).count(),
            "unreadable": self.unreadable,
            "unstable_tests": self.unstable_tests.iter().map(unstable_test).collect::<Vec<_>>(),
            "seconds": self.seconds,
            "steps": steps.collect::<serde_json::Map<_, _>>(),
        })
    }
}

fn unstable_test(test: &UnstableTest) -> Value {
    json!({ "test": test.name, "program": test.program, "why": test.why.to_string() })
}
