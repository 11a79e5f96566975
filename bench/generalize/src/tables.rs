//! The tables of the paper on Proze, a row for each subject.

use bench_subjects::{Column, Row, print_table};

/// A number of a row's summary; nothing is nought.
pub fn number(row: &Row, key: &str) -> f64 {
    row.summary
        .as_ref()
        .and_then(|summary| summary[key].as_f64())
        .unwrap_or(0.0)
}

/// Arguments and candidates (Table II), then classes (Table III) and costs.
pub fn tables(rows: &[Row]) -> String {
    let mut rows = rows.to_vec();
    rows.push(total(&rows));
    let counted = |title: &str, key: &'static str| {
        column(title, move |row| format!("{:.0}", number(row, key)))
    };
    let arguments = [
        counted("target functions", "target_functions"),
        counted("tests", "tests_considered"),
        counted("with candidates", "tests_with_candidates"),
        counted("original arguments", "original_arguments"),
        counted("candidates", "candidates"),
        counted("captured arguments", "captured_arguments"),
    ];
    let classes = [
        column("candidates", |row| {
            format!(
                "{:.0}",
                number(row, "candidates") - number(row, "ill_formed")
            )
        }),
        counted("strongly-coupled", "strongly_coupled"),
        counted("falsifiably-coupled", "falsifiably_coupled"),
        counted("decoupled", "decoupled"),
        counted("of them general", "general"),
        counted("ill-formed", "ill_formed"),
        counted("tests that become general", "tests_generalized"),
        counted("shown", "emitted"),
        counted("trials", "trials"),
        column("runs that pass", |row| {
            format!(
                "{:.0} of {:.0}",
                number(row, "runs_passed"),
                number(row, "runs")
            )
        }),
        counted("told by clippy", "told_by_clippy"),
        column("s", |row| format!("{:.1}", row.seconds)),
    ];
    format!(
        "{}\n{}",
        print_table(&arguments, &rows),
        print_table(&classes, &rows)
    )
}

fn column(title: &str, cell: impl Fn(&Row) -> String + 'static) -> Column {
    Column {
        title: title.to_owned(),
        cell: Box::new(cell),
    }
}

/// The sums of all rows.
fn total(rows: &[Row]) -> Row {
    let mut summary = serde_json::Map::new();
    for (key, value) in rows
        .iter()
        .filter_map(|row| row.summary.as_ref()?.as_object())
        .flatten()
    {
        if let Some(number) = value.as_f64() {
            let sum = summary
                .get(key)
                .and_then(serde_json::Value::as_f64)
                .unwrap_or(0.0)
                + number;
            summary.insert(key.clone(), sum.into());
        }
    }
    let seconds = rows.iter().map(|row| row.seconds).sum();
    Row {
        name: "in all".to_owned(),
        summary: Some(summary.into()),
        failure: None,
        seconds,
    }
}
