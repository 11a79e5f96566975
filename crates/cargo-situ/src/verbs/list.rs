//! `cargo situ list`: every test of the workspace, with its target.

use crate::arguments::Common;
use crate::exit::Exit;
use crate::output::print_line;
use crate::sources;
use anyhow::{Context as _, Result};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};
use situ_engine::base::words::count;
use situ_engine::programs::catalog::{Catalog, Kind, Listed};
use std::collections::BTreeMap;
use std::path::Path;

const EXAMPLE: &str = "Example:
  cargo situ list                 # a table of all tests in the sources
  cargo situ list --kind itest    # only tests of single statements
  cargo situ list --json          # for other programs";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
    /// Only tests of this kind: itest, blocktest, closuretest, theory or test; may be repeated
    #[arg(long = "kind", value_name = "KIND", value_parser = Kind::SELECTABLE.map(Kind::name))]
    kinds: Vec<String>,
    /// Only tests with this tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
}

pub fn run(options: &Options) -> Result<Exit> {
    let workspace = options.common.workspace()?;
    let catalog = Catalog::read(&workspace)?;
    let any = |wanted: &[String], is: &dyn Fn(&String) -> bool| {
        wanted.is_empty() || wanted.iter().any(is)
    };
    let tests = catalog.tests.iter().filter(|test| {
        any(&options.kinds, &|kind| test.kind.name() == kind)
            && any(&options.tags, &|tag| test.tags.contains(tag))
    });
    let tests: Vec<&Listed> = tests.collect();
    for (file, line, said) in &catalog.mistakes {
        eprintln!("warning: {}:{line}: {said}", file.display());
    }
    let unreadable = sources::name_unreadable(&workspace);
    if options.common.json {
        for test in &tests {
            print_line(&serde_json::to_string(test).context("writing a test")?);
        }
        print_line(&json!({ "verb": "list", "summary": summary(&tests) }).to_string());
    } else {
        table(&tests).iter().for_each(|line| print_line(line));
    }
    Ok(if catalog.mistakes.is_empty() && unreadable == 0 {
        Exit::Done
    } else {
        Exit::UserCode
    })
}

fn summary(tests: &[&Listed]) -> Value {
    let count = |kind: &str| tests.iter().filter(|test| test.kind.name() == kind).count();
    let mut summary: Map<String, Value> = Kind::SELECTABLE
        .iter()
        .map(|kind| (kind.name().to_owned(), json!(count(kind.name()))))
        .collect();
    summary.insert("tests".to_owned(), json!(tests.len()));
    let files = by_file(tests);
    let observed: usize = files.iter().map(|file| file.observed).sum();
    summary.insert("specified".to_owned(), json!(tests.len() - observed));
    summary.insert("observed".to_owned(), json!(observed));
    summary.insert("files".to_owned(), json!(files));
    Value::Object(summary)
}

/// The numbers of handwritten or edited tests and of generated tests in one file.
#[derive(Serialize)]
struct OfFile<'t> {
    file: &'t Path,
    specified: usize,
    observed: usize,
}

fn by_file<'t>(tests: &[&'t Listed]) -> Vec<OfFile<'t>> {
    let mut counts: BTreeMap<&Path, (usize, usize)> = BTreeMap::new();
    for test in tests {
        let (specified, observed) = counts.entry(&test.file).or_default();
        *(if test.observed { observed } else { specified }) += 1;
    }
    counts
        .into_iter()
        .map(|(file, (specified, observed))| OfFile {
            file,
            specified,
            observed,
        })
        .collect()
}

fn table(tests: &[&Listed]) -> Vec<String> {
    let place = |test: &Listed| format!("{}:{}", test.file.display(), test.line);
    let about = |test: &Listed| match test.first_line == test.last_line {
        true => test.first_line.to_string(),
        false => format!("{}–{}", test.first_line, test.last_line),
    };
    let mut rows = vec![["kind", "where", "about", "test", "tags"].map(str::to_owned)];
    rows.extend(tests.iter().map(|test| {
        [
            test.kind.name().to_owned(),
            place(test),
            about(test),
            test.name.clone(),
            test.tags.join(", "),
        ]
    }));
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2), width(3)];
    let mut lines: Vec<String> = Vec::new();
    for row in &rows {
        let cells = row.iter().zip(widths.iter().chain(&[0]));
        let line: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:width$}", width = *width))
            .collect();
        lines.push(line.join("  ").trim_end().to_owned());
    }
    let in_situ = tests.iter().filter(|test| test.kind.is_in_situ()).count();
    lines.push(String::new());
    let files = by_file(tests);
    if files.iter().any(|file| file.observed > 0) {
        lines.extend(files.iter().map(
            |OfFile {
                 file,
                 specified,
                 observed,
             }| {
                format!(
                    "{}: {specified} specified, {observed} observed",
                    file.display()
                )
            },
        ));
        lines.push(String::new());
    }
    lines.push(format!(
        "{}, {in_situ} of them in situ",
        count(tests.len(), "test")
    ));
    lines
}
