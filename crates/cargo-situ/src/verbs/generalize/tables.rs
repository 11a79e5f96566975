//! The report of a generalization on standard error: two tables, and the refusals.

use situ_engine::base::words::{count, of_number};
use situ_engine::generate::generalize::{Report, Summary};
use std::collections::BTreeMap;

/// The maximum number of functions in a table.
const MAX_FUNCTIONS: usize = 20;

pub fn print(report: &Report) {
    functions(report);
    classes(report);
    let summary = &report.summary;
    eprintln!(
        "{} of {} {} candidates, {} {} parameterized tests: {} with {}",
        summary.tests_with_candidates,
        count(summary.tests_considered, "test"),
        of_number(summary.tests_with_candidates, "has", "have"),
        summary.tests_generalized,
        of_number(summary.tests_generalized, "becomes", "become"),
        count(summary.emitted, "test"),
        count(summary.cases, "case")
    );
    if summary.candidates_not_tried > 0 {
        eprintln!(
            "{} of a call and an assertion {} not tried: some tests have too many of them",
            count(summary.candidates_not_tried, "more pair"),
            of_number(summary.candidates_not_tried, "was", "were")
        );
    }
    reasons("tests without a candidate", &summary.tests_without);
    reasons("ill-formed candidates", &summary.ill_formed_because);
    reasons("parameterized tests that were dropped", &summary.left_out);
    let phases: Vec<String> = summary
        .phases
        .iter()
        .map(|(phase, seconds)| format!("{phase} {seconds:.1} s"))
        .collect();
    eprintln!(
        "{}, {:.1} s: {}",
        count(summary.trials, "trial"),
        summary.seconds,
        phases.join(", ")
    );
}

/// Prints the table of functions and the arguments recorded of each.
fn functions(report: &Report) {
    if report.functions.is_empty() {
        return;
    }
    let name = |function: &str| {
        if function.is_empty() {
            "(root)".to_owned()
        } else {
            function.to_owned()
        }
    };
    let names: Vec<String> = report
        .functions
        .iter()
        .map(|one| name(&one.function))
        .collect();
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        .max("target function".len());
    eprintln!(
        "{:width$}  tests  original arguments  candidates  captured arguments",
        "target function"
    );
    for (one, name) in report.functions.iter().zip(&names).take(MAX_FUNCTIONS) {
        eprintln!(
            "{name:width$}  {:>5}  {:>18}  {:>10}  {:>18}",
            one.tests, one.original_arguments, one.candidates, one.captured_arguments
        );
    }
    if report.functions.len() > MAX_FUNCTIONS {
        eprintln!("… and {} more", report.functions.len() - MAX_FUNCTIONS);
    }
    let summary = &report.summary;
    eprintln!(
        "{:width$}  {:>5}  {:>18}  {:>10}  {:>18}",
        "median", "", summary.median_original_arguments, "", summary.median_captured_arguments
    );
    eprintln!(
        "{:width$}  {:>5}  {:>18}  {:>10}  {:>18}\n",
        format!("{} in all", summary.target_functions),
        summary.tests_with_candidates,
        summary.original_arguments,
        summary.candidates,
        summary.captured_arguments
    );
}

/// Prints the table of candidates by class.
fn classes(report: &Report) {
    if report.packages.is_empty() {
        return;
    }
    let width = report
        .packages
        .iter()
        .map(|one| one.package.chars().count())
        .max()
        .unwrap_or(0)
        .max("package".len());
    eprintln!(
        "{:width$}  candidates  strongly-coupled  falsifiably-coupled  decoupled  of them general",
        "package"
    );
    for one in &report.packages {
        eprintln!(
            "{:width$}  {:>10}  {:>16}  {:>19}  {:>9}  {:>15}",
            one.package,
            one.candidates,
            one.strongly_coupled,
            one.falsifiably_coupled,
            one.decoupled,
            one.general
        );
    }
    if report.packages.len() > 1 {
        total(&report.summary, width);
    }
    eprintln!("{} more are ill-formed\n", report.summary.ill_formed);
}

fn total(summary: &Summary, width: usize) {
    eprintln!(
        "{:width$}  {:>10}  {:>16}  {:>19}  {:>9}  {:>15}",
        "in all",
        summary.candidates - summary.ill_formed,
        summary.strongly_coupled,
        summary.falsifiably_coupled,
        summary.decoupled,
        summary.general
    );
}

fn reasons(title: &str, reasons: &BTreeMap<String, usize>) {
    if reasons.is_empty() {
        return;
    }
    eprintln!("{title}:");
    let mut ordered: Vec<_> = reasons.iter().collect();
    ordered.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (reason, count) in ordered {
        eprintln!("  {count:>5}  {reason}");
    }
}
