//! Waits for a change of the sources, and tells which tests it is about.

use super::catalog::{Catalog, Listed};
use crate::workspace::Workspace;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime};

const PAUSE: Duration = Duration::from_millis(300);

/// The sources as they were when somebody looked last.
pub struct Watch {
    catalog: Catalog,
    times: BTreeMap<PathBuf, Option<SystemTime>>,
}

impl Watch {
    /// Looks for the first time.
    pub fn start(workspace: &Workspace) -> Result<Watch> {
        let catalog = Catalog::read(workspace)?;
        let times = times(workspace, &catalog.files);
        Ok(Watch { catalog, times })
    }

    /// Waits until a file changes, and gives the names of the tests whose function is another than before.
    pub fn changed(&mut self, workspace: &Workspace) -> Result<Vec<String>> {
        loop {
            thread::sleep(PAUSE);
            if times(workspace, &self.catalog.files) == self.times {
                continue;
            }
            // A file that is just being written may not parse; the next change comes soon.
            let catalog = Catalog::read(workspace)?;
            self.times = times(workspace, &catalog.files);
            let names = different(&self.catalog.tests, &catalog.tests);
            self.catalog = catalog;
            return Ok(names);
        }
    }
}

fn times(workspace: &Workspace, files: &BTreeSet<PathBuf>) -> BTreeMap<PathBuf, Option<SystemTime>> {
    let time = |file: &PathBuf| fs::metadata(workspace.root().join(file)).and_then(|data| data.modified()).ok();
    files.iter().map(|file| (file.clone(), time(file))).collect()
}

/// The tests that are new, or whose function has another text.
fn different(before: &[Listed], now: &[Listed]) -> Vec<String> {
    let known: BTreeSet<(&str, &str, &str)> = before.iter().map(key).collect();
    now.iter().filter(|test| !known.contains(&key(test))).map(|test| test.name.clone()).collect()
}

fn key(test: &Listed) -> (&str, &str, &str) {
    (&test.target, &test.name, &test.function)
}
