//! Findings of fuzzers: the files for each theory.

use super::export::target_name;
use super::theories::Theory;
use crate::base::user_error;
use anyhow::Result;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the files of each theory: those below a folder with the name of its target, or all if
/// only one theory is selected.
pub(super) fn files_for(paths: &[PathBuf], theories: &[Theory]) -> Result<Vec<Vec<PathBuf>>> {
    let mut all: Vec<Vec<PathBuf>> = theories.iter().map(|_| Vec::new()).collect();
    for file in files_of(paths)? {
        let full = file.canonicalize().unwrap_or_else(|_| file.clone());
        let is_below = |theory: &Theory| {
            let name = target_name(theory);
            full.parent().is_some_and(|folder| {
                folder
                    .components()
                    .any(|part| part.as_os_str() == name.as_str())
            })
        };
        let at = match theories.iter().position(is_below) {
            Some(at) => at,
            None if theories.len() == 1 => 0,
            None => {
                let names: Vec<String> = theories.iter().map(target_name).collect();
                let shown = file.display();
                let text = format!(
                    "{shown} lies in no folder with the name of a target ({}); name the one theory that it is for",
                    names.join(", ")
                );
                return Err(user_error::input(text));
            }
        };
        all[at].push(file);
    }
    Ok(all)
}

/// Returns all files of the paths, in the order of their names; what tools write beside inputs is
/// left out.
fn files_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.exists() {
            return Err(user_error::input(format!(
                "there is no {}; name a file that a fuzzer wrote, or a folder",
                path.display()
            )));
        }
        collect(path, &mut files);
    }
    files.sort();
    Ok(files)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let inside = fs::read_dir(path)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        inside.for_each(|path| collect(&path, files));
    } else if path
        .file_name()
        .is_some_and(|name| name != "README.txt" && !name.to_string_lossy().starts_with('.'))
    {
        files.push(path.to_path_buf());
    }
}

#[cfg(test)]
mod tests {
    use super::files_for;
    use crate::generate::explore::theories::Theory;
    use std::fs;

    fn theory(name: &str) -> Theory {
        Theory {
            name: name.to_owned(),
            module: vec!["tests".to_owned()],
            ..Theory::default()
        }
    }

    #[test]
    fn a_crash_belongs_to_the_target_whose_folder_it_is_in() {
        let folder = tempfile::tempdir().unwrap();
        let crash = |path: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "x").unwrap();
            path
        };
        let one = crash("artifacts/one/crash-1");
        let two = crash("out/two/default/crashes/id:0");
        crash("out/two/default/crashes/README.txt");
        let theories = [theory("one"), theory("two")];
        let found = files_for(&[folder.path().to_path_buf()], &theories).unwrap();
        assert_eq!(found, [vec![one.clone()], vec![two]]);
        let stray = crash("stray");
        assert!(files_for(std::slice::from_ref(&stray), &theories).is_err());
        assert_eq!(
            files_for(std::slice::from_ref(&stray), &theories[..1]).unwrap(),
            [vec![stray]]
        );
        assert!(files_for(&[folder.path().join("none")], &theories).is_err());
    }
}
