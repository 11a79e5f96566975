//! Inventory: every mutant of the selected packages, with a number that stays the same as long as
//! its file does.

use super::constants::called_in_doctests;
use super::expansion::Addition;
use super::mutant::FileMutants;
use super::sites::{is_left_out, mutants_of};
use super::unit::reports_folder;
use super::walk::leaves_out;
use crate::cargo::workspace::{Workspace, is_tested};
use crate::source::{CrateSources, UnreadableFile, read_crate};
use anyhow::{Context as _, Result};
use cargo_metadata::TargetKind;
use serde::{Deserialize, Serialize};
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// All mutants by file, and the files of each crate.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Inventory {
    pub files: Vec<FileMutants>,
    /// Indices of each crate's files, by the crate's root file.
    pub crates: BTreeMap<PathBuf, Vec<usize>>,
    /// Hash that distinguishes builds with different additions, which cargo cannot see; 0 without
    /// any.
    pub additions: u64,
    /// Number that changes when mutants are renumbered, which cargo cannot see.
    pub generation: u64,
    /// Functions that doctests call in constants.
    pub called_in_constants: BTreeSet<String>,
    /// File that lists the requested ranges, if not all mutants are requested.
    pub asked: Option<PathBuf>,
    /// Files that cannot be read and may contain mutants.
    pub unreadable: Vec<Unreadable>,
}

/// File that cannot be read, so that its mutants are not known.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Unreadable {
    /// Path relative to the workspace root.
    #[serde(rename = "file")]
    pub path: PathBuf,
    /// Reason why the file cannot be read.
    pub why: String,
    /// Whether the file is the root of a crate.
    #[serde(skip)]
    pub is_root: bool,
}

/// Value of [`Inventory::additions`] if only row judges are added to tests.
pub const ONLY_JUDGES: u64 = 1;

/// Code to insert into files, by their path.
pub type Additions = BTreeMap<PathBuf, Vec<Addition>>;

/// Range of numbers that a file's mutants have.
#[derive(Serialize, Deserialize)]
struct Block {
    hash: u64,
    first: u32,
}

/// Numbers of mutants that were assigned so far.
#[derive(Serialize, Deserialize)]
struct Numbers {
    next: u32,
    /// Number that distinguishes renumbered mutants from earlier ones, which may be in programs
    /// that cargo considers up to date.
    #[serde(default)]
    generation: u64,
    files: BTreeMap<PathBuf, Block>,
}

/// Maximum number of a mutant. Beyond it numbering restarts, so that sums of numbers do not
/// overflow.
const MAX_NUMBER: u32 = u32::MAX / 4;

impl Numbers {
    fn new() -> Numbers {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Numbers {
            next: 1,
            generation: now.as_nanos() as u64,
            files: BTreeMap::new(),
        }
    }

    /// Reads the numbers of earlier runs. Returns new ones if they are lost or invalid, or if the
    /// reports of their builds are lost.
    fn read(memory: &Path) -> Numbers {
        let known = fs::read_to_string(memory)
            .ok()
            .and_then(|text| serde_json::from_str::<Numbers>(&text).ok());
        let has_reports = memory
            .parent()
            .is_some_and(|folder| reports_folder(folder).is_dir());
        let is_right = |numbers: &Numbers| {
            let blocks = numbers.files.values();
            (1..=MAX_NUMBER).contains(&numbers.next)
                && blocks.into_iter().all(|block| block.first <= numbers.next)
        };
        known
            .filter(|numbers| has_reports && is_right(numbers))
            .unwrap_or_else(Numbers::new)
    }

    fn write(&self, memory: &Path) -> Result<()> {
        let text = serde_json::to_string(self).context("writing down the mutants' numbers")?;
        fs::write(memory, text).context("writing down the mutants' numbers")
    }
}

impl Inventory {
    /// Takes an inventory of the selected packages. `memory` is a file that keeps the numbers
    /// between runs.
    pub fn take(workspace: &Workspace, memory: &Path) -> Result<Inventory> {
        Inventory::take_with(workspace, memory, &BTreeMap::new())
    }

    /// Takes an inventory of the selected packages with code inserted into files, by path relative
    /// to the workspace root.
    pub fn take_with(
        workspace: &Workspace,
        memory: &Path,
        additions: &Additions,
    ) -> Result<Inventory> {
        let mut numbers = Numbers::read(memory);
        if let Some(inventory) = Inventory::numbered(workspace, &mut numbers, additions)?
            .filter(Inventory::is_unambiguous)
        {
            numbers.write(memory)?;
            return Ok(inventory);
        }
        // The file of numbers was changed by somebody else.
        numbers = Numbers::new();
        let inventory = Inventory::numbered(workspace, &mut numbers, additions)?;
        numbers.write(memory)?;
        inventory.context("there are too many mutants")
    }

    /// Returns the inventory with these numbers, or `None` if they do not suffice.
    fn numbered(
        workspace: &Workspace,
        numbers: &mut Numbers,
        additions: &Additions,
    ) -> Result<Option<Inventory>> {
        let (additions_hash, generation) = (hash_of(additions), numbers.generation);
        let mut inventory = Inventory {
            additions: additions_hash,
            generation,
            ..Inventory::default()
        };
        for package in workspace.packages() {
            let targets = package.targets.iter().filter(|target| is_tested(target));
            for target in targets.filter(|target| !target.kind.contains(&TargetKind::Test)) {
                let before = inventory.files.len();
                inventory.add_crate(
                    target.src_path.as_std_path(),
                    workspace.root(),
                    numbers,
                    additions,
                )?;
                if target.kind.contains(&TargetKind::ProcMacro) {
                    inventory.files[before..]
                        .iter_mut()
                        .for_each(|file| file.in_macro = true);
                }
            }
        }
        Ok((numbers.next <= MAX_NUMBER).then_some(inventory))
    }

    /// Returns whether all mutants have different numbers.
    fn is_unambiguous(&self) -> bool {
        let mut seen = HashSet::new();
        self.files
            .iter()
            .flat_map(|file| &file.mutants)
            .all(|mutant| seen.insert(mutant.id))
    }

    /// Keeps only mutants inside these ranges of the user's files, including their copies in tests.
    /// Writes the ranges to a file, by which cargo sees that another selection needs another build.
    pub fn keep(
        &mut self,
        memory: &Path,
        inside: &BTreeMap<&Path, Vec<Range<usize>>>,
    ) -> Result<()> {
        let text = serde_json::to_string(inside).context("writing the requested ranges")?;
        if fs::read_to_string(memory).ok().as_ref() != Some(&text) {
            fs::write(memory, text).context("writing the requested ranges")?;
        }
        for FileMutants { path, mutants, .. } in &mut self.files {
            let ranges = inside.get(path.as_path()).map_or(&[][..], Vec::as_slice);
            mutants.retain(|mutant| ranges.iter().any(|range| mutant.stands_in(range)));
        }
        self.asked = Some(memory.to_path_buf());
        Ok(())
    }

    fn add_crate(
        &mut self,
        root: &Path,
        workspace: &Path,
        numbers: &mut Numbers,
        additions: &Additions,
    ) -> Result<()> {
        let CrateSources { files, unreadable } = read_crate(root);
        for UnreadableFile {
            path,
            error,
            conditions,
        } in unreadable
        {
            let (is_root, path) = (path == root, relative(&path, workspace));
            let is_known = self.unreadable.iter().any(|known| known.path == path);
            if !is_known && !conditions.iter().any(leaves_out) {
                let why = match error.place() {
                    (0, _) => error.to_string(),
                    (line, _) => format!("line {line}: {error}"),
                };
                self.unreadable.push(Unreadable { path, why, is_root });
            }
        }
        let mut indices = Vec::new();
        for file in files {
            let path = relative(&file.path, workspace);
            let known = self.files.iter().position(|known| known.path == path);
            // A file that is test code in one crate may be normal code in another.
            let is_more = known.is_some_and(|at| self.files[at].is_left_out) && !is_left_out(&file);
            if let Some(known) = known.filter(|_| !is_more) {
                indices.push(known);
                continue;
            }
            self.called_in_constants
                .extend(called_in_doctests(&file.tree));
            let mut hasher = DefaultHasher::new();
            file.text.hash(&mut hasher);
            let added = additions.get(&path).map_or(&[][..], Vec::as_slice);
            added
                .iter()
                .for_each(|addition| (addition.at, addition.code.to_string()).hash(&mut hasher));
            let hash = hasher.finish();
            let first = numbers
                .files
                .get(&path)
                .filter(|block| block.hash == hash)
                .map(|block| block.first);
            let is_new = first.is_none();
            let first = first.unwrap_or(numbers.next);
            let found = mutants_of(&file, path.clone(), first, added);
            // A skipped file needs no numbers, and may not be skipped the next time.
            if is_new && !found.is_left_out {
                numbers.next = found
                    .mutants
                    .iter()
                    .map(|mutant| mutant.id + 1)
                    .max()
                    .unwrap_or(first);
                numbers.files.insert(path, Block { hash, first });
            }
            match known {
                Some(at) => {
                    self.files[at] = found;
                    indices.push(at);
                }
                None => {
                    indices.push(self.files.len());
                    self.files.push(found);
                }
            }
        }
        self.crates.insert(relative(root, workspace), indices);
        Ok(())
    }
}

fn hash_of(additions: &Additions) -> u64 {
    if additions.is_empty() {
        return 0;
    }
    let mut hasher = DefaultHasher::new();
    for (path, added) in additions {
        path.hash(&mut hasher);
        added
            .iter()
            .for_each(|addition| (addition.at, addition.code.to_string()).hash(&mut hasher));
    }
    hasher.finish()
}

/// Returns a path as the compiler gets it: relative to the workspace if it is inside.
pub fn relative(path: &Path, workspace: &Path) -> PathBuf {
    path.strip_prefix(workspace).unwrap_or(path).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    #[test]
    fn numbers_that_are_none_begin_anew() {
        let folder = tempfile::tempdir().unwrap();
        let memory = folder.path().join("numbers.json");
        fs::create_dir(reports_folder(folder.path())).unwrap();
        let block =
            |first: u32| BTreeMap::from([(PathBuf::from("src/lib.rs"), Block { hash: 1, first })]);
        Numbers {
            next: 7,
            generation: 1,
            files: block(3),
        }
        .write(&memory)
        .unwrap();
        assert_eq!(Numbers::read(&memory).next, 7);
        for (next, first) in [(0, 0), (u32::MAX, 1), (7, u32::MAX), (7, 8)] {
            Numbers {
                next,
                generation: 1,
                files: block(first),
            }
            .write(&memory)
            .unwrap();
            let numbers = Numbers::read(&memory);
            assert_eq!(
                (numbers.next, numbers.files.len()),
                (1, 0),
                "{next} {first}"
            );
        }
        fs::write(&memory, "garbage").unwrap();
        assert_eq!(Numbers::read(&memory).next, 1);
    }

    #[test]
    fn two_mutants_with_one_number_are_seen() {
        let text = "fn f(a: u32) -> u32 { a + 7 }";
        let file = |name: &str, first: u32| {
            mutants_of(&SourceFile::root(text), PathBuf::from(name), first, &[])
        };
        let one = file("a.rs", 1);
        let next = one
            .mutants
            .iter()
            .map(|mutant| mutant.id + 1)
            .max()
            .unwrap();
        let both = |first: u32| Inventory {
            files: vec![one.clone(), file("b.rs", first)],
            ..Inventory::default()
        };
        assert!(both(next).is_unambiguous());
        assert!(!both(1).is_unambiguous() && !both(next - 1).is_unambiguous());
    }

    #[test]
    fn only_what_stands_in_the_given_bytes_is_kept_and_the_file_says_so() {
        let text = "fn f(a: u32) -> u32 {\n    let b = a + 7;\n    b * 2\n}\n";
        let path = PathBuf::from("src/lib.rs");
        let all = || Inventory {
            files: vec![mutants_of(&SourceFile::root(text), path.clone(), 1, &[])],
            ..Inventory::default()
        };
        let folder = tempfile::tempdir().unwrap();
        let memory = folder.path().join("asked.txt");
        let statement = text.find("let b").unwrap()..text.find("    b *").unwrap();
        let mut kept = all();
        kept.keep(
            &memory,
            &BTreeMap::from([(path.as_path(), vec![statement.clone()])]),
        )
        .unwrap();
        let shown = |inventory: &Inventory| -> Vec<Range<usize>> {
            inventory.files[0]
                .mutants
                .iter()
                .map(|mutant| mutant.shown_range.clone())
                .collect()
        };
        assert!(!shown(&kept).is_empty());
        assert!(
            shown(&kept)
                .iter()
                .all(|range| statement.contains(&range.start))
        );
        assert!(
            shown(&all())
                .iter()
                .any(|range| !statement.contains(&range.start))
        );
        assert_eq!(kept.asked.as_deref(), Some(memory.as_path()));
        let written = fs::metadata(&memory).unwrap().modified().unwrap();
        all()
            .keep(
                &memory,
                &BTreeMap::from([(path.as_path(), vec![statement])]),
            )
            .unwrap();
        assert_eq!(
            fs::metadata(&memory).unwrap().modified().unwrap(),
            written,
            "nothing else is asked for"
        );
        all().keep(&memory, &BTreeMap::new()).unwrap();
        assert_eq!(fs::read_to_string(&memory).unwrap(), "{}");
    }
}
