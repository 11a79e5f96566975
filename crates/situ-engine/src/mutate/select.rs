//! Selects mutants.

use super::mutant::{FileMutants, Mutant};
use crate::base::user_error;
use crate::source::NamedPlace;
use anyhow::{Context as _, Result};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Mutants that the user selected; all if nothing is given.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    /// Places, as written and as parsed.
    pub places: Vec<(String, NamedPlace)>,
    pub diff: Option<Diff>,
    pub report: Option<EarlierReport>,
    shard: Option<(usize, usize)>,
}

/// Diff that the user passed with `--in-diff`.
#[derive(Clone, Debug)]
pub(super) struct Diff {
    pub path: PathBuf,
    /// Changed lines of each path, or `None` if the file is no diff.
    pub changed: Option<Vec<(PathBuf, BTreeSet<usize>)>>,
}

/// Report that the user passed with `--again`.
#[derive(Clone, Debug)]
pub(super) struct EarlierReport {
    pub path: PathBuf,
    /// Whether the file is not empty.
    pub has_lines: bool,
    mutants: BTreeSet<Reported>,
}

/// Fields of a reported mutant that identify it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Reported {
    file: PathBuf,
    line: usize,
    column: usize,
    operator: String,
    replacement: String,
}

impl Wanted {
    /// Parses `--in`, `--in-diff`, `--again` and `--shard`.
    pub(super) fn new(
        places: &[String],
        changed: Option<&Path>,
        reported: Option<&Path>,
        shard: Option<&str>,
    ) -> Result<Wanted> {
        let read = |path: &Path| {
            let text = fs::read_to_string(path);
            text.map_err(|error| {
                user_error::input(format!("cannot read {}: {error}", path.display()))
            })
        };
        let diff = |path: &Path| {
            anyhow::Ok(Diff {
                path: path.to_path_buf(),
                changed: changed_lines(&read(path)?),
            })
        };
        let report = |path: &Path| {
            let text = read(path)?;
            // The last line of a report is its summary.
            let mutants = text
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok())
                .collect();
            anyhow::Ok(EarlierReport {
                path: path.to_path_buf(),
                has_lines: !text.trim().is_empty(),
                mutants,
            })
        };
        Ok(Wanted {
            places: places
                .iter()
                .map(|place| (place.clone(), NamedPlace::parse(place)))
                .collect(),
            diff: changed.map(diff).transpose()?,
            report: reported.map(report).transpose()?,
            shard: shard.map(parse_shard).transpose()?,
        })
    }

    /// Returns the selected mutants with their files, in order.
    pub(super) fn select<'a>(
        &self,
        files: &'a [FileMutants],
        exists: impl Fn(u32) -> bool,
    ) -> Vec<(&'a FileMutants, &'a Mutant)> {
        let all = files.iter().flat_map(|file| {
            file.mutants
                .iter()
                .filter(|mutant| !mutant.is_copy)
                .map(move |mutant| (file, mutant))
        });
        let is_wanted = |(file, mutant): &(&FileMutants, &Mutant)| {
            exists(mutant.id)
                && self.is_named(file, mutant)
                && self.is_changed(file, mutant)
                && self.is_reported(file, mutant)
        };
        let selected = all.filter(is_wanted);
        match self.shard {
            Some((own, all)) => selected
                .enumerate()
                .filter(|(at, _)| at % all == own - 1)
                .map(|(_, mutant)| mutant)
                .collect(),
            None => selected.collect(),
        }
    }

    /// Returns whether mutants of this file could be selected, judged by its path.
    pub(super) fn may_be_in(&self, file: &Path) -> bool {
        let is_there = |(_, place): &(String, NamedPlace)| place.is_in(file, std::iter::empty());
        let is_named = self.places.is_empty() || self.places.iter().any(is_there);
        let is_changed = |diff: &Diff| {
            diff.changed
                .iter()
                .flatten()
                .any(|(path, _)| path.ends_with(file))
        };
        is_named && self.diff.as_ref().is_none_or(is_changed) && self.report.is_none()
    }

    /// Returns whether a mutant is in one of the places.
    pub(super) fn is_named(&self, file: &FileMutants, mutant: &Mutant) -> bool {
        self.places.is_empty()
            || self
                .places
                .iter()
                .any(|(_, place)| holds(place, file, mutant))
    }

    fn is_changed(&self, file: &FileMutants, mutant: &Mutant) -> bool {
        let Some(diff) = &self.diff else { return true };
        // Paths of a diff start at the repository, which may contain the workspace in a folder.
        let is_meant = |(path, lines): &(PathBuf, BTreeSet<usize>)| {
            path.ends_with(&file.path) && lines.contains(&mutant.line)
        };
        diff.changed.iter().flatten().any(is_meant)
    }

    /// Returns whether the earlier report contains a mutant.
    pub(super) fn is_reported(&self, file: &FileMutants, mutant: &Mutant) -> bool {
        let own = || Reported {
            file: file.path.clone(),
            line: mutant.line,
            column: mutant.column,
            operator: mutant.operator.clone(),
            replacement: mutant.shown_text.clone(),
        };
        self.report
            .as_ref()
            .is_none_or(|report| report.mutants.contains(&own()))
    }
}

fn holds(place: &NamedPlace, file: &FileMutants, mutant: &Mutant) -> bool {
    let function = mutant.function.map(|at| file.functions[at].name.as_str());
    place.holds(&file.path, &(mutant.line..=mutant.line), function)
}

fn parse_shard(text: &str) -> Result<(usize, usize)> {
    let parsed = text
        .split_once('/')
        .and_then(|(own, all)| Some((own.parse().ok()?, all.parse().ok()?)));
    let shard: Option<(usize, usize)> = parsed.filter(|(own, all)| (1..=*all).contains(own));
    shard
        .ok_or_else(|| {
            user_error::input(format!(
                "`--shard {text}`: write k/n with k from 1 to n, such as 1/4"
            ))
        })
        .context("reading the shard")
}

/// Returns the lines that a unified diff adds or changes, by file, or `None` if the text is no
/// diff.
fn changed_lines(diff: &str) -> Option<Vec<(PathBuf, BTreeSet<usize>)>> {
    let mut files: Vec<(PathBuf, BTreeSet<usize>)> = Vec::new();
    let mut line = 0;
    // A file that is only renamed, or that is binary, has no lines.
    let mut is_diff = diff.trim().is_empty() || diff.lines().any(|line| line.starts_with("diff "));
    for text in diff.lines() {
        if let Some(path) = text.strip_prefix("+++ ") {
            is_diff = true;
            let path = path.split('\t').next().unwrap_or(path);
            files.push((
                PathBuf::from(path.strip_prefix("b/").unwrap_or(path)),
                BTreeSet::new(),
            ));
        } else if let Some(hunk) = text.strip_prefix("@@ ") {
            let new = hunk
                .split(" +")
                .nth(1)
                .and_then(|rest| rest.split([',', ' ']).next());
            line = new.and_then(|number| number.parse().ok()).unwrap_or(0);
        } else if text.starts_with('+') {
            if let Some((_, lines)) = files.last_mut() {
                lines.insert(line);
            }
            line += 1;
        } else if text.starts_with('-') {
            // The line after removed lines counts as changed.
            if let Some((_, lines)) = files.last_mut() {
                lines.insert(line);
            }
        } else if text.starts_with(' ') || text.is_empty() {
            line += 1;
        }
    }
    files.retain(|(path, _)| path != Path::new("/dev/null"));
    is_diff.then_some(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_gives_the_lines_of_the_new_file() {
        let diff = "--- a/src/x.rs\n+++ b/src/x.rs\n@@ -3,3 +3,4 @@ fn f\n one\n-two\n+zwei\n+drei\n four\n";
        assert_eq!(
            changed_lines(diff),
            Some(vec![("src/x.rs".into(), BTreeSet::from([4, 5]))])
        );
    }

    #[test]
    fn a_diff_without_lines_is_told_from_what_is_none() {
        assert_eq!(
            changed_lines("--- a/x.rs\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone\n"),
            Some(Vec::new())
        );
        assert_eq!(
            changed_lines(
                "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n"
            ),
            Some(Vec::new())
        );
        assert_eq!(changed_lines("\n"), Some(Vec::new()));
        assert_eq!(changed_lines("fatal: bad revision 'man'\n"), None);
    }

    #[test]
    fn a_shard_out_of_range_is_the_users_mistake() {
        assert!(parse_shard("2/4").is_ok());
        for wrong in ["0/4", "5/4", "x", "1"] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
    }
}
