//! The columns of the table, and the bars that carving is held to.

use bench_subjects::{Column, Row};
use serde_json::Value;
use std::fmt::Write as _;

fn number(row: &Row, path: &str) -> f64 {
    let summary = row.summary.as_ref().unwrap_or(&Value::Null);
    path.split('.')
        .fold(summary, |value, key| &value[key])
        .as_f64()
        .unwrap_or(0.0)
}

fn share(part: f64, whole: f64) -> String {
    if whole == 0.0 {
        "–".to_owned()
    } else {
        format!("{:.1} %", 100.0 * part / whole)
    }
}

/// How many times as long as without recording.
fn times(recorded: f64, plain: f64) -> String {
    if plain > 0.0 {
        format!(" ({:.1} ×)", recorded / plain)
    } else {
        String::new()
    }
}

fn column(title: &str, cell: impl Fn(&Row) -> String + 'static) -> Column {
    Column {
        title: title.to_owned(),
        cell: Box::new(cell),
    }
}

/// The columns of the table.
pub fn columns() -> Vec<Column> {
    let count = |key: &'static str| move |row: &Row| format!("{:.0}", number(row, key));
    vec![
        column("functions", count("functions_seen")),
        column("distinct calls", count("calls")),
        column("can be rebuilt", count("rebuildable")),
        column("shown of these", |row| {
            share(number(row, "rebuildable_shown"), number(row, "rebuildable"))
        }),
        column("tests of paths", count("by_path.shown")),
        column("with mocks", count("by_path.with_mocks")),
        column("with doubles", count("by_path.with_doubles")),
        column("branches", |row| {
            share(
                number(row, "by_path.branches_taken"),
                number(row, "by_path.branches"),
            )
        }),
        column("pass", |row| {
            share(
                number(row, "passed"),
                number(row, "passed") + number(row, "failed"),
            )
        }),
        column("bytes a test", |row| {
            format!(
                "{:.0}",
                number(row, "by_path.test_bytes") / number(row, "by_path.shown").max(1.0)
            )
        }),
        column("recording", |row| {
            format!("{:.0} kB", number(row, "recording_bytes") / 1000.0)
        }),
        column("run, recorded", |row| {
            let (plain, recorded) = (number(row, "plain_seconds"), number(row, "command_seconds"));
            format!("{recorded:.2} s{}", times(recorded, plain))
        }),
        column("processor", |row| {
            let (plain, recorded) = (
                number(row, "plain_processor_seconds"),
                number(row, "command_processor_seconds"),
            );
            format!("{recorded:.2} s{}", times(recorded, plain))
        }),
        column("s", |row| format!("{:.0}", row.seconds)),
    ]
}

/// Each bar with what was reached, pooled over all subjects.
pub fn bars(rows: &[Row]) -> String {
    let sum = |key: &str| rows.iter().map(|row| number(row, key)).sum::<f64>();
    let mut text = String::new();
    let shown = share(sum("rebuildable_shown"), sum("rebuildable"));
    let _ = writeln!(
        text,
        "- calls shown, of those whose values can be rebuilt: {shown}; the bar is 95 %"
    );
    let more = sum("command_seconds") - sum("plain_seconds");
    let _ = writeln!(
        text,
        "- the workloads take {more:.1} s more while they are recorded, all together"
    );
    let passed = share(sum("passed"), sum("passed") + sum("failed"));
    let _ = writeln!(
        text,
        "- tests that pass under plain `cargo test`, of those shown: {passed}; the bar is 100 %"
    );
    text
}
