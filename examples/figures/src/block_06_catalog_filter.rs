//! Block tests, Fig. 6: a closure deep in an iterator chain, called with arguments of the test's choice.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use situ::prelude::*;

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect()
}

/// The names of the folders that have folders in them.
#[situ]
pub fn catalog_names(files: &[PathBuf]) -> Vec<&OsStr> {
    closuretest!(
        "a package has folders",
        nth(2),
        args(&&PathBuf::from(env!("CARGO_MANIFEST_DIR"))),
        check_return(true),
    );
    closuretest!(
        "the folder of this file has none",
        nth(2),
        args(&&PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))),
        check_return(false),
    );
    files
        .iter()
        .filter(|file| file.is_dir())
        .filter(|catalog| {
            let schemas = folders_in(catalog);
            !schemas.is_empty()
        })
        .filter_map(|catalog| catalog.file_name())
        .collect()
}
