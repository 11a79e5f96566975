//! The call tree of a run: functions below their callers, with their leaves and tests.

use crate::generate::carve::find::scenario::{Scenario, Seen};
use crate::generate::carve::report::{Carved, Refused};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum depth of the tree.
const DEEPEST: usize = 24;

/// A function in the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Node {
    /// Its path from the crate on.
    pub function: String,
    /// The file.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The minimum number of its calls.
    pub hits: u64,
    /// Distinct calls.
    pub calls: usize,
    /// Whether it belongs to the chosen modules.
    pub is_chosen: bool,
    /// Whether it is in an earlier tree, with its callees.
    pub is_again: bool,
    /// Calls that leave the program or the chosen modules, as the source has them.
    pub leaves: Vec<String>,
    /// Its tests, by their numbers in the report.
    pub tests: Vec<usize>,
    /// The refusals.
    pub refused: Vec<String>,
    /// What it called.
    pub children: Vec<Node>,
}

/// Returns the trees of a recording, one for each function without a recorded caller.
pub(crate) fn trees(
    scenario: &Scenario<'_, '_>,
    tests: &[Carved],
    refused: &[Refused],
) -> Vec<Node> {
    let all = scenario.all;
    let mut called: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    let known: BTreeSet<u64> = all.iter().map(|seen| seen.recorded.site.id).collect();
    let mut roots = Vec::new();
    for (at, seen) in all.iter().enumerate() {
        let callers = seen
            .callers
            .iter()
            .filter(|caller| known.contains(caller) && **caller != seen.recorded.site.id);
        let mut has_caller = false;
        for caller in callers {
            has_caller = true;
            called.entry(*caller).or_default().push(at);
        }
        if !has_caller {
            roots.push(at);
        }
    }
    let drawing = Drawing {
        scenario,
        all,
        tests,
        refused,
        called,
    };
    let mut drawn = BTreeSet::new();
    roots
        .into_iter()
        .map(|root| drawing.node(root, &mut drawn, 0))
        .collect()
}

struct Drawing<'d, 's> {
    scenario: &'d Scenario<'d, 's>,
    all: &'d [Seen<'s>],
    tests: &'d [Carved],
    refused: &'d [Refused],
    called: BTreeMap<u64, Vec<usize>>,
}

impl Drawing<'_, '_> {
    /// Builds a node. The callees of a function are shown once: a recursive parser would fill the
    /// page.
    fn node(&self, at: usize, drawn: &mut BTreeSet<usize>, depth: usize) -> Node {
        let recorded = self.all[at].recorded;
        let site = &recorded.site;
        let leaves: BTreeSet<String> = recorded
            .sets
            .iter()
            .flat_map(|set| self.scenario.outgoing(recorded, set))
            .filter(|outgoing| outgoing.leaf.is_some())
            .map(|outgoing| on_one_line(&outgoing.call.site.text))
            .collect();
        let is_own = |file: &str, function: &str| file == site.file && function == site.function;
        let tests = (0..self.tests.len())
            .filter(|at| is_own(&self.tests[*at].file, &self.tests[*at].function));
        let refused = self
            .refused
            .iter()
            .filter(|one| is_own(&one.file, &one.function));
        let refused: BTreeSet<String> = refused.map(|one| one.reason.clone()).collect();
        let is_again = !drawn.insert(at);
        let below = self
            .called
            .get(&site.id)
            .into_iter()
            .flatten()
            .filter(|_| !is_again && depth < DEEPEST);
        let children = below
            .map(|child| self.node(*child, drawn, depth + 1))
            .collect();
        Node {
            function: site.function.clone(),
            file: site.file.clone(),
            line: site.line,
            hits: recorded.hits,
            calls: recorded.sets.len(),
            is_chosen: self.scenario.chosen.contains(&site.id),
            is_again,
            leaves: leaves.into_iter().collect(),
            tests: tests.collect(),
            refused: refused.into_iter().collect(),
            children,
        }
    }
}

/// Joins the lines of a call. A chain of methods that is broken over several lines reads as one that
/// is not, so that the same call is listed once.
fn on_one_line(call: &str) -> String {
    let mut text = String::new();
    for line in call.lines().map(str::trim) {
        if !text.is_empty() && !line.starts_with(['.', '?']) {
            text.push(' ');
        }
        text += &line.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_chain_is_shown_on_one_line() {
        assert_eq!(
            on_one_line("app\n        .weather\n        .fetch()\n        .await"),
            "app.weather.fetch().await"
        );
        assert_eq!(on_one_line("send(\n    a,\n    b\n)?"), "send( a, b )?");
        assert_eq!(on_one_line("now()"), "now()");
    }
}
