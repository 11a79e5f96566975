//! A mutant that a test kills, as a reader sees it.

use crate::mutate::diff::unified;
use crate::mutate::mutant::{FileMutants, Mutant};
use crate::mutate::report::Judged;
use serde::{Serialize, Serializer};
use std::fmt;
use std::path::PathBuf;

/// Characters of each side of a change that a reader is shown.
const MAX_SIDE: usize = 40;

/// A mutant that a test kills.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kill {
    /// The file, relative to the workspace.
    pub file: PathBuf,
    /// The line of the change.
    pub line: usize,
    /// The function that it stands in.
    pub function: Option<String>,
    /// What is replaced.
    pub original: String,
    /// What is put there.
    pub replacement: String,
    /// The lines of the change, each with `-`, `+` or a blank before it.
    pub diff: String,
}

impl Kill {
    /// A mutant of a file with this text, in which the mutant stands on another line than in the user's file where
    /// `line` says so.
    pub(crate) fn new(file: &FileMutants, mutant: &Mutant, text: &str, line: usize) -> Kill {
        Kill {
            file: file.path.clone(),
            line,
            function: mutant.function.map(|at| file.functions[at].name.clone()),
            original: text
                .get(mutant.shown_range.clone())
                .unwrap_or_default()
                .to_owned(),
            replacement: mutant.shown_text.clone(),
            diff: changed_lines(&unified(file, mutant, text)),
        }
    }

    /// A mutant that was judged by the whole suite.
    pub fn of_judged(judged: &Judged) -> Kill {
        Kill {
            file: judged.file.clone(),
            line: judged.line,
            function: judged.function.clone(),
            original: judged.original.clone(),
            replacement: judged.replacement.clone(),
            diff: changed_lines(&judged.diff),
        }
    }
}

/// A unified diff without its headers, whose line numbers may be those of a copy.
fn changed_lines(diff: &str) -> String {
    let lines = diff.lines().filter(|line| {
        !["---", "+++", "@@"]
            .iter()
            .any(|head| line.starts_with(head))
    });
    lines.map(|line| format!("{line}\n")).collect()
}

impl fmt::Display for Kill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} → {}", side(&self.original), side(&self.replacement))?;
        if let Some(function) = &self.function {
            write!(f, " in {function}")?;
        }
        write!(f, " ({}:{})", self.file.display(), self.line)
    }
}

impl Serialize for Kill {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn side(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return "nothing".to_owned();
    }
    match line.char_indices().nth(MAX_SIDE) {
        Some((at, _)) => format!("'{}…'", line[..at].trim_end()),
        None => format!("'{line}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kill_names_change_function_and_place() {
        let mut kill = Kill {
            file: "src/lib.rs".into(),
            line: 21,
            function: Some("size".to_owned()),
            original: "<".to_owned(),
            replacement: "<=".to_owned(),
            diff: String::new(),
        };
        assert_eq!(kill.to_string(), "'<' → '<=' in size (src/lib.rs:21)");
        assert_eq!(
            serde_json::to_string(&kill).unwrap(),
            "\"'<' → '<=' in size (src/lib.rs:21)\""
        );
        kill.replacement.clear();
        kill.function = None;
        assert_eq!(kill.to_string(), "'<' → nothing (src/lib.rs:21)");
        kill.original = "x\n".repeat(99);
        assert!(kill.to_string().contains("x…' → "), "{kill}");
    }
}
