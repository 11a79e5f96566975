//! Numbers of rows, and what is made of them.

use bench_subjects::Row;
use serde_json::Value;

/// A number of a row's summary.
pub fn number(row: &Row, key: &str) -> f64 {
    row.summary
        .as_ref()
        .and_then(|summary| summary[key].as_f64())
        .unwrap_or(0.0)
}

/// The elements of a list in a row's summary.
pub fn list<'r>(row: &'r Row, key: &str) -> Vec<&'r Value> {
    let found = row
        .summary
        .as_ref()
        .and_then(|summary| summary[key].as_array());
    found
        .map(|found| found.iter().collect())
        .unwrap_or_default()
}

/// The sum of a number over rows.
pub fn sum(rows: &[&Row], key: &str) -> f64 {
    rows.iter().map(|row| number(row, key)).sum()
}

/// The rows that have a summary.
pub fn measured(rows: &[Row]) -> Vec<&Row> {
    rows.iter().filter(|row| row.summary.is_some()).collect()
}

/// A part of a whole in percent; a dash where there is no whole.
pub fn share(part: f64, whole: f64) -> String {
    if whole == 0.0 {
        "–".to_owned()
    } else {
        format!("{:.1} %", 100.0 * part / whole)
    }
}

/// A quotient; a dash where there is none.
pub fn quotient(one: f64, other: f64) -> String {
    if other == 0.0 {
        "–".to_owned()
    } else {
        format!("{:.2}", one / other)
    }
}

/// A whole number.
pub fn whole(value: f64) -> String {
    format!("{value:.0}")
}

/// Mutants that the subject's own tests leave alive, all of them.
pub fn survivors(row: &Row) -> f64 {
    number(row, "mutants") - number(row, "killed_by_unit") - number(row, "open_by_unit")
}

/// Those of them that extracted tests kill.
pub fn survivors_killed(row: &Row) -> f64 {
    list(row, "killed_only_by_extracted").len() as f64
}

/// Over the extractions with operators held back: mutants of these, and how many of them extracted tests, all candidates
/// and the subject's own tests kill.
#[derive(Clone, Copy, Default)]
pub struct HeldBack {
    /// The mutants.
    pub mutants: f64,
    /// Killed by extracted tests.
    pub by_extracted: f64,
    /// Killed by any candidate.
    pub by_candidates: f64,
    /// Killed by the subject's own tests.
    pub by_unit: f64,
}

impl HeldBack {
    /// Of some rows.
    pub fn of<'r>(rows: impl IntoIterator<Item = &'r Row>) -> HeldBack {
        let mut all = HeldBack::default();
        for summary in rows.into_iter().flat_map(|row| list(row, "held_back")) {
            let number = |key: &str| summary[key].as_f64().unwrap_or(0.0);
            all.mutants += number("held_back_mutants");
            all.by_extracted += number("held_back_killed_by_extracted");
            all.by_candidates += number("held_back_killed_by_candidates");
            all.by_unit += number("held_back_killed_by_unit");
        }
        all
    }
}

/// Mutants that another tool made, and how many of them are killed by whom.
#[derive(Clone, Copy, Default)]
pub struct Foreign {
    /// The mutants that compile.
    pub mutants: f64,
    /// Those that do not, and are no mutants.
    pub not_compiling: f64,
    /// Killed by extracted tests.
    pub by_extracted: f64,
    /// Killed by the subject's own tests.
    pub by_unit: f64,
    /// Killed by any of these.
    pub by_either: f64,
}

impl Foreign {
    /// All of some rows.
    pub fn of<'r>(rows: impl IntoIterator<Item = &'r Row>) -> Foreign {
        Foreign::counted(
            rows.into_iter()
                .filter_map(|row| row.summary.as_ref()?.get("foreign")),
        )
    }

    /// Those of some rows that Situ's own engine does not make.
    pub fn new_ones<'r>(rows: impl IntoIterator<Item = &'r Row>) -> Foreign {
        Foreign::counted(
            rows.into_iter()
                .filter_map(|row| row.summary.as_ref()?.get("foreign")?.get("new")),
        )
    }

    fn counted<'r>(counts: impl Iterator<Item = &'r Value>) -> Foreign {
        let mut all = Foreign::default();
        for found in counts {
            let number = |key: &str| found[key].as_f64().unwrap_or(0.0);
            all.mutants += number("mutants");
            all.not_compiling += number("not_compiling");
            all.by_extracted += number("killed_by_extracted");
            all.by_unit += number("killed_by_unit");
            all.by_either += number("killed_by_either");
        }
        all
    }
}
