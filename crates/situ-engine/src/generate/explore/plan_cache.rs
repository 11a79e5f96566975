//! The parts of a crate's instrumentation that the compiler accepted, kept for the export.

use super::plan::Answers;
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What is known of a crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Settled {
    /// The generators of the crate.
    pub answers: Answers,
    /// The pieces that were rejected.
    pub rejected: BTreeSet<String>,
}

/// Stores them.
pub(super) fn write(
    folder: &Path,
    root: &Path,
    answers: Answers,
    rejected: &BTreeSet<String>,
) -> Result<()> {
    let path = place(folder, root);
    fs::create_dir_all(path.parent().unwrap_or(folder))
        .context("making the folder of what was settled")?;
    let first = format!(
        "arbitrary={} proptest={}",
        answers.arbitrary, answers.proptest
    );
    let lines: Vec<&str> = [first.as_str()]
        .into_iter()
        .chain(rejected.iter().map(String::as_str))
        .collect();
    fs::write(path, lines.join("\n")).context("noting what was settled")
}

/// Loads them for the crate with this root, or returns `None` if it could not be instrumented.
pub(super) fn read(folder: &Path, root: &Path) -> Option<Settled> {
    let text = fs::read_to_string(place(folder, root)).ok()?;
    let mut lines = text.lines();
    let first = lines.next()?;
    let answers = Answers {
        arbitrary: first.contains("arbitrary=true"),
        proptest: first.contains("proptest=true"),
    };
    Some(Settled {
        answers,
        rejected: lines.map(str::to_owned).collect(),
    })
}

fn place(folder: &Path, root: &Path) -> PathBuf {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let name = root.to_string_lossy().replace(['/', '\\', ':'], "+");
    folder.join("settled").join(name)
}

#[cfg(test)]
mod tests {
    use super::{Settled, read, write};
    use crate::generate::explore::plan::Answers;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn what_was_settled_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new("/no/such/src/lib.rs");
        assert_eq!(read(folder.path(), root), None);
        let answers = Answers {
            arbitrary: true,
            proptest: false,
        };
        let rejected = BTreeSet::from(["values of a::B".to_owned()]);
        write(folder.path(), root, answers, &rejected).unwrap();
        assert_eq!(
            read(folder.path(), root),
            Some(Settled { answers, rejected })
        );
    }
}
