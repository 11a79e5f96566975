//! One self-contained HTML page for every verb: a summary with filters, the sources with tests and
//! mutants in place, and drawings of sets, distributions and call trees.

mod of_carve;
mod of_explore;
mod of_extract;
mod of_generalize;
mod of_mutants;
mod of_tests;
mod policy;

use crate::generate::carve::Node;
use policy::policy;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const FRAME: &str = include_str!("frame.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Contents of an HTML page.
#[derive(Debug, Default, Serialize)]
pub struct Page {
    /// Verb and packages.
    title: String,
    /// Labels and values of the summary.
    numbers: Vec<(String, String)>,
    /// One entry for each test or mutant.
    entries: Vec<Entry>,
    /// Sources of the entries, by path.
    sources: BTreeMap<String, String>,
    /// Overlap of two groups of tests.
    sets: Option<Sets>,
    distributions: Vec<Distribution>,
    /// Call trees, with the indices of the entries of each call.
    trees: Vec<Node>,
}

/// Two overlapping sets.
#[derive(Debug, Serialize)]
struct Sets {
    title: String,
    left: (String, usize),
    right: (String, usize),
    both: usize,
    neither: usize,
    /// Number of elements whose set is not known.
    unknown: usize,
}

/// Bar chart: label and length of each bar.
#[derive(Debug, Serialize)]
struct Distribution {
    title: String,
    bars: Vec<(String, usize)>,
}

/// Numbers from this one on share a bar.
const MANY: usize = 5;

impl Distribution {
    /// Counts how often each number occurs.
    fn of_numbers(title: &str, numbers: impl Iterator<Item = usize>) -> Distribution {
        let mut bars: Vec<(String, usize)> =
            (0..MANY).map(|number| (number.to_string(), 0)).collect();
        bars.push((format!("{MANY} or more"), 0));
        numbers.for_each(|number| bars[number.min(MANY)].1 += 1);
        Distribution {
            title: title.to_owned(),
            bars,
        }
    }
}

#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    /// Category to filter by: the kind of a test, the operator of a mutant.
    kind: String,
    /// `failed`, `passed`, `survived`, …
    outcome: String,
    /// Whether the entry needs attention.
    is_bad: bool,
    tags: Vec<String>,
    file: Option<String>,
    line: Option<usize>,
    /// First and last line of the code that the entry is about.
    about: Option<(usize, usize)>,
    /// Output of a test, or diff of a mutant.
    text: String,
}

impl Page {
    /// Creates a page whose summary consists of counts and the duration.
    fn counting(
        title: &str,
        counted: &[(&str, usize)],
        seconds: f64,
        entries: Vec<Entry>,
        root: &Path,
    ) -> Page {
        let counted = counted
            .iter()
            .map(|(name, count)| (*name, count.to_string()));
        let numbers: Vec<(&str, String)> = counted
            .chain([("seconds", format!("{seconds:.1}"))])
            .collect();
        Page::new(title, &numbers, entries, root)
    }

    fn new(title: &str, numbers: &[(&str, String)], entries: Vec<Entry>, root: &Path) -> Page {
        let files: BTreeSet<&String> = entries
            .iter()
            .filter_map(|entry| entry.file.as_ref())
            .collect();
        let sources = files
            .into_iter()
            .filter_map(|file| Some((file.clone(), fs::read_to_string(root.join(file)).ok()?)));
        let sources = sources.collect();
        let numbers = numbers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        Page {
            title: title.to_owned(),
            numbers,
            entries,
            sources,
            ..Page::default()
        }
    }

    /// Returns the whole page, which needs neither network nor other files.
    pub fn html(&self) -> serde_json::Result<String> {
        // In a script element only `</` could end the data early.
        let data = serde_json::to_string(self)?
            .replace("</", "<\\/")
            .replace("<!--", "<\\u0021--");
        // A browser converts line endings to line feeds before it computes hashes.
        let (style, script) = (STYLE.replace("\r\n", "\n"), SCRIPT.replace("\r\n", "\n"));
        let (policy, title) = (policy(&style, &script), escaped(&self.title));
        let frame = [
            ("{{policy}}", &policy),
            ("{{title}}", &title),
            ("{{style}}", &style),
            ("{{script}}", &script),
        ];
        let page = frame.iter().fold(FRAME.to_owned(), |page, (mark, text)| {
            page.replace(mark, text)
        });
        // The data is inserted last, because it may contain the other placeholders.
        Ok(page.replacen("{{data}}", &data, 1))
    }
}

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
        .replace('{', "&#123;")
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
