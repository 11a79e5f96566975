//! The one table of all subjects.

use crate::numbers::{HeldBack, list, number, quotient, share, survivors, survivors_killed, whole};
use bench_subjects::{Column, Row, print_table};

/// The table.
pub fn table(rows: &[Row]) -> String {
    print_table(&columns(), rows)
}

fn column(title: &str, cell: impl Fn(&Row) -> String + 'static) -> Column {
    Column {
        title: title.to_owned(),
        cell: Box::new(cell),
    }
}

fn columns() -> Vec<Column> {
    let score =
        |key: &'static str| move |row: &Row| share(number(row, key), number(row, "mutants"));
    vec![
        column("found / reached / with tests", |row| {
            joined(
                row,
                " / ",
                &[
                    "statements_found",
                    "statements_reached",
                    "statements_with_tests",
                ],
            )
        }),
        column(
            "candidates → passing → coverage → mutants → tests",
            |row| {
                joined(
                    row,
                    " → ",
                    &[
                        "candidates",
                        "passing",
                        "after_coverage",
                        "after_mutants",
                        "tests",
                    ],
                )
            },
        ),
        column("tests a statement", |row| {
            quotient(number(row, "tests"), number(row, "statements_with_tests"))
        }),
        column("value sets a statement", |row| {
            quotient(number(row, "rows"), number(row, "statements_with_tests"))
        }),
        column("mutants", |row| whole(number(row, "mutants"))),
        column("unit tests", score("killed_by_unit")),
        column("extracted", score("killed_by_extracted")),
        column("both", score("killed_by_either")),
        column("survivors killed", |row| {
            share(survivors_killed(row), survivors(row))
        }),
        column("held back", held_back),
        column("s", |row| format!("{:.1}", row.seconds)),
        column("cold cargo test s", cold_test),
        column("ratio", |row| {
            quotient(row.seconds, number(row, "cold_test_seconds"))
        }),
        column("phases", phases),
    ]
}

fn joined(row: &Row, between: &str, keys: &[&str]) -> String {
    let numbers: Vec<String> = keys.iter().map(|key| whole(number(row, key))).collect();
    numbers.join(between)
}

/// The score by mutants that the reduction never saw, or why there is none.
fn held_back(row: &Row) -> String {
    if let Some(failure) = list(row, "held_back")
        .into_iter()
        .find_map(|summary| summary["failure"].as_str())
    {
        return failure.to_owned();
    }
    let found = HeldBack::of([row]);
    share(found.by_extracted, found.mutants)
}

fn cold_test(row: &Row) -> String {
    let Some(summary) = &row.summary else {
        return String::new();
    };
    if let Some(failure) = summary["cold_test_failure"].as_str() {
        return failure.to_owned();
    }
    let fails = if summary["cold_test_passes"] == false {
        ", fails"
    } else {
        ""
    };
    format!("{:.1}{fails}", number(row, "cold_test_seconds"))
}

fn phases(row: &Row) -> String {
    let phases = row
        .summary
        .as_ref()
        .and_then(|summary| summary["phases"].as_object());
    let told = phases.into_iter().flatten().map(|(phase, seconds)| {
        let seconds = seconds.as_f64().unwrap_or(0.0);
        format!("{phase} {seconds:.1}")
    });
    told.collect::<Vec<_>>().join(", ")
}
