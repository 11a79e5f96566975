//! The tables that the paper on extracted inline tests has, for our subjects.

use crate::numbers::{list, measured, number, quotient, share, sum, whole};
use bench_subjects::{Row, markdown};
use serde_json::Value;
use std::collections::BTreeMap;

/// All of them, each under its title.
pub fn all(rows: &[Row]) -> String {
    let rows = measured(rows);
    let tables = [
        ("Target statements by kind (Fig. 3.7)", kinds(&rows)),
        ("Tests of a statement (Fig. 3.8)", distribution(&rows)),
        (
            "Number and run time of tests by step (Fig. 3.9)",
            steps(&rows),
        ),
        ("Mutation scores by step (Table 3.4)", scores(&rows)),
        ("Tests and killed mutants by algorithm", algorithms(&rows)),
        ("Mutants by who kills them (Fig. 3.10)", killers(&rows)),
        ("Seconds of a subject by phase", cost(&rows)),
    ];
    let titled = tables.into_iter().map(|(title, cells)| match cells.len() {
        0 | 1 => format!("### {title}\n\nNothing was measured.\n"),
        _ => format!("### {title}\n\n{}", markdown(&cells)),
    });
    titled.collect::<Vec<_>>().join("\n")
}

fn head(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|title| (*title).to_owned()).collect()
}

fn kinds(rows: &[&Row]) -> Vec<Vec<String>> {
    const KEYS: [&str; 3] = ["found", "reached", "with_tests"];
    let mut kinds: BTreeMap<String, [f64; 3]> = BTreeMap::new();
    for row in rows {
        let own = row
            .summary
            .as_ref()
            .and_then(|summary| summary["kinds"].as_object());
        for (kind, numbers) in own.into_iter().flatten() {
            for name in [kind.as_str(), "all"] {
                let known = kinds.entry(name.to_owned()).or_default();
                KEYS.iter()
                    .zip(known)
                    .for_each(|(key, known)| *known += numbers[key].as_f64().unwrap_or(0.0));
            }
        }
    }
    let all = kinds.remove_entry("all");
    let mut cells = vec![head(&[
        "kind",
        "found",
        "reached",
        "with tests",
        "of reached",
    ])];
    for (kind, [found, reached, with_tests]) in kinds.into_iter().chain(all) {
        cells.push(vec![
            kind,
            whole(found),
            whole(reached),
            whole(with_tests),
            share(with_tests, reached),
        ]);
    }
    cells
}

/// Over the statements that have tests in the end.
fn distribution(rows: &[&Row]) -> Vec<Vec<String>> {
    let statements: Vec<&Value> = rows
        .iter()
        .flat_map(|row| list(row, "statements"))
        .collect();
    let with_tests: Vec<&&Value> = statements
        .iter()
        .filter(|one| one["tests"].as_u64().unwrap_or(0) > 0)
        .collect();
    let mut cells = vec![head(&[
        "of a statement",
        "mean",
        "median",
        "95th percentile",
        "most",
        "one",
        "two",
        "three",
        "more",
    ])];
    let steps = [
        ("value sets", "value_sets"),
        ("candidates that pass", "passing"),
        ("after coverage", "after_coverage"),
        ("tests", "tests"),
    ];
    for (title, key) in steps {
        let mut counts: Vec<u64> = with_tests
            .iter()
            .map(|one| one[key].as_u64().unwrap_or(0))
            .collect();
        counts.sort_unstable();
        let Some(most) = counts.last() else { continue };
        let at =
            |share: f64| counts[((counts.len() - 1) as f64 * share).round() as usize].to_string();
        let exactly = |number: u64| counts.iter().filter(|count| **count == number).count();
        let more = counts.iter().filter(|count| **count > 3).count();
        let mean = quotient(counts.iter().sum::<u64>() as f64, counts.len() as f64);
        let mut line = vec![title.to_owned(), mean, at(0.5), at(0.95), most.to_string()];
        line.extend(
            [exactly(1), exactly(2), exactly(3), more]
                .iter()
                .map(usize::to_string),
        );
        cells.push(line);
    }
    cells
}

/// Run times are of the subjects whose steps were all run.
fn steps(rows: &[&Row]) -> Vec<Vec<String>> {
    const LEVELS: [&str; 3] = ["base", "coverage", "mutants"];
    let level =
        |row: &Row, level: &str, key: &str| row.summary.as_ref()?["levels"][level][key].as_f64();
    let is_run = |row: &Row| {
        LEVELS
            .iter()
            .all(|name| level(row, name, "run_seconds").is_some())
    };
    let run: Vec<&&Row> = rows.iter().filter(|row| is_run(row)).collect();
    let run_title = format!("run s ({} subjects)", run.len());
    let mut cells = vec![head(&[
        "step",
        "tests",
        "reduction",
        "tests of those that were run",
        &run_title,
    ])];
    let keys = ["passing", "after_coverage", "rows"];
    for (name, key) in LEVELS.into_iter().zip(keys) {
        let (tests, base) = (sum(rows, key), sum(rows, "passing"));
        let of_run = |key: &str| {
            run.iter()
                .filter_map(|row| level(row, name, key))
                .sum::<f64>()
        };
        let (tests_run, seconds) = match run.is_empty() {
            true => ("–".to_owned(), "–".to_owned()),
            false => (
                whole(of_run("tests")),
                format!("{:.2}", of_run("run_seconds")),
            ),
        };
        cells.push(vec![
            name.to_owned(),
            whole(tests),
            share(base - tests, base),
            tests_run,
            seconds,
        ]);
    }
    cells
}

fn scores(rows: &[&Row]) -> Vec<Vec<String>> {
    let mut cells = vec![head(&[
        "subject",
        "statements with mutants",
        "mutants",
        "unit tests",
        "base tests",
        "score",
        "coverage tests",
        "score",
        "tests",
        "score",
    ])];
    let statements = |row: &Row| {
        let mutated = list(row, "statements")
            .into_iter()
            .filter(|one| one["mutants"].as_u64().unwrap_or(0) > 0);
        mutated.count() as f64
    };
    let line = |name: &str, statements: f64, number: &dyn Fn(&str) -> f64| {
        let score = |key: &str| share(number(key), number("mutants"));
        vec![
            name.to_owned(),
            whole(statements),
            whole(number("mutants")),
            score("killed_by_unit"),
            whole(number("passing")),
            score("killed_by_candidates"),
            whole(number("after_coverage")),
            score("killed_by_coverage"),
            whole(number("tests")),
            score("killed_by_extracted"),
        ]
    };
    cells.extend(
        rows.iter()
            .map(|row| line(&row.name, statements(row), &|key| number(row, key))),
    );
    cells.push(line(
        "all",
        rows.iter().map(|row| statements(row)).sum(),
        &|key| sum(rows, key),
    ));
    cells
}

fn algorithms(rows: &[&Row]) -> Vec<Vec<String>> {
    const NAMES: [&str; 4] = ["greedy", "ge", "gre", "hgs"];
    let mut cells = vec![head(&["subject", "greedy", "ge", "gre", "hgs"])];
    let mut totals = [[0.0; 2]; 4];
    for row in rows {
        let Some(found) = row
            .summary
            .as_ref()
            .map(|summary| &summary["algorithms"])
            .filter(|found| found.is_object())
        else {
            continue;
        };
        let mut line = vec![row.name.clone()];
        for (name, total) in NAMES.iter().zip(&mut totals) {
            let number = |key: &str| found[name][key].as_f64().unwrap_or(0.0);
            line.push(match found[name]["failure"].as_str() {
                Some(failure) => failure.to_owned(),
                None => format!(
                    "{:.0} tests, {:.0} killed",
                    number("tests"),
                    number("killed_by_extracted")
                ),
            });
            total[0] += number("tests");
            total[1] += number("killed_by_extracted");
        }
        cells.push(line);
    }
    if cells.len() > 1 {
        let told = totals
            .iter()
            .map(|[tests, killed]| format!("{tests:.0} tests, {killed:.0} killed"));
        cells.push(std::iter::once("all".to_owned()).chain(told).collect());
    }
    cells
}

fn killers(rows: &[&Row]) -> Vec<Vec<String>> {
    let mut cells = vec![head(&[
        "subject",
        "mutants",
        "unit tests only",
        "both",
        "extracted only",
        "nobody",
    ])];
    let line = |name: &str, number: &dyn Fn(&str) -> f64| {
        let (unit, extracted, either) = (
            number("killed_by_unit"),
            number("killed_by_extracted"),
            number("killed_by_either"),
        );
        let sets = [
            either - extracted,
            unit + extracted - either,
            either - unit,
            number("mutants") - either,
        ];
        let mut line = vec![name.to_owned(), whole(number("mutants"))];
        line.extend(sets.into_iter().map(whole));
        line
    };
    cells.extend(
        rows.iter()
            .map(|row| line(&row.name, &|key| number(row, key))),
    );
    cells.push(line("all", &|key| sum(rows, key)));
    cells
}

fn cost(rows: &[&Row]) -> Vec<Vec<String>> {
    let mut phases: BTreeMap<String, f64> = BTreeMap::new();
    for row in rows {
        let own = row
            .summary
            .as_ref()
            .and_then(|summary| summary["phases"].as_object());
        for (phase, seconds) in own.into_iter().flatten() {
            *phases.entry(phase.clone()).or_default() += seconds.as_f64().unwrap_or(0.0);
        }
    }
    let total: f64 = rows.iter().map(|row| row.seconds).sum();
    let subjects = rows.len() as f64;
    let mut cells = vec![head(&["phase", "mean s", "share"])];
    for (phase, seconds) in phases
        .into_iter()
        .chain([("the whole command".to_owned(), total)])
    {
        cells.push(vec![
            phase,
            format!("{:.1}", seconds / subjects),
            share(seconds, total),
        ]);
    }
    cells.push(vec![
        "a cold cargo test".to_owned(),
        format!("{:.1}", sum(rows, "cold_test_seconds") / subjects),
        share(sum(rows, "cold_test_seconds"), total),
    ]);
    cells
}
