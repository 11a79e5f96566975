//! The columns of the table, and the bars that the recorder is held to.

use bench_subjects::{Column, Row};
use std::fmt::Write as _;

/// A number of a row's summary.
fn number(row: &Row, key: &str) -> f64 {
    row.summary
        .as_ref()
        .and_then(|summary| summary[key].as_f64())
        .unwrap_or(0.0)
}

fn share(part: f64, whole: f64) -> String {
    if whole == 0.0 {
        "–".to_owned()
    } else {
        format!("{:.1} %", 100.0 * part / whole)
    }
}

fn column(title: &str, cell: impl Fn(&Row) -> String + 'static) -> Column {
    Column {
        title: title.to_owned(),
        cell: Box::new(cell),
    }
}

/// Value sets that could be exact: without those that are opaque by nature.
fn possible(row: &Row) -> f64 {
    number(row, "value_sets") - number(row, "sets_opaque_by_nature")
}

/// The columns of the table.
pub fn columns() -> Vec<Column> {
    let count = |key: &'static str| move |row: &Row| format!("{:.0}", number(row, key));
    let pair = |one: &'static str, two: &'static str| {
        move |row: &Row| format!("{:.1} → {:.1}", number(row, one), number(row, two))
    };
    vec![
        column("found", count("statements_found")),
        column("reached", count("statements_reached")),
        column("probes", count("probes")),
        column("complete", |row| {
            share(number(row, "probes_complete"), number(row, "probes"))
        }),
        column("value sets", count("value_sets")),
        column("exact", |row| {
            share(number(row, "exact_sets"), possible(row))
        }),
        column("exact a statement", |row| {
            share(
                number(row, "statements_exact"),
                number(row, "statements_with_values"),
            )
        }),
        column("values rebuilt", |row| {
            share(number(row, "values_rebuilt"), number(row, "values_tried"))
        }),
        column("differences", count("outcome_differences")),
        column("run s", pair("plain_seconds", "recording_seconds")),
        column(
            "build s",
            pair("plain_build_seconds", "recording_build_seconds"),
        ),
        column(
            "processor s, run",
            pair("plain_processor_seconds", "recording_processor_seconds"),
        ),
        column(
            "processor s, build",
            pair(
                "plain_build_processor_seconds",
                "recording_build_processor_seconds",
            ),
        ),
        column("kB", |row| format!("{:.0}", number(row, "bytes") / 1000.0)),
    ]
}

/// Is recording at most twice the plain run, or a second more?
fn is_fast(row: &Row) -> bool {
    let (plain, recording) = (
        number(row, "plain_seconds"),
        number(row, "recording_seconds"),
    );
    recording <= (2.0 * plain).max(plain + 1.0)
}

/// Each bar with what was reached, pooled over all subjects, and the subjects that miss it.
pub fn bars(rows: &[Row]) -> String {
    let measured: Vec<&Row> = rows.iter().filter(|row| row.summary.is_some()).collect();
    let sum = |key: &str| measured.iter().map(|row| number(row, key)).sum::<f64>();
    let missing = |misses: &dyn Fn(&Row) -> bool| {
        let names: Vec<&str> = measured
            .iter()
            .filter(|row| misses(row))
            .map(|row| row.name.as_str())
            .collect();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        }
    };
    let exact_below =
        |row: &Row| possible(row) > 0.0 && number(row, "exact_sets") / possible(row) < 0.9;
    let rebuilt_below =
        |row: &Row| number(row, "values_rebuilt") < 0.99 * number(row, "values_tried");
    let complete_below = |row: &Row| number(row, "probes_complete") < 0.97 * number(row, "probes");
    let slow_build = |row: &Row| {
        number(row, "recording_build_seconds") > 2.0 * number(row, "plain_build_seconds")
    };
    let heavy_build = |row: &Row| {
        number(row, "recording_build_processor_seconds")
            > 2.0 * number(row, "plain_build_processor_seconds")
    };
    let is_run_twice = |row: &Row| number(row, "plain_seconds") > 0.0;
    let possible_sets: f64 = measured.iter().map(|row| possible(row)).sum();
    let mut text = String::new();
    let mut line = |bar: &str, reached: String, misses: String| {
        let _ = writeln!(text, "- {bar}: {reached}; misses: {misses}");
    };
    line(
        "subjects measured",
        format!("{} of {}", measured.len(), rows.len()),
        missing_subjects(rows),
    );
    line(
        "outcomes identical",
        format!("{:.0} differences", sum("outcome_differences")),
        missing(&|row| number(row, "outcome_differences") > 0.0),
    );
    line(
        "probes with all inputs and their own result, at least 97 %",
        share(sum("probes_complete"), sum("probes")),
        missing(&complete_below),
    );
    line(
        "value sets exact, at least 90 %",
        share(sum("exact_sets"), possible_sets),
        missing(&exact_below),
    );
    line(
        "the same, each statement weighing the same",
        share(sum("statements_exact"), sum("statements_with_values")),
        missing(&|row| {
            number(row, "statements_exact") < 0.9 * number(row, "statements_with_values")
        }),
    );
    line(
        "exact values rebuilt equal, at least 99 %",
        share(sum("values_rebuilt"), sum("values_tried")),
        missing(&rebuilt_below),
    );
    line(
        "recording at most 2 × the plain run, or a second more",
        format!(
            "{:.1} s → {:.1} s",
            sum("plain_seconds"),
            sum("recording_seconds")
        ),
        missing(&|row| is_run_twice(row) && !is_fast(row)),
    );
    line(
        "instrumented build at most 2 × the plain one",
        format!(
            "{:.0} s → {:.0} s",
            sum("plain_build_seconds"),
            sum("recording_build_seconds")
        ),
        missing(&slow_build),
    );
    line(
        "the same in processor time, which others on the machine hardly change",
        format!(
            "{:.0} s → {:.0} s",
            sum("plain_build_processor_seconds"),
            sum("recording_build_processor_seconds")
        ),
        missing(&heavy_build),
    );
    text
}

fn missing_subjects(rows: &[Row]) -> String {
    let failed = rows
        .iter()
        .filter_map(|row| Some(format!("{} ({})", row.name, row.failure.as_ref()?)));
    let failed: Vec<String> = failed.collect();
    if failed.is_empty() {
        "none".to_owned()
    } else {
        failed.join(", ")
    }
}
