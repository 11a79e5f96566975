//! Result of a run, as plain data.

use super::diff::unified;
use super::inventory::Unreadable;
use super::judge::{Status, UnstableTest, Verdict};
use super::killing_call::Search;
use super::mutant::{FileMutants, Mutant, line_and_column};
use crate::base::shortened::differing_parts;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Maximum number of chars of an outcome in a line for people.
const MAX_SHOWN_OUTCOME: usize = 100;

/// Mutant with its verdict, as reports show it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Judged {
    /// The number of the mutant.
    #[serde(skip)]
    pub id: u32,
    /// Path relative to the workspace root.
    pub file: PathBuf,
    /// Line of the change, counted from one.
    pub line: usize,
    /// Column of the change, counted from one.
    pub column: usize,
    /// Operator that proposed the mutant.
    pub operator: String,
    /// Function that contains the mutant.
    pub function: Option<String>,
    pub original: String,
    pub replacement: String,
    /// Unified diff of the change.
    pub diff: String,
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Line and column of start and end of the replaced code.
    #[serde(skip)]
    pub extent: [(usize, usize); 2],
    /// What the search for a distinguishing input says, where there was one.
    #[serde(skip)]
    pub search: Option<Search>,
}

impl Judged {
    /// Describes a mutant with its verdict.
    pub fn new(file: &FileMutants, mutant: &Mutant, text: &str, verdict: Verdict) -> Judged {
        let range = &mutant.shown_range;
        Judged {
            id: mutant.id,
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
            search: None,
        }
    }

    /// The mutant as a line of JSON.
    pub fn line(&self) -> serde_json::Result<Value> {
        let mut line = serde_json::to_value(self)?;
        if let (Value::Object(line), Some(search)) = (&mut line, &self.search) {
            // `original` is what the original gives where a call shows the difference.
            if let Search::Killed(_) = search
                && let Some(replaced) = line.remove("original")
            {
                line.insert("replaced".to_owned(), replaced);
            }
            line.extend(search.keys());
        }
        Ok(line)
    }

    /// What the search says of the mutant, in a line for people.
    pub fn missed(&self) -> Option<String> {
        Some(match self.search.as_ref()? {
            Search::Killed(call) => {
                let (original, mutant) = differing_parts(
                    &call.original.shown(),
                    &call.mutated.shown(),
                    MAX_SHOWN_OUTCOME,
                );
                let call = &call.call;
                format!("your tests miss: {call}  original {original}, mutant {mutant}")
            }
            Search::ProbablyEquivalent { executions } => {
                format!(
                    "probably equivalent: {executions} executions reached it, and none differed"
                )
            }
            Search::Open { reason } => format!("no call found: {reason}"),
        })
    }

    /// Describes the change in one line.
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
            (true, _) => format!("insert `{}`", short(&self.replacement)),
            (_, true) => format!("remove `{}`", short(&self.original)),
            _ => format!(
                "`{}` becomes `{}`",
                short(&self.original),
                short(&self.replacement)
            ),
        }
    }
}

#[derive(Clone, Debug)]
pub struct TestName {
    /// Name in reports.
    pub name: String,
    /// Name of the program.
    pub program: String,
}

/// Result of `cargo situ mutants`.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Mutants that compile.
    pub mutants: Vec<Judged>,
    /// Files that cannot be read, so that their mutants are not known.
    pub unreadable: Vec<Unreadable>,
    /// Tests whose failures do not count.
    pub unstable_tests: Vec<UnstableTest>,
    /// Number of mutants that do not compile.
    pub not_compiling: usize,
    /// Number of mutants that cannot be switched at run time.
    pub not_tried: usize,
    /// Whether some of the mutants that cannot be switched belong to procedural macros.
    pub has_macros: bool,
    /// Duration in seconds.
    pub seconds: f64,
    /// Steps, with their durations in seconds.
    pub steps: Vec<(String, f64)>,
    /// Tests that were run with mutants.
    pub tests: Vec<TestName>,
    /// Whether all tests were selected, so that it is known which kinds of tests kill a mutant.
    pub has_all_tests: bool,
    /// Workspace root.
    pub root: PathBuf,
    /// Files that were searched for mutants.
    pub files: Vec<PathBuf>,
    /// How the mutants were built.
    pub build: Option<super::unit::Configuration>,
    /// Executions of the search for distinguishing inputs, where there was one.
    pub executions: Option<u64>,
    /// Functions that it could not call, counted by reason.
    pub not_callable: std::collections::BTreeMap<String, usize>,
}

impl Report {
    /// Returns the number of mutants with this status.
    pub fn count(&self, status: Status) -> usize {
        self.mutants
            .iter()
            .filter(|mutant| mutant.verdict.status == status)
            .count()
    }

    /// Returns the summary, with keys that scripts rely on.
    pub fn summary(&self) -> Value {
        let steps = self
            .steps
            .iter()
            .map(|(name, seconds)| (name.clone(), json!(seconds)));
        let mut summary = json!({
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
        });
        if let (Value::Object(summary), Some(executions)) = (&mut summary, self.executions) {
            let counts = self.search_counts();
            summary.insert("killable".to_owned(), json!(counts.killable));
            let equivalent = counts.probably_equivalent;
            summary.insert("probably_equivalent".to_owned(), json!(equivalent));
            summary.insert("open".to_owned(), json!(counts.open));
            summary.insert("executions".to_owned(), json!(executions));
            summary.insert("not_callable".to_owned(), json!(self.not_callable));
        }
        summary
    }

    /// Counts what the search for distinguishing inputs says of mutants.
    pub fn search_counts(&self) -> SearchCounts {
        let mut counts = SearchCounts::default();
        for search in self
            .mutants
            .iter()
            .filter_map(|mutant| mutant.search.as_ref())
        {
            match search {
                Search::Killed(_) => counts.killable += 1,
                Search::ProbablyEquivalent { .. } => counts.probably_equivalent += 1,
                Search::Open { .. } => counts.open += 1,
            }
        }
        counts
    }
}

/// How many mutants of each verdict a search has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// Those with a killing call.
    pub killable: usize,
    /// Those that many executions reached, and none differed.
    pub probably_equivalent: usize,
    /// Those of which nothing is known.
    pub open: usize,
}

fn unstable_test(test: &UnstableTest) -> Value {
    json!({ "test": test.name, "program": test.program, "why": test.why.to_string() })
}
