//! Hover text: what was recorded at the statement under the cursor.

use situ_engine::base::words::count;
use situ_engine::cargo::workspace::Workspace;
use situ_engine::record::read::{RecordedSite, Recording};
use situ_engine::record::show::{Row, table_with_calls};
use std::fmt::Write as _;

/// The maximum number of rows in a hover.
const ROWS: usize = 8;

/// Returns the Markdown of a hover, or `None` if no site has values.
pub fn text_of(
    sites: &[&RecordedSite],
    recording: &Recording,
    workspace: &Workspace,
) -> Option<String> {
    let mut text = String::new();
    for site in sites {
        let table = table_with_calls(site, recording, workspace);
        let _ = write!(
            text,
            "**recorded** · {}, {}\n\n```rust\n",
            count(table.hits, "hit"),
            count(table.sets, "value set")
        );
        table
            .rows
            .iter()
            .take(ROWS)
            .for_each(|row| row_into(&mut text, row));
        text.push_str("```\n");
        if table.rows.len() > ROWS {
            let _ = writeln!(text, "… and {} more", table.rows.len() - ROWS);
        }
    }
    (!text.is_empty()).then_some(text)
}

fn row_into(text: &mut String, row: &Row) {
    let times = if row.count > 1 {
        format!("  // ×{}", row.count)
    } else {
        String::new()
    };
    let _ = writeln!(
        text,
        "{} → {}{times}",
        row.inputs.join(", "),
        row.outputs.join(", ")
    );
}
