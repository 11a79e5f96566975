//! Calls the user's rustfmt with the settings for a file.

use super::layout::{Layout, layout_of_statement};
use crate::base::process;
use crate::source::parse;
use cargo_metadata::Edition;
use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use syn::{Expr, Item, Stmt};

/// Time limit for one file.
const PATIENCE: Duration = Duration::from_secs(30);

/// How to format a file.
#[derive(Clone, Debug)]
pub struct Formatting {
    /// Edition of the file's package.
    pub edition: Edition,
    /// Folder from which rustfmt searches its settings; `None` disables rustfmt.
    pub folder: Option<PathBuf>,
    /// Whether the file is the root of a crate.
    pub is_root: bool,
    /// Whether to insert tests unchanged, however long their lines are; for copies that only tools
    /// read.
    pub verbatim: bool,
}

impl Formatting {
    /// Returns settings without rustfmt.
    pub fn plain(edition: Edition) -> Formatting {
        Formatting {
            edition,
            folder: None,
            is_root: false,
            verbatim: false,
        }
    }

    /// Formats `text` with rustfmt. Returns `None` if rustfmt is missing or rejects the text.
    pub fn formatted(&self, text: &str) -> Option<String> {
        let folder = self.folder.as_ref()?;
        let mut command = Command::new(env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into()));
        command
            .args(["--edition", self.edition.as_str()])
            .current_dir(folder);
        let unmarked = text.strip_prefix('\u{feff}').unwrap_or(text);
        let finished = process::run_with_input(&mut command, unmarked, Some(PATIENCE)).ok()?;
        let written = Some(finished.stdout).filter(|_| finished.status.success())?;
        let mark = &text[..text.len() - unmarked.len()];
        Some(format!(
            "{mark}{}",
            written.strip_prefix('\u{feff}').unwrap_or(&written)
        ))
    }

    /// Formats each test at its level of indentation. Returns `None` if rustfmt is missing.
    pub fn formatted_tests(&self, tests: &[(&str, usize)]) -> Option<Vec<Layout>> {
        let wrapped = tests.iter().enumerate().map(|(number, (test, steps))| {
            // The function itself is one level.
            let depth = steps.saturating_sub(1);
            format!(
                "fn f{number}() {{\n{}{test}\n{}}}\n",
                "{\n".repeat(depth),
                "}\n".repeat(depth)
            )
        });
        let text = self.formatted(&wrapped.collect::<String>())?;
        let file = parse(&text).ok()?;
        let layouts: Vec<Layout> = file
            .items
            .iter()
            .filter_map(|item| innermost(item, &text))
            .collect();
        (layouts.len() == tests.len()).then_some(layouts)
    }
}

fn innermost(item: &Item, text: &str) -> Option<Layout> {
    let Item::Fn(function) = item else {
        return None;
    };
    let mut statement = function.block.stmts.first()?;
    while let Stmt::Expr(Expr::Block(inner), _) = statement {
        statement = inner.block.stmts.first()?;
    }
    Some(layout_of_statement(text, statement))
}

/// Returns whether a formatted text still contains all chars of the original, in order. Ignores
/// whitespace, commas, semicolons and braces, which rustfmt may change.
pub(super) fn keeps(original: &str, composed: &str, formatted: &str) -> bool {
    let solid = |c: &char| !c.is_whitespace() && !matches!(c, ',' | '{' | '}' | ';');
    let mut there = formatted.chars().filter(solid);
    let in_order = original
        .chars()
        .filter(solid)
        .all(|wanted| there.any(|found| found == wanted));
    in_order && formatted.chars().filter(solid).count() == composed.chars().filter(solid).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formatted_text_keeps_the_original_or_is_refused() {
        let (original, composed) = ("a => b(1),\nc", "a => { t(2); b(1) },\nc");
        assert!(keeps(
            original,
            composed,
            "a => {\n    t(2);\n    b(1)\n}\nc"
        ));
        assert!(
            keeps(original, composed, "t(2);\na => b(1)\nc"),
            "what is new may move"
        );
        assert!(
            !keeps(original, composed, "a => {\n    t(2);\n    b()\n}\nc"),
            "something is gone"
        );
        assert!(
            !keeps(original, composed, "c\na => {\n    t(2);\n    b(1)\n}\n"),
            "something has moved"
        );
        assert!(
            !keeps(original, composed, "a => {\n    t(2);\n    b(1)\n}\nc d"),
            "something is new"
        );
    }
}
