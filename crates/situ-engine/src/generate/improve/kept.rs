//! What an improvement found, kept so that writing it after a look costs nothing while nothing has changed.

use super::report::{Form, Improvement, Summary};
use crate::cargo::workspace::Workspace;
use crate::generate::worth::Kill;
use crate::source::read_crate;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;

/// What is found again.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept {
    key: u64,
    improvements: Vec<KeptImprovement>,
    summary: Summary,
}

#[derive(Serialize, Deserialize)]
struct KeptImprovement {
    file: String,
    line: usize,
    text: String,
    form: Form,
    kills: Vec<KeptKill>,
    why: String,
    splices: Vec<(usize, String)>,
}

#[derive(Serialize, Deserialize)]
struct KeptKill {
    file: PathBuf,
    line: usize,
    function: Option<String>,
    original: String,
    replacement: String,
    diff: String,
}

fn path(workspace: &Workspace) -> PathBuf {
    workspace.situ_folder().join("improve").join("found.json")
}

/// Identifies the sources and the question: anything that changes either gives another key.
pub(crate) fn key(workspace: &Workspace, question: &str) -> u64 {
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    for package in workspace.packages() {
        let manifest = package.manifest_path.as_std_path();
        texts.insert(
            manifest.to_path_buf(),
            fs::read_to_string(manifest).unwrap_or_default(),
        );
        for target in &package.targets {
            for file in read_crate(target.src_path.as_std_path()).files {
                texts.insert(file.path, file.text);
            }
        }
    }
    let mut hasher = DefaultHasher::new();
    (texts, question, env!("CARGO_PKG_VERSION")).hash(&mut hasher);
    hasher.finish()
}

/// Reads what was found with this key, if anything was.
pub(crate) fn read(workspace: &Workspace, key: u64) -> Option<(Vec<Improvement>, Summary)> {
    let text = fs::read_to_string(path(workspace)).ok()?;
    let kept: Kept = serde_json::from_str(&text).ok()?;
    let again = |one: KeptImprovement| Improvement {
        file: one.file,
        line: one.line,
        text: one.text,
        form: one.form,
        kills: one
            .kills
            .into_iter()
            .map(|kill| Kill {
                file: kill.file,
                line: kill.line,
                function: kill.function,
                original: kill.original,
                replacement: kill.replacement,
                diff: kill.diff,
            })
            .collect(),
        why: one.why,
        splices: one.splices,
    };
    (kept.key == key).then(|| {
        (
            kept.improvements.into_iter().map(again).collect(),
            kept.summary,
        )
    })
}

/// Writes down what was found.
pub(crate) fn write(
    workspace: &Workspace,
    key: u64,
    improvements: &[Improvement],
    summary: &Summary,
) -> Result<()> {
    let keep = |one: &Improvement| KeptImprovement {
        file: one.file.clone(),
        line: one.line,
        text: one.text.clone(),
        form: one.form,
        kills: one
            .kills
            .iter()
            .cloned()
            .map(|kill| KeptKill {
                file: kill.file,
                line: kill.line,
                function: kill.function,
                original: kill.original,
                replacement: kill.replacement,
                diff: kill.diff,
            })
            .collect(),
        why: one.why.clone(),
        splices: one.splices.clone(),
    };
    let kept = Kept {
        key,
        improvements: improvements.iter().map(keep).collect(),
        summary: summary.clone(),
    };
    let path = path(workspace);
    let folder = path
        .parent()
        .context("finding the folder of what is kept")?;
    fs::create_dir_all(folder).context("making the folder of what is kept")?;
    let text = serde_json::to_string(&kept).context("writing down what was found")?;
    fs::write(path, text).context("writing down what was found")
}
