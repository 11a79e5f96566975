//! Asks clippy about the new tests of a subject.

use crate::repeat::own_cargo;
use anyhow::{Context as _, Result};
use serde_json::Value;
use situ_engine::base::process;
use situ_engine::source::{byte_range, parse};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;
use syn::Item;

/// Lint → how often it is told of the new tests. What is told of the user's own tests in the same file too comes from these.
pub fn of_new_tests(folder: &Path, limit: Duration) -> Result<BTreeMap<String, usize>> {
    let mut command = own_cargo(folder);
    command.args([
        "clippy",
        "--tests",
        "--message-format=json",
        "--",
        "-Wclippy::all",
    ]);
    let finished = process::run(&mut command, Some(limit)).context("running clippy")?;
    let (mut told, mut told_before) = (BTreeSet::new(), BTreeSet::new());
    for message in finished
        .stdout
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
    {
        let Some(lint) = message["message"]["code"]["code"].as_str() else {
            continue;
        };
        let spans = message["message"]["spans"].as_array().into_iter().flatten();
        for span in spans.filter(|span| span["is_primary"] == true) {
            let Some(file) = span["file_name"].as_str() else {
                continue;
            };
            let start = span["byte_start"].as_u64().unwrap_or(0) as usize;
            let is_new = new_tests(&folder.join(file))
                .iter()
                .any(|range| range.contains(&start));
            // A library is looked at twice, with its tests and without.
            let _ = match is_new {
                true => told.insert((lint.to_owned(), file.to_owned(), start)),
                false => told_before.insert((lint.to_owned(), file.to_owned())),
            };
        }
    }
    let mut lints = BTreeMap::new();
    for (lint, ..) in told
        .into_iter()
        .filter(|(lint, file, _)| !told_before.contains(&(lint.clone(), file.clone())))
    {
        *lints.entry(lint).or_default() += 1;
    }
    Ok(lints)
}

/// Where the tests stand that are written with the attributes of generated ones.
fn new_tests(file: &Path) -> Vec<Range<usize>> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut ranges = Vec::new();
    if let Ok(tree) = parse(&text) {
        find(&tree.items, &mut ranges);
    }
    ranges
}

fn find(items: &[Item], ranges: &mut Vec<Range<usize>>) {
    for item in items {
        match item {
            Item::Fn(function) => {
                let is_new = function.attrs.iter().any(|attribute| {
                    let path: Vec<String> = attribute
                        .path()
                        .segments
                        .iter()
                        .map(|segment| segment.ident.to_string())
                        .collect();
                    path == ["rstest", "rstest"]
                        || path.first().is_some_and(|first| first == "situ")
                });
                ranges.extend(is_new.then(|| byte_range(item)));
            }
            Item::Mod(inner) => find(
                inner.content.as_ref().map_or(&[], |(_, items)| items),
                ranges,
            ),
            _ => {}
        }
    }
}
