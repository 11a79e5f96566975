//! The user's rustfmt, with the settings that hold for a file.

use super::layout::{Layout, layout_of_statement};
use crate::base::process;
use crate::source::parse;
use cargo_metadata::Edition;
use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use syn::{Expr, Item, Stmt};

/// How long rustfmt may take for one file.
const PATIENCE: Duration = Duration::from_secs(30);

/// How a file is written.
#[derive(Clone, Debug)]
pub struct Formatting {
    /// The edition of its package.
    pub edition: Edition,
    /// The folder that rustfmt looks for its settings from; without one, rustfmt is left alone.
    pub folder: Option<PathBuf>,
    /// Whether the file is the root of a crate.
    pub is_root: bool,
    /// Whether tests stand exactly as they are proposed, however long their lines are: for copies that only tools read.
    pub verbatim: bool,
}

impl Formatting {
    /// No rustfmt: lines as they are proposed.
    pub fn plain(edition: Edition) -> Formatting {
        Formatting {
            edition,
            folder: None,
            is_root: false,
            verbatim: false,
        }
    }

    /// The text as rustfmt writes it; nothing where rustfmt is missing or does not take the text.
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

    /// Each test as rustfmt writes it so many steps of indentation in; nothing where rustfmt is missing.
    pub fn formatted_tests(&self, tests: &[(&str, usize)]) -> Option<Vec<Layout>> {
        let wrapped = tests.iter().enumerate().map(|(number, (test, steps))| {
            // The function itself is one step.
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

/// Whether a formatted text still has everything of the original, in order. White space, commas and brackets around
/// a body are rustfmt's to set.
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
