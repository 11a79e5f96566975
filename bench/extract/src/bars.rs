//! The bars that extraction is held to, pooled over all subjects, and the subjects that miss them.

use crate::numbers::{
    Foreign, HeldBack, list, measured, number, quotient, share, sum, survivors, survivors_killed,
};
use bench_subjects::Row;
use std::fmt::Write as _;

/// At least this share of what is counted.
struct AtLeast<'b> {
    bar: &'b str,
    share: f64,
    part: &'b dyn Fn(&Row) -> f64,
    whole: &'b dyn Fn(&Row) -> f64,
}

/// Each bar with what was reached and who misses it.
pub fn bars(rows: &[Row]) -> String {
    let measured = measured(rows);
    let mut text = String::new();
    let _ = writeln!(
        text,
        "- subjects measured: {} of {}; misses: {}",
        measured.len(),
        rows.len(),
        failed(rows)
    );
    let mutants = |row: &Row| number(row, "mutants");
    let is_about_fragments = sum(&measured, "fragment_branches") > 0.0;
    let (bar, share) = match is_about_fragments {
        true => ("reached fragments that get tests, at least 90 %", 0.9),
        false => ("reached statements that get tests, at least 95 %", 0.95),
    };
    let with_tests = |row: &Row| number(row, "statements_with_tests");
    text.push_str(&share_line(
        &AtLeast {
            bar,
            share,
            part: &with_tests,
            whole: &|row| number(row, "statements_reached"),
        },
        &measured,
    ));
    let shares = [
        AtLeast {
            bar: "branch coverage of a fragment by its own tests, mean of the fragments that have tests, at least 97 %",
            share: 0.97,
            part: &|row| number(row, "branch_coverage_sum"),
            whole: &|row| number(row, "branching_fragments"),
        },
        AtLeast {
            bar: "the same by all that was recorded: more no choice of recorded values can reach",
            share: 0.97,
            part: &|row| number(row, "branch_reach_sum"),
            whole: &|row| number(row, "branching_fragments"),
        },
        AtLeast {
            bar: "branches of reached fragments, with tests or without, that tests take",
            share: 0.97,
            part: &|row| number(row, "fragment_branches_covered"),
            whole: &|row| number(row, "fragment_branches"),
        },
        AtLeast {
            bar: "the same, of the branches that the recording takes",
            share: 0.97,
            part: &|row| number(row, "fragment_branches_covered"),
            whole: &|row| number(row, "fragment_branches_reached"),
        },
        AtLeast {
            bar: "reduction, at least 95 %",
            share: 0.95,
            part: &|row| number(row, "passing") - number(row, "rows"),
            whole: &|row| number(row, "passing"),
        },
        AtLeast {
            bar: "killed mutants that the reduction keeps, 100 %",
            share: 1.0,
            part: &|row| kept_kills(row).0,
            whole: &|row| kept_kills(row).1,
        },
        AtLeast {
            bar: "mutation score of extracted tests on their statements, at least 90 %",
            share: 0.9,
            part: &|row| number(row, "killed_by_extracted"),
            whole: &|row| number(row, "mutants_of_tested"),
        },
        AtLeast {
            bar: "the same, with the mutants of statements that had candidates and got no test",
            share: 0.9,
            part: &|row| number(row, "killed_by_extracted"),
            whole: &mutants,
        },
        AtLeast {
            bar: "the same, by mutants that the reduction never saw",
            share: 0.9,
            part: &|row| HeldBack::of([row]).by_extracted,
            whole: &|row| HeldBack::of([row]).mutants,
        },
        AtLeast {
            bar: "the same, by mutants of universalmutator",
            share: 0.9,
            part: &|row| Foreign::of([row]).by_extracted,
            whole: &|row| Foreign::of([row]).mutants,
        },
        AtLeast {
            bar: "the same, by those of them that Situ's own engine does not make",
            share: 0.9,
            part: &|row| Foreign::new_ones([row]).by_extracted,
            whole: &|row| Foreign::new_ones([row]).mutants,
        },
        AtLeast {
            bar: "survivors of the unit tests on statements with tests that extracted tests kill, at least 65 %",
            share: 0.65,
            part: &survivors_killed,
            whole: &|row| number(row, "survivors_of_tested"),
        },
        AtLeast {
            bar: "the same, with statements that had candidates and got no test",
            share: 0.65,
            part: &survivors_killed,
            whole: &survivors,
        },
    ];
    for bar in &shares[if is_about_fragments { 0 } else { 4 }..] {
        text.push_str(&share_line(bar, &measured));
    }
    text.push_str(&tests_a_statement(&measured));
    text.push_str(&cost(&measured));
    text.push_str(&remarks(&measured));
    text
}

/// The mutants that candidates kill and that are still killed in the end, and all that candidates kill; none where that was not
/// told.
fn kept_kills(row: &Row) -> (f64, f64) {
    let is_told = row
        .summary
        .as_ref()
        .is_some_and(|summary| summary.get("killed_and_lost").is_some());
    let all = if is_told {
        number(row, "killed_by_candidates")
    } else {
        0.0
    };
    (all - number(row, "killed_and_lost"), all)
}

fn share_line(bar: &AtLeast<'_>, rows: &[&Row]) -> String {
    let pooled = |of: &dyn Fn(&Row) -> f64| rows.iter().map(|row| of(row)).sum::<f64>();
    let (part, whole) = (pooled(bar.part), pooled(bar.whole));
    if whole == 0.0 {
        return format!("- {}: not measured\n", bar.bar);
    }
    let is_missed = |part: f64, whole: f64| whole > 0.0 && part / whole < bar.share;
    let misses = named(rows, &|row| {
        let (part, whole) = ((bar.part)(row), (bar.whole)(row));
        is_missed(part, whole).then(|| share(part, whole))
    });
    line(
        bar.bar,
        &format!("{} ({part:.0} of {whole:.0})", share(part, whole)),
        is_missed(part, whole),
        &misses,
    )
}

fn tests_a_statement(rows: &[&Row]) -> String {
    let (tests, statements) = (sum(rows, "tests"), sum(rows, "statements_with_tests"));
    let is_missed = |tests: f64, statements: f64| tests > 1.3 * statements;
    let misses = named(rows, &|row| {
        let (tests, statements) = (number(row, "tests"), number(row, "statements_with_tests"));
        is_missed(tests, statements).then(|| quotient(tests, statements))
    });
    let value_sets = quotient(sum(rows, "rows"), statements);
    let reached = format!(
        "{} ({tests:.0} for {statements:.0}; value sets: {value_sets})",
        quotient(tests, statements)
    );
    line(
        "tests a statement, at most 1.3",
        &reached,
        is_missed(tests, statements),
        &misses,
    )
}

/// Subjects without a cold `cargo test` say nothing.
fn cost(rows: &[&Row]) -> String {
    let timed: Vec<&Row> = rows
        .iter()
        .copied()
        .filter(|row| number(row, "cold_test_seconds") > 0.0)
        .collect();
    let seconds: f64 = timed.iter().map(|row| row.seconds).sum();
    let cold = sum(&timed, "cold_test_seconds");
    let is_missed = |seconds: f64, cold: f64| seconds > 5.0 * cold;
    let misses = named(&timed, &|row| {
        let cold = number(row, "cold_test_seconds");
        is_missed(row.seconds, cold).then(|| format!("{} ×", quotient(row.seconds, cold)))
    });
    let reached = format!(
        "{} × ({seconds:.0} s to {cold:.0} s)",
        quotient(seconds, cold)
    );
    line(
        "the whole command, at most 5 × a cold cargo test",
        &reached,
        is_missed(seconds, cold),
        &misses,
    )
}

fn remarks(rows: &[&Row]) -> String {
    let scores = |key: &str| {
        let with_mutants: Vec<&&Row> = rows
            .iter()
            .filter(|row| number(row, "mutants") > 0.0)
            .collect();
        let all: f64 = with_mutants
            .iter()
            .map(|row| number(row, key) / number(row, "mutants"))
            .sum();
        share(all, with_mutants.len() as f64)
    };
    let held_back = HeldBack::of(rows.iter().copied());
    let failing = rows
        .iter()
        .flat_map(|row| list(row, "held_back"))
        .filter(|summary| summary["failure"].is_string());
    format!(
        "- beside the bars: mean score of the subjects {} extracted, {} unit tests; of held-back mutants all candidates kill {}, \
         unit tests {}; extractions with operators held back that failed: {}\n",
        scores("killed_by_extracted"),
        scores("killed_by_unit"),
        share(held_back.by_candidates, held_back.mutants),
        share(held_back.by_unit, held_back.mutants),
        failing.count()
    )
}

fn line(bar: &str, reached: &str, is_missed: bool, misses: &str) -> String {
    let verdict = if is_missed { "MISSED" } else { "met" };
    format!("- {bar}: {reached}, {verdict}; misses: {misses}\n")
}

fn named(rows: &[&Row], miss: &dyn Fn(&Row) -> Option<String>) -> String {
    let names = rows
        .iter()
        .filter_map(|row| Some(format!("{} ({})", row.name, miss(row)?)));
    listed(names.collect())
}

fn failed(rows: &[Row]) -> String {
    listed(
        rows.iter()
            .filter_map(|row| Some(format!("{} ({})", row.name, row.failure.as_ref()?)))
            .collect(),
    )
}

fn listed(names: Vec<String>) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}
