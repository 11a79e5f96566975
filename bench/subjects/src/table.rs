//! One table of all subjects, as Markdown that also reads well on a terminal.

use crate::verb::Row;
use std::fmt::Write as _;

/// A column: its title and how a row fills it.
pub struct Column {
    /// The title.
    pub title: String,
    /// The cell of a row that has a summary.
    pub cell: Box<dyn Fn(&Row) -> String>,
}

/// The table as text; a subject that failed is a row with its reason.
pub fn print_table(columns: &[Column], rows: &[Row]) -> String {
    let mut cells: Vec<Vec<String>> = vec![
        std::iter::once("subject".to_owned())
            .chain(titles(columns))
            .collect(),
    ];
    for row in rows {
        let mut line = vec![row.name.clone()];
        match &row.failure {
            Some(reason) => line.push(reason.clone()),
            None => line.extend(columns.iter().map(|column| (column.cell)(row))),
        }
        cells.push(line);
    }
    markdown(&cells)
}

/// Lines of cells as a table; the first line is its head. A shorter line does not widen the columns.
pub fn markdown(cells: &[Vec<String>]) -> String {
    let columns = cells.first().map_or(0, Vec::len);
    let width = |at: usize| {
        let whole = cells.iter().filter(|line| line.len() == columns);
        whole
            .filter_map(|line| line.get(at))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (number, line) in cells.iter().enumerate() {
        let padded: Vec<String> = line
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        let _ = writeln!(text, "| {} |", padded.join(" | "));
        if number == 0 {
            let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
            let _ = writeln!(text, "| {} |", rules.join(" | "));
        }
    }
    text
}

fn titles(columns: &[Column]) -> impl Iterator<Item = String> {
    columns.iter().map(|column| column.title.clone())
}
