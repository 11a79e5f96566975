//! One self-contained HTML page: a summary that can be filtered, and the sources with tests and mutants in place.

use super::event::{Ended, Outcome};
use super::run::Report;
use crate::mutate::report::Judged;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const FRAME: &str = include_str!("page/frame.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// What a page shows.
#[derive(Debug, Default, Serialize)]
pub struct Page {
    /// What it is about: the verb and the packages.
    title: String,
    /// The numbers: what they count, and how many.
    numbers: Vec<(String, String)>,
    /// One entry for each test or mutant.
    entries: Vec<Entry>,
    /// The sources that the entries stand in.
    sources: BTreeMap<String, String>,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    /// What can be chosen by: the kind of a test, the operator of a mutant.
    kind: String,
    /// `failed`, `passed`, `survived`, …
    outcome: String,
    /// Whether somebody should look at it.
    is_bad: bool,
    tags: Vec<String>,
    file: Option<String>,
    line: Option<usize>,
    /// First and last line of what it is about.
    about: Option<(usize, usize)>,
    /// Output of a test, difference of a mutant.
    text: String,
}

impl Page {
    /// The page of a test run.
    pub fn of_tests(root: &Path, report: &Report) -> Page {
        let summary = &report.summary;
        let numbers = [
            ("tests", summary.tests.to_string()),
            ("passed", summary.passed.to_string()),
            ("failed", summary.failed.to_string()),
            ("ignored", summary.ignored.to_string()),
            ("in situ", summary.in_situ.to_string()),
            ("seconds", format!("{:.1}", summary.seconds)),
        ];
        Page::new("cargo situ test", &numbers, report.tests.iter().map(of_test).collect(), root)
    }

    /// The page of a run of mutants.
    pub fn of_mutants(root: &Path, mutants: &[Judged], numbers: &[(&str, String)]) -> Page {
        Page::new("cargo situ mutants", numbers, mutants.iter().map(of_mutant).collect(), root)
    }

    fn new(title: &str, numbers: &[(&str, String)], entries: Vec<Entry>, root: &Path) -> Page {
        let files: BTreeSet<&String> = entries.iter().filter_map(|entry| entry.file.as_ref()).collect();
        let sources =
            files.into_iter().filter_map(|file| Some((file.clone(), fs::read_to_string(root.join(file)).ok()?)));
        let sources = sources.collect();
        let numbers = numbers.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Page { title: title.to_owned(), numbers, entries, sources }
    }

    /// The whole page, which needs nothing else: no network, no other file.
    pub fn html(&self) -> serde_json::Result<String> {
        // In a script element only `</` could end the data early.
        let data = serde_json::to_string(self)?.replace("</", "<\\/").replace("<!--", "<\\u0021--");
        let frame = [("{{title}}", self.title.as_str()), ("{{style}}", STYLE), ("{{script}}", SCRIPT)];
        let page = frame.iter().fold(FRAME.to_owned(), |page, (mark, text)| page.replace(mark, text));
        // The data goes in last: it may hold anything, also the marks.
        Ok(page.replacen("{{data}}", &data, 1))
    }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn of_test(test: &Ended) -> Entry {
    let outcome = match test.outcome {
        Outcome::Failed => "failed",
        Outcome::Passed => "passed",
        Outcome::Ignored => "ignored",
    };
    let often = match (test.failures, test.runs) {
        (failures @ 1.., runs @ 2..) => format!("failed {failures} of {runs} times\n"),
        _ => String::new(),
    };
    Entry {
        name: test.name.clone(),
        kind: test.kind.name().to_owned(),
        outcome: outcome.to_owned(),
        is_bad: test.outcome == Outcome::Failed,
        tags: test.tags.clone(),
        file: test.file.as_deref().map(shown),
        line: test.line,
        about: test.about,
        text: often + &test.output,
    }
}

fn of_mutant(mutant: &Judged) -> Entry {
    let status = serde_json::to_value(mutant.verdict.status).ok();
    let outcome = status.as_ref().and_then(|status| status.as_str()).unwrap_or_default().to_owned();
    let file: PathBuf = mutant.file.clone();
    Entry {
        name: mutant.function.clone().unwrap_or_else(|| shown(&file)),
        kind: mutant.operator.to_string(),
        is_bad: matches!(outcome.as_str(), "survived" | "unreached"),
        outcome,
        tags: Vec::new(),
        file: Some(shown(&file)),
        line: Some(mutant.line),
        about: None,
        text: mutant.diff.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_whole_whatever_the_sources_hold() {
        let mut page = Page { title: "t".to_owned(), ..Page::default() };
        let hostile = "let x = \"</script><!-- {{style}} {{data}}\";";
        page.sources.insert("src/a.rs".to_owned(), hostile.to_owned());
        let html = page.html().unwrap();
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(html.contains("<\\/script>") && !html.contains("<!-- {{"));
        assert_eq!(html.matches("{{").count(), 2, "only those of the source are left");
        assert!(html.trim_end().ends_with("</html>"));
        assert!(!html.contains("http://") && !html.contains("https://"), "needs nothing from outside");
    }
}
