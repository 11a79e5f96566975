//! One self-contained HTML page for every verb: a summary that can be filtered, the sources with tests and mutants in place, sets,
//! distributions and call trees drawn.

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
    /// What two groups of tests have in common.
    sets: Option<Sets>,
    /// How often each number or class occurs.
    distributions: Vec<Distribution>,
    /// Who called whom, with the numbers of the entries that belong to each.
    trees: Vec<Node>,
}

/// Two sets that overlap.
#[derive(Debug, Serialize)]
struct Sets {
    title: String,
    left: (String, usize),
    right: (String, usize),
    both: usize,
    neither: usize,
    /// Of how many it is not known where they belong.
    unknown: usize,
}

/// Bars: what they stand for, and how long they are.
#[derive(Debug, Serialize)]
struct Distribution {
    title: String,
    bars: Vec<(String, usize)>,
}

/// Things with more tests than this are one bar.
const MANY: usize = 5;

impl Distribution {
    /// How many there are of each number.
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
    /// A page whose numbers are counts, and how long it took.
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

    /// The whole page, which needs nothing else: no network, no other file.
    pub fn html(&self) -> serde_json::Result<String> {
        // In a script element only `</` could end the data early.
        let data = serde_json::to_string(self)?
            .replace("</", "<\\/")
            .replace("<!--", "<\\u0021--");
        // A browser reads line ends as line feeds before it compares hashes.
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
        // The data goes in last: it may hold anything, also the marks.
        Ok(page.replacen("{{data}}", &data, 1))
    }
}

/// A text that holds no markup.
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
