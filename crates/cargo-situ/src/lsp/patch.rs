//! Conversion of a patch that the command printed into edits for the editor.

use super::place::{from_one, uri_of};
use gen_lsp_types::{Position, Range, TextEdit, Uri, WorkspaceEdit};
use std::collections::HashMap;
use std::path::Path;

/// Returns the edits of all files, or `None` if the input is no patch.
pub fn edits_of(patch: &str, root: &Path) -> Option<WorkspaceEdit> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    let mut file: Option<Uri> = None;
    let mut hunk: Option<Hunk> = None;
    for line in patch.split_inclusive('\n') {
        if let Some(open) = hunk.as_mut().filter(|hunk| !hunk.is_complete()) {
            open.line(line);
            if open.is_complete() {
                changes
                    .entry(file.clone()?)
                    .or_default()
                    .extend(hunk.take().map(|hunk| hunk.edit()));
            }
        } else if let Some(path) = line.strip_prefix("+++ ") {
            let path = path.trim_end();
            file = Some(uri_of(&root.join(path.strip_prefix("b/").unwrap_or(path))));
        } else if line.starts_with("@@ ") {
            hunk = Some(Hunk::start(line)?);
        }
    }
    (!changes.is_empty()).then(|| WorkspaceEdit {
        changes: Some(changes),
        ..WorkspaceEdit::default()
    })
}

struct Hunk {
    first: usize,
    old: usize,
    new: usize,
    /// The numbers of remaining lines of the old and of the new file.
    left: (usize, usize),
    text: String,
}

impl Hunk {
    /// Parses a hunk header such as `@@ -12,3 +12,7 @@`.
    fn start(line: &str) -> Option<Hunk> {
        let mut words = line.split(' ').skip(1);
        let (first, old) = numbers(words.next()?.strip_prefix('-')?)?;
        let (_, new) = numbers(words.next()?.strip_prefix('+')?)?;
        // A hunk without old lines has the number of the line before it.
        let first = if old == 0 { first + 1 } else { first };
        Some(Hunk {
            first,
            old,
            new,
            left: (old, new),
            text: String::new(),
        })
    }

    fn is_complete(&self) -> bool {
        self.left == (0, 0)
    }

    fn line(&mut self, line: &str) {
        match line.as_bytes().first() {
            Some(b'-') => self.left.0 = self.left.0.saturating_sub(1),
            Some(b'+') => {
                self.left.1 = self.left.1.saturating_sub(1);
                self.text.push_str(&line[1..]);
            }
            Some(b'\\') => {}
            _ => {
                self.left = (self.left.0.saturating_sub(1), self.left.1.saturating_sub(1));
                self.text.push_str(line.get(1..).unwrap_or("\n"));
            }
        }
    }

    fn edit(self) -> TextEdit {
        debug_assert!(
            self.text.lines().count() <= self.new,
            "no more lines than were told"
        );
        let start = Position::new(from_one(self.first), 0);
        let end = Position::new(from_one(self.first + self.old), 0);
        TextEdit {
            range: Range::new(start, end),
            new_text: self.text,
        }
    }
}

fn numbers(text: &str) -> Option<(usize, usize)> {
    match text.split_once(',') {
        Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hunk_is_an_edit_of_its_lines() {
        let patch = "--- a/src/a b.rs\n+++ b/src/a b.rs\n@@ -1,2 +1,3 @@\n+use situ::prelude::*;\n fn f() {\n-}\n+} //\n@@ -9 +10,2 @@\n x\n+y\n";
        let edit = edits_of(patch, Path::new("/w")).unwrap();
        let changes = edit.changes.unwrap();
        let edits = &changes[&Uri("file:///w/src/a%20b.rs".to_owned())];
        assert_eq!(edits.len(), 2);
        assert_eq!((edits[0].range.start.line, edits[0].range.end.line), (0, 2));
        assert_eq!(edits[0].new_text, "use situ::prelude::*;\nfn f() {\n} //\n");
        assert_eq!((edits[1].range.start.line, edits[1].range.end.line), (8, 9));
        assert!(edits_of("nothing to do\n", Path::new("/w")).is_none());
    }
}
