//! What verified tests are worth, and which of them are shown.

use crate::edit::ChangeSet;
use crate::generate::extract::candidate::statement::Statement;
use crate::generate::extract::compile::settle::Settling;
use crate::generate::extract::compile::verify::{self, ShownTest, number, numbered};
use crate::generate::worth::{
    Budget, Measured, Offer, Proposed, Worth, choose, lines_of_call, measure,
};
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::Path;

/// Tests with what each is worth, and the change of the user's files that they make.
pub(crate) struct Valued {
    pub tests: Vec<ShownTest>,
    /// The worth of each.
    pub worth: Vec<Worth>,
    pub changes: ChangeSet,
}

impl Valued {
    /// All tests, where nobody asks what they are worth.
    pub(crate) fn without_worth(tests: Vec<ShownTest>, changes: ChangeSet) -> Valued {
        Valued {
            worth: vec![Worth::default(); tests.len()],
            tests,
            changes,
        }
    }
}

/// What tests are valued with.
pub(crate) struct Valuing<'v> {
    pub settling: &'v Settling<'v>,
    pub budget: Budget,
    /// Statements whose tests are shown whatever they are worth: they replace others.
    pub stays: &'v dyn Fn(&Statement) -> bool,
    /// The command `cargo-situ`.
    pub program: &'v Path,
}

impl Valuing<'_> {
    /// Measures the tests against the whole suite, and keeps the fewest that have all worth and fit into the budget.
    pub(crate) fn valued(
        &self,
        tests: Vec<ShownTest>,
        changes: ChangeSet,
        step: &dyn Fn(&str),
    ) -> Result<Valued> {
        if tests.is_empty() {
            return Ok(Valued::without_worth(tests, changes));
        }
        step("finding out what the tests are worth");
        let mirror = numbered(self.settling, &tests)?;
        let measured = measure(
            &Proposed {
                workspace: self.settling.workspace,
                mirror: &mirror,
                number: &number,
                is_asked: &|_, _| true,
                program: self.program,
            },
            step,
        )?;
        let chosen = self.chosen(&tests, &measured);
        let changes = match chosen.len() == tests.len() {
            true => changes,
            false => {
                let mut in_order: Vec<usize> = chosen.clone();
                in_order.sort_unstable();
                let kept: Vec<ShownTest> = in_order.iter().map(|at| tests[*at].clone()).collect();
                match kept.is_empty() {
                    true => ChangeSet::default(),
                    false => {
                        let changes = verify::changes(self.settling, &kept)?;
                        match self.settling.lending {
                            Some(_) => changes.resolved_to_show(self.settling.workspace)?,
                            None => changes,
                        }
                    }
                }
            }
        };
        Ok(Valued {
            worth: chosen.iter().map(|at| measured.worth(*at)).collect(),
            tests: chosen.into_iter().map(|at| tests[at].clone()).collect(),
            changes,
        })
    }

    fn chosen(&self, tests: &[ShownTest], measured: &Measured) -> Vec<usize> {
        let statement = |at: usize| &self.settling.statements[tests[at].statement];
        let lines = |test: &ShownTest| {
            verify::proposal(self.settling, test, None)
                .map_or(1, |proposal| lines_of_call(&proposal.text))
        };
        let offers: Vec<Offer> = tests
            .iter()
            .enumerate()
            .map(|(at, test)| measured.offer(at, lines(test)))
            .collect();
        let files = (0..tests.len()).map(|at| Path::new(&statement(at).site.file));
        let max_lines = self.budget.lines(self.settling.workspace, files);
        let mut chosen = choose(&offers, max_lines);
        let replacing: BTreeSet<usize> = (0..tests.len())
            .filter(|at| (self.stays)(statement(*at)) && !chosen.contains(at))
            .collect();
        chosen.extend(replacing);
        chosen
    }
}
