//! The list of subjects: tab-separated, with a header line.

use anyhow::{Context as _, Result, bail};
use std::fs;
use std::path::Path;

/// What a subject is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Run by its own tests.
    Library,
    /// Run by a workload.
    Application,
}

/// One published crate.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What it is.
    pub kind: Kind,
    /// Its name in the registry.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Whether it has tests of its own, as far as the list says.
    pub has_tests: bool,
}

/// Reads a list. The columns `kind`, `name` and `version` are found by the header, and `tests` where there is one; others
/// are of no concern here.
pub fn read_list(path: &Path) -> Result<Vec<Subject>> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let header: Vec<&str> = lines
        .next()
        .context("the list is empty")?
        .split('\t')
        .collect();
    let column = |name: &str| {
        header
            .iter()
            .position(|column| *column == name)
            .with_context(|| format!("the list has no column `{name}`"))
    };
    let (kind, name, version) = (column("kind")?, column("name")?, column("version")?);
    let tests = column("tests").ok();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let cell = |at: usize| {
                cells
                    .get(at)
                    .copied()
                    .with_context(|| format!("a cell is missing in: {line}"))
            };
            let kind = match cell(kind)? {
                "library" => Kind::Library,
                "application" => Kind::Application,
                other => bail!("`{other}` is neither library nor application"),
            };
            let has_tests = tests
                .and_then(|at| cells.get(at))
                .is_none_or(|count| count.trim() != "0");
            Ok(Subject {
                kind,
                name: cell(name)?.to_owned(),
                version: cell(version)?.to_owned(),
                has_tests,
            })
        })
        .collect()
}
