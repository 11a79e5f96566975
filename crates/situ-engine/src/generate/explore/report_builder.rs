//! Construction of the report from the results of the theories.

use super::child::Found;
use super::explored::Explored;
use super::points::{self, Names};
use super::report::{ChangeProposal, Passing, Rejection, Report, TheoryReport, Violation};
use super::sources::Sources;
use super::theories::Theory;
use crate::record::masking::masked;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The reciprocal of the share of accepted inputs below which an assumption is reported.
const FEW: u64 = 1_000;

/// A builder of the report.
pub(super) struct Telling<'t> {
    /// What the sources say.
    pub sources: &'t Sources,
    /// The names that are taken in each file.
    taken: BTreeMap<PathBuf, BTreeSet<String>>,
    /// What is proposed for each module of a file.
    proposed: BTreeMap<(PathBuf, Vec<String>), Vec<String>>,
}

impl Telling<'_> {
    /// Creates an empty builder.
    pub(super) fn new(sources: &Sources) -> Telling<'_> {
        Telling {
            sources,
            taken: BTreeMap::new(),
            proposed: BTreeMap::new(),
        }
    }

    /// Adds the results of a theory.
    pub(super) fn add(&mut self, report: &mut Report, theory: &Theory, explored: Explored) {
        let taken = self.taken.entry(theory.file.clone()).or_default();
        taken.extend(theory.taken.iter().cloned());
        let proposed = self
            .proposed
            .entry((theory.file.clone(), theory.module.clone()))
            .or_default();
        let mut names = Names { taken, proposed };
        let path = theory.path();
        let mut found: Vec<Found> = explored.found.into_values().collect();
        found.sort_by_key(|found| (found.micros, found.class.clone()));
        for found in found {
            let theory = &theory.with_types(&found.types);
            let arguments: Vec<String> = found
                .arguments
                .iter()
                .map(|text| self.sources.named(theory, text))
                .collect();
            let points = points::items_for(theory, &arguments, &mut names);
            propose(report, theory, &points);
            let shown = shown(theory, &arguments);
            report.violations.push(Violation {
                theory: path.clone(),
                call: theory.call(&shown),
                arguments: shown.join(", "),
                argument_list: shown,
                message: masked(&found.message).into_owned(),
                file: theory.file.clone(),
                line: theory.line,
                found_after_seconds: found.micros as f64 / 1e6,
                found_after_executions: found.executions,
                without_points: points.is_empty().then(|| why_no_points(theory).to_owned()),
                points,
                class: found.class,
            });
        }
        for passed in explored.passing {
            let theory = &theory.with_types(&passed.types);
            let arguments: Vec<String> = passed
                .arguments
                .iter()
                .map(|text| self.sources.named(theory, text))
                .collect();
            let points = points::items_for(theory, &arguments, &mut names);
            propose(report, theory, &points);
            let shown = shown(theory, &arguments);
            report.passing.push(Passing {
                theory: path.clone(),
                passing: shown.join(", "),
                edges: passed.edges,
                argument_list: shown,
            });
        }
        let total: u64 = explored.rejected.values().map(|(count, _)| count).sum();
        if total > 0 && explored.held < (total + explored.held) / FEW {
            for ((assumption, place), (rejected, example)) in explored.rejected {
                let theory = &theory.with_types(&example.types);
                let example: Vec<String> = example
                    .arguments
                    .iter()
                    .map(|text| self.sources.named(theory, text))
                    .collect();
                let example = theory.call(&shown(theory, &example));
                report.rejections.push(Rejection {
                    theory: path.clone(),
                    assumption,
                    place,
                    rejected,
                    example,
                });
            }
        }
        report.theories.push(TheoryReport {
            theory: path,
            executions: explored.executions,
            held: explored.held,
            edges: explored.edges,
            seconds: explored.seconds,
            not_explored: explored.problem,
        });
    }
}

/// Returns why a violation does not become a data point.
fn why_no_points(theory: &Theory) -> &'static str {
    let has_stubs = theory.parameters.iter().any(|parameter| parameter.is_stub);
    match theory.suffix {
        "_explored" => {
            "the values come from strategies, which take no data points: write them as a separate test, or rewrite the test as a theory"
        }
        _ if has_stubs => {
            "answers of stubs cannot be data points: exclude them with an assumption, or write a separate test"
        }
        _ if theory
            .parameters
            .iter()
            .all(|parameter| !parameter.takes_points) =>
        {
            "its parameters have their own sources of values"
        }
        _ => "the values are data points already, or have no expression",
    }
}

fn propose(report: &mut Report, theory: &Theory, items: &[String]) {
    if !items.is_empty() {
        let (at, is_after) = theory.point_place;
        report.proposals.push(ChangeProposal {
            file: theory.file.clone(),
            module: theory.module.clone(),
            at,
            is_after,
            items: items.to_vec(),
        });
    }
}

/// Returns the arguments as they stand in a call.
fn shown(theory: &Theory, arguments: &[String]) -> Vec<String> {
    let pairs = theory.parameters.iter().zip(arguments);
    pairs
        .map(|(parameter, argument)| points::as_argument(&parameter.of, argument))
        .collect()
}
