//! The summary of an extraction.

use super::{OfKind, OfStatement, Summary};
use crate::generate::extract::candidate::statement::{
    Statement, StatementIdx, Statements, WithoutTest,
};
use crate::generate::extract::choose::{Choice, killed_by};
use crate::generate::extract::compile::verify::ShownTest;
use crate::generate::extract::judge::matrix::Judgement;
use crate::generate::extract::table::rows::Group;
use crate::record::plan::Site;
use std::collections::{BTreeMap, BTreeSet};

/// Starts the summary, before any candidate is compiled: `chosen` are the selected statements.
pub(crate) fn begin<'s>(chosen: impl Iterator<Item = &'s Site>, found: &Statements) -> Summary {
    let mut kinds: BTreeMap<String, OfKind> = BTreeMap::new();
    let mut statements_found = 0;
    for site in chosen {
        statements_found += 1;
        kinds.entry(site.kind.clone()).or_default().found += 1;
    }
    for (kind, reached) in &found.reached {
        kinds.entry(kind.clone()).or_default().reached += reached;
    }
    Summary {
        statements_found,
        statements_reached: found.reached.values().sum(),
        statements_tested_already: found.tested_already,
        statements_refused: counted(&found.without),
        left_out: found.refused_sets.clone(),
        candidates: found
            .all
            .iter()
            .map(|statement| statement.candidates.len())
            .sum(),
        kinds,
        ..Summary::default()
    }
}

/// Statements without a test, by reason.
pub(crate) fn counted(without: &[WithoutTest]) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    for one in without {
        *counted.entry(one.reason.clone()).or_default() += 1;
    }
    counted
}

/// The input of the summary.
pub(crate) struct Numbers<'n> {
    /// The statements that have candidates.
    pub statements: &'n [Statement],
    pub groups: &'n [Group],
    /// What the mutants said.
    pub judgement: &'n Judgement,
    /// The held-back operators.
    pub held_back: &'n BTreeSet<String>,
}

impl Numbers<'_> {
    /// Counts what was chosen and what is shown of it.
    pub(crate) fn count(
        &self,
        summary: &mut Summary,
        choices: &[Choice],
        tests: &[ShownTest],
        left_out: BTreeMap<String, usize>,
    ) {
        for (reason, count) in left_out {
            *summary.left_out.entry(reason).or_default() += count;
        }
        summary.passing = choices.iter().map(|choice| choice.passing.len()).sum();
        summary.after_coverage = choices
            .iter()
            .map(|choice| choice.after_coverage.len())
            .sum();
        summary.after_mutants = choices.iter().map(|choice| choice.kept.len()).sum();
        summary.tests = tests.len();
        summary.rows = tests.iter().map(|test| test.rows.len()).sum();
        let with_tests: BTreeSet<StatementIdx> = tests.iter().map(|test| test.statement).collect();
        summary.statements_with_tests = with_tests.len();
        for at in &with_tests {
            summary
                .kinds
                .entry(self.statements[*at].site.kind.clone())
                .or_default()
                .with_tests += 1;
        }
        for group in self
            .groups
            .iter()
            .filter(|group| !with_tests.contains(&group.statement))
        {
            if let Some(reason) = &group.refused {
                *summary.left_out.entry(reason.to_string()).or_default() += group.rows.len();
            }
        }
        summary.statements = self.by_statement(choices, tests);
        self.count_mutants(summary, choices, tests);
    }

    fn by_statement(&self, choices: &[Choice], tests: &[ShownTest]) -> Vec<OfStatement> {
        let of_statement =
            |(at, (statement, choice)): (usize, (&Statement, &Choice))| OfStatement {
                file: statement.site.file.clone(),
                line: statement.site.line,
                value_sets: statement.value_sets,
                passing: choice.passing.len(),
                after_coverage: choice.after_coverage.len(),
                tests: tests
                    .iter()
                    .filter(|test| test.statement.at() == at)
                    .map(|test| test.rows.len())
                    .sum(),
                mutants: self.judgement.mutants[at].len(),
                branches: None,
                untaken_branches: Vec::new(),
            };
        self.statements
            .iter()
            .zip(choices)
            .enumerate()
            .map(of_statement)
            .collect()
    }

    fn count_mutants(&self, summary: &mut Summary, choices: &[Choice], tests: &[ShownTest]) {
        let kept: Vec<_> = tests
            .iter()
            .flat_map(|test| test.rows.iter().copied())
            .collect();
        let by_extracted = killed_by(&kept, self.groups, self.judgement);
        let passing: Vec<_> = choices
            .iter()
            .flat_map(|choice| choice.passing.iter().copied())
            .collect();
        let by_candidates = killed_by(&passing, self.groups, self.judgement);
        let covering: Vec<_> = choices
            .iter()
            .flat_map(|choice| choice.after_coverage.iter().copied())
            .collect();
        let by_coverage = killed_by(&covering, self.groups, self.judgement);
        let by_unit = &self.judgement.killed_by_unit;
        let is_open = |id: &u32| self.judgement.open_by_unit.contains(id);
        let all: BTreeMap<u32, _> = self
            .judgement
            .mutants
            .iter()
            .flatten()
            .map(|mutant| (mutant.id, mutant))
            .collect();
        let count = |of: &dyn Fn(&u32) -> bool| all.keys().filter(|id| of(id)).count();
        let list = |of: &dyn Fn(&u32) -> bool| {
            all.iter()
                .filter(|(id, _)| of(id))
                .map(|(_, mutant)| mutant.shown.clone())
                .collect::<Vec<_>>()
        };
        let is_held_back = |id: &u32| self.held_back.contains(&all[id].operator);
        let tested: BTreeSet<StatementIdx> = tests.iter().map(|test| test.statement).collect();
        let of_tested: BTreeSet<u32> = tested
            .iter()
            .flat_map(|at| &self.judgement.mutants[at.at()])
            .map(|mutant| mutant.id)
            .collect();
        summary.mutants = all.len();
        summary.mutants_of_tested = of_tested.len();
        summary.survivors_of_tested = of_tested
            .iter()
            .filter(|id| !by_unit.contains(id) && !is_open(id))
            .count();
        summary.killed_by_unit = count(&|id| by_unit.contains(id));
        summary.killed_by_extracted = count(&|id| by_extracted.contains(id));
        summary.killed_by_either = count(&|id| by_unit.contains(id) || by_extracted.contains(id));
        summary.killed_by_candidates = count(&|id| by_candidates.contains(id));
        summary.killed_and_lost = count(&|id| {
            by_candidates.contains(id) && !by_extracted.contains(id) && !is_held_back(id)
        });
        summary.killed_by_coverage = count(&|id| by_coverage.contains(id));
        summary.open_by_unit = count(&is_open);
        summary.killed_only_by_extracted =
            list(&|id| by_extracted.contains(id) && !by_unit.contains(id) && !is_open(id));
        summary.killed_only_by_unit =
            list(&|id| by_unit.contains(id) && !by_extracted.contains(id));
        summary.killed_by_nobody =
            list(&|id| !by_unit.contains(id) && !by_extracted.contains(id) && !is_open(id));
        summary.held_back_mutants = count(&is_held_back);
        summary.held_back_killed_by_unit = count(&|id| is_held_back(id) && by_unit.contains(id));
        summary.held_back_killed_by_extracted =
            count(&|id| is_held_back(id) && by_extracted.contains(id));
        summary.held_back_killed_by_candidates =
            count(&|id| is_held_back(id) && by_candidates.contains(id));
    }
}
