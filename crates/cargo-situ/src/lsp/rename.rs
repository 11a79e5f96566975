//! Renaming of a local variable, in the code and in its tests.

use super::document::Document;
use super::place::{byte_at, uri_of};
use gen_lsp_types::{Position, Range, TextEdit, WorkspaceEdit};
use situ_engine::source::{SourceError, parse};
use situ_syntax::{NotRenamed, rename_variable, variable_at};
use std::collections::HashMap;
use std::path::Path;

/// Returns the range of the name at a position, if it can be renamed.
pub fn prepare(document: &Document, position: Position) -> Result<Range, NotRenamed> {
    let file = parse(&document.text).map_err(unreadable)?;
    let (bytes, _) = variable_at(&document.text, &file, byte_at(&document.text, position))?;
    Ok(document.range_of(bytes))
}

/// Returns the edits that rename the variable at a position.
pub fn rename(
    document: &Document,
    root: &Path,
    position: Position,
    name: &str,
) -> Result<WorkspaceEdit, NotRenamed> {
    let file = parse(&document.text).map_err(unreadable)?;
    let edits = rename_variable(
        &document.text,
        &file,
        byte_at(&document.text, position),
        name,
    )?;
    let edits = edits
        .into_iter()
        .map(|edit| TextEdit {
            range: document.range_of(edit.bytes),
            new_text: edit.text,
        })
        .collect();
    let changes = HashMap::from([(uri_of(&root.join(&document.path)), edits)]);
    Ok(WorkspaceEdit {
        changes: Some(changes),
        ..WorkspaceEdit::default()
    })
}

fn unreadable(error: SourceError) -> NotRenamed {
    NotRenamed::Unreadable(error.to_string())
}
