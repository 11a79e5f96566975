//! Which of the mutants are wanted.

use super::mutant::{FileMutants, Mutant};
use crate::fault;
use crate::source::NamedPlace;
use anyhow::{Context as _, Result};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What a user asks for; everything where nothing is said.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    places: Vec<NamedPlace>,
    changed: Option<Vec<(PathBuf, BTreeSet<usize>)>>,
    reported: Option<BTreeSet<Reported>>,
    shard: Option<(usize, usize)>,
}

/// What an earlier report says of a mutant, as far as it tells it from others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Reported {
    file: PathBuf,
    line: usize,
    column: usize,
    operator: String,
    replacement: String,
}

impl Wanted {
    /// From `--in`, `--in-diff`, `--again` and `--shard`.
    pub fn new(places: &[String], diff: Option<&Path>, report: Option<&Path>, shard: Option<&str>) -> Result<Wanted> {
        let read = |path: &Path| {
            let text = fs::read_to_string(path);
            text.map_err(|error| fault::input(format!("cannot read {}: {error}", path.display())))
        };
        let changed = diff.map(read).transpose()?.map(|text| changed_lines(&text));
        // The last line of a report is its summary.
        let reported = report.map(read).transpose()?;
        let reported = reported.map(|text| text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect());
        let shard = shard.map(parse_shard).transpose()?;
        Ok(Wanted { places: places.iter().map(|place| NamedPlace::parse(place)).collect(), changed, reported, shard })
    }

    /// The mutants that are wanted, as pairs of file and mutant, in order.
    pub fn select<'a>(
        &self,
        files: &'a [FileMutants],
        exists: impl Fn(u32) -> bool,
    ) -> Result<Vec<(&'a FileMutants, &'a Mutant)>> {
        let all = files
            .iter()
            .flat_map(|file| file.mutants.iter().filter(|mutant| !mutant.is_copy).map(move |mutant| (file, mutant)));
        let named: Vec<_> = all.clone().filter(|(file, mutant)| self.is_named(file, mutant)).collect();
        if named.is_empty() && !self.places.is_empty() && all.clone().next().is_some() {
            let known = self.places.iter().all(|place| is_known(place, files));
            if !known {
                return Err(fault::input("`--in` names no file, line or function of the selected packages"));
            }
        }
        let mut selected: Vec<_> = named.into_iter().filter(|(_, mutant)| exists(mutant.id)).collect();
        selected.retain(|(file, mutant)| self.is_changed(file, mutant) && self.is_reported(file, mutant));
        if let Some((own, all)) = self.shard {
            let sharded = selected.into_iter().enumerate().filter(|(at, _)| at % all == own - 1);
            selected = sharded.map(|(_, mutant)| mutant).collect();
        }
        Ok(selected)
    }

    /// Whether mutants of this file could be wanted, as far as its path tells.
    pub fn may_be_in(&self, file: &Path) -> bool {
        let is_named = self.places.is_empty() || self.places.iter().any(|place| place.is_in(file, std::iter::empty()));
        let changed = self.changed.as_ref();
        let is_changed = changed.is_none_or(|changed| changed.iter().any(|(path, _)| path.ends_with(file)));
        is_named && is_changed && self.reported.is_none()
    }

    fn is_named(&self, file: &FileMutants, mutant: &Mutant) -> bool {
        self.places.is_empty() || self.places.iter().any(|place| holds(place, file, mutant))
    }

    fn is_changed(&self, file: &FileMutants, mutant: &Mutant) -> bool {
        let Some(changed) = &self.changed else { return true };
        // A diff's paths begin at the repository, which may hold the workspace in a folder.
        changed.iter().any(|(path, lines)| path.ends_with(&file.path) && lines.contains(&mutant.line))
    }

    fn is_reported(&self, file: &FileMutants, mutant: &Mutant) -> bool {
        let own = || Reported {
            file: file.path.clone(),
            line: mutant.line,
            column: mutant.column,
            operator: mutant.operator.clone(),
            replacement: mutant.shown_text.clone(),
        };
        self.reported.as_ref().is_none_or(|reported| reported.contains(&own()))
    }
}

fn holds(place: &NamedPlace, file: &FileMutants, mutant: &Mutant) -> bool {
    let function = mutant.function.map(|at| file.functions[at].name.as_str());
    place.holds(&file.path, &(mutant.line..=mutant.line), function)
}

fn is_known(place: &NamedPlace, files: &[FileMutants]) -> bool {
    files.iter().any(|file| place.is_in(&file.path, file.functions.iter().map(|function| function.name.as_str())))
}

fn parse_shard(text: &str) -> Result<(usize, usize)> {
    let parsed = text.split_once('/').and_then(|(own, all)| Some((own.parse().ok()?, all.parse().ok()?)));
    let shard: Option<(usize, usize)> = parsed.filter(|(own, all)| (1..=*all).contains(own));
    shard
        .ok_or_else(|| fault::input(format!("`--shard {text}`: say k/n with k from 1 to n, such as 1/4")))
        .context("reading the shard")
}

/// The lines that a unified diff adds or changes, by file.
fn changed_lines(diff: &str) -> Vec<(PathBuf, BTreeSet<usize>)> {
    let mut files: Vec<(PathBuf, BTreeSet<usize>)> = Vec::new();
    let mut line = 0;
    for text in diff.lines() {
        if let Some(path) = text.strip_prefix("+++ ") {
            let path = path.split('\t').next().unwrap_or(path);
            files.push((PathBuf::from(path.strip_prefix("b/").unwrap_or(path)), BTreeSet::new()));
        } else if let Some(hunk) = text.strip_prefix("@@ ") {
            let new = hunk.split(" +").nth(1).and_then(|rest| rest.split([',', ' ']).next());
            line = new.and_then(|number| number.parse().ok()).unwrap_or(0);
        } else if text.starts_with('+') {
            if let Some((_, lines)) = files.last_mut() {
                lines.insert(line);
            }
            line += 1;
        } else if text.starts_with('-') {
            // What stands where something was taken away has changed too.
            if let Some((_, lines)) = files.last_mut() {
                lines.insert(line);
            }
        } else if text.starts_with(' ') || text.is_empty() {
            line += 1;
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_gives_the_lines_of_the_new_file() {
        let diff = "--- a/src/x.rs\n+++ b/src/x.rs\n@@ -3,3 +3,4 @@ fn f\n one\n-two\n+zwei\n+drei\n four\n";
        assert_eq!(changed_lines(diff), [("src/x.rs".into(), BTreeSet::from([4, 5]))]);
    }

    #[test]
    fn a_shard_out_of_range_is_the_users_mistake() {
        assert!(parse_shard("2/4").is_ok());
        for wrong in ["0/4", "5/4", "x", "1"] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
    }
}
