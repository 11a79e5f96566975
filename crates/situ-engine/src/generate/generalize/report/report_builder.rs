//! Construction of the report: the class of each candidate, the tables, and the tests without a
//! candidate.

use super::{ClassesOfPackage, Emitted, OfCandidate, Summary, TargetFunction, Without};
use crate::generate::generalize::emit::Emitting;
use crate::generate::generalize::emit::verify::Shown;
use crate::generate::generalize::find::arguments::{ArgumentSet, CalledFunction};
use crate::generate::generalize::find::unit_tests::shown;
use crate::generate::generalize::pair::candidate::{Candidates, Material};
use crate::generate::generalize::trial::classify::{Class, Classified};
use crate::generate::generalize::trial::mirror_file::Dropped;
use crate::generate::generalize::trial::trials::Trials;
use std::collections::{BTreeMap, BTreeSet};

/// A builder of the report.
pub(crate) struct Telling<'t> {
    /// What candidates are made of.
    pub material: &'t Material<'t>,
    /// The numbers.
    pub summary: Summary,
    /// Tests that are not compiled in this configuration.
    not_built: BTreeSet<usize>,
}

impl<'t> Telling<'t> {
    /// Creates an empty report.
    pub(crate) fn new(material: &'t Material<'t>) -> Telling<'t> {
        let summary = Summary {
            tests_considered: material.tests.len(),
            ..Summary::default()
        };
        Telling {
            material,
            summary,
            not_built: BTreeSet::new(),
        }
    }

    /// Drops tests that no program contains, because of a feature or a platform.
    pub(crate) fn leave_out_what_is_not_built(&mut self, built: &BTreeSet<String>) {
        let tests = self.material.tests.iter().enumerate();
        self.not_built = tests
            .filter(|(_, studied)| !built.contains(&studied.test.path()))
            .map(|(number, _)| number)
            .collect();
        self.summary.tests_not_built = self.not_built.len();
        self.summary.tests_considered = self.material.tests.len() - self.not_built.len();
    }

    fn function_of(&self, made: &Candidates, candidate: usize) -> &CalledFunction {
        self.material
            .function(made, &made.targets[made.all[candidate].target])
    }

    /// Returns the tests that have a candidate.
    pub(crate) fn tests_with(
        &self,
        made: &Candidates,
        classified: &[Classified],
        dropped: &Dropped,
    ) -> BTreeSet<usize> {
        let all = classified
            .iter()
            .map(|one| one.candidate)
            .chain(dropped.candidates.keys().copied());
        all.map(|candidate| made.targets[made.all[candidate].target].test)
            .collect()
    }

    /// Fills the summary.
    pub(crate) fn count(
        &mut self,
        made: &Candidates,
        classified: &[Classified],
        dropped: &Dropped,
        trials: &Trials,
        shown: &[Shown],
    ) {
        let with = self.tests_with(made, classified, dropped).len();
        let of_class = |class: Class| classified.iter().filter(|one| one.class == class).count();
        let summary = &mut self.summary;
        summary.tests_with_candidates = with;
        summary.not_compiling = dropped.candidates.len();
        summary.candidates = classified.len() + dropped.candidates.len();
        summary.candidates_not_tried = made.not_tried;
        summary.strongly_coupled = of_class(Class::StronglyCoupled);
        summary.falsifiably_coupled = of_class(Class::FalsifiablyCoupled);
        summary.decoupled = of_class(Class::Decoupled);
        summary.general = classified
            .iter()
            .filter(|one| one.class == Class::Decoupled && one.is_general)
            .count();
        summary.independent = summary.decoupled - summary.general;
        summary.ill_formed = of_class(Class::IllFormed) + dropped.candidates.len();
        summary.emitted = shown.len();
        summary.cases = shown.iter().map(|one| one.test.rows.len()).sum();
        summary.trials = trials
            .of_candidates
            .values()
            .map(|trial| trial.outcomes.len())
            .sum();
        let positive = shown.iter().filter(|one| !one.test.is_negative);
        let generalized: BTreeSet<usize> = positive
            .flat_map(|one| one.test.tests.iter().copied())
            .collect();
        summary.tests_generalized = generalized.len();
        for reason in dropped.candidates.values() {
            *summary
                .ill_formed_because
                .entry(reason.clone())
                .or_default() += 1;
        }
        let fails = "it fails with the test's own arguments".to_owned();
        if of_class(Class::IllFormed) > 0 {
            summary
                .ill_formed_because
                .insert(fails, of_class(Class::IllFormed));
        }
    }

    /// Returns the tests that are shown.
    pub(crate) fn emitted(&self, emitting: &Emitting<'_>, shown_tests: &[Shown]) -> Vec<Emitted> {
        let made = emitting.made;
        let emitted = shown_tests.iter().map(|one| {
            let target = &made.targets[one.test.target];
            let test = &self.material.tests[target.test].test;
            Emitted {
                file: shown(&one.item.file),
                line: test.line(),
                name: one.test.name.clone(),
                test: test.path(),
                tests: one
                    .test
                    .tests
                    .iter()
                    .map(|at| self.material.tests[*at].test.path())
                    .collect(),
                function: self.material.function(made, target).path.clone(),
                cases: one.test.rows.len(),
                arguments: emitting.cases(&one.test),
                valid: one.test.valid,
                assertions: one.test.candidates.len(),
                negative: one.test.is_negative,
                text: one.item.text.clone(),
                item: one.item.clone(),
            }
        });
        emitted.collect()
    }

    /// Returns all candidates with their classes.
    pub(crate) fn candidates(
        &self,
        made: &Candidates,
        classified: &[Classified],
        dropped: &Dropped,
    ) -> Vec<OfCandidate> {
        let of = |candidate: usize, class: Class| {
            let target = &made.targets[made.all[candidate].target];
            let studied = &self.material.tests[target.test];
            let text = studied.test.text();
            let assertion =
                &self.material.scope(target).body.assertions[made.all[candidate].assertion];
            OfCandidate {
                file: shown(&studied.test.file.path),
                line: studied.test.line_of(assertion.range.start),
                test: studied.test.path(),
                function: self.function_of(made, candidate).path.clone(),
                call: one_line(&text[self.material.call(target).range.clone()]),
                assertion: one_line(&text[assertion.range.clone()]),
                class,
                general: false,
                original: 0,
                valid: 0,
                falsifying: 0,
                panicking: 0,
                reason: None,
            }
        };
        let mut all: Vec<OfCandidate> = classified
            .iter()
            .map(|one| OfCandidate {
                general: one.class == Class::Decoupled && one.is_general,
                original: one.original.len(),
                valid: one.valid.len(),
                falsifying: one.falsifying.len(),
                panicking: self.panicking(made, one),
                ..of(one.candidate, one.class)
            })
            .collect();
        all.extend(
            dropped
                .candidates
                .iter()
                .map(|(candidate, reason)| OfCandidate {
                    reason: Some(reason.clone()),
                    ..of(*candidate, Class::IllFormed)
                }),
        );
        all.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        all
    }

    fn panicking(&self, made: &Candidates, one: &Classified) -> usize {
        let table = &made.tables[made.targets[made.all[one.candidate].target].table];
        let sets = &self.material.functions[table.function].sets;
        one.valid
            .iter()
            .chain(&one.falsifying)
            .filter(|row| sets[table.rows[**row].set].panics)
            .count()
    }

    /// Table II.
    pub(crate) fn functions(
        &mut self,
        made: &Candidates,
        candidates: &[OfCandidate],
    ) -> Vec<TargetFunction> {
        let used: BTreeSet<usize> = made.tables.iter().map(|table| table.function).collect();
        let mut functions = Vec::new();
        for at in used {
            let called = &self.material.functions[at];
            let own: Vec<&OfCandidate> = candidates
                .iter()
                .filter(|one| one.function == called.path)
                .collect();
            let tests: BTreeSet<&str> = own.iter().map(|one| one.test.as_str()).collect();
            if own.is_empty() {
                continue;
            }
            let is_original =
                |set: &&ArgumentSet| set.direct.iter().any(|test| tests.contains(test.as_str()));
            let function = TargetFunction {
                package: called.package.clone(),
                function: called.path.clone(),
                tests: tests.len(),
                original_arguments: called.sets.iter().filter(is_original).count(),
                candidates: own.len(),
                captured_arguments: called.sets.len(),
            };
            self.summary.original_arguments += function.original_arguments;
            self.summary.captured_arguments += function.captured_arguments;
            functions.push(function);
        }
        self.summary.target_functions = functions.len();
        self.summary.median_original_arguments =
            median(functions.iter().map(|one| one.original_arguments));
        self.summary.median_captured_arguments =
            median(functions.iter().map(|one| one.captured_arguments));
        functions.sort_by_key(|function| std::cmp::Reverse(function.captured_arguments));
        functions
    }

    /// Table III.
    pub(crate) fn packages(
        &self,
        made: &Candidates,
        classified: &[Classified],
    ) -> Vec<ClassesOfPackage> {
        let mut packages: BTreeMap<&str, ClassesOfPackage> = BTreeMap::new();
        for one in classified
            .iter()
            .filter(|one| one.class != Class::IllFormed)
        {
            let package = &self.function_of(made, one.candidate).package;
            let classes = packages.entry(package).or_default();
            classes.package = package.clone();
            classes.candidates += 1;
            match one.class {
                Class::StronglyCoupled => classes.strongly_coupled += 1,
                Class::FalsifiablyCoupled => classes.falsifiably_coupled += 1,
                _ => classes.decoupled += 1,
            }
            classes.general += usize::from(one.class == Class::Decoupled && one.is_general);
        }
        packages.into_values().collect()
    }

    /// Returns the tests without a candidate.
    pub(crate) fn without(&mut self, made: &Candidates, with: &BTreeSet<usize>) -> Vec<Without> {
        let is_without =
            |number: &usize| !with.contains(number) && !self.not_built.contains(number);
        let tests = self
            .material
            .tests
            .iter()
            .enumerate()
            .filter(|(number, _)| is_without(number));
        let without = tests.map(|(number, studied)| Without {
            file: shown(&studied.test.file.path),
            line: studied.test.line(),
            test: studied.test.path(),
            reason: made
                .without
                .get(&number)
                .copied()
                .unwrap_or_default()
                .to_string(),
        });
        let without: Vec<Without> = without.collect();
        for one in &without {
            *self
                .summary
                .tests_without
                .entry(one.reason.clone())
                .or_default() += 1;
        }
        without
    }
}

fn median(numbers: impl Iterator<Item = usize>) -> f64 {
    let mut sorted: Vec<usize> = numbers.collect();
    sorted.sort_unstable();
    let middle = sorted.len() / 2;
    match (sorted.get(middle), sorted.len() % 2) {
        (None, _) => 0.0,
        (Some(odd), 1) => *odd as f64,
        (Some(upper), _) => (sorted[middle - 1] + upper) as f64 / 2.0,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median([3, 1, 2].into_iter()), 2.0);
        assert_eq!(median([4, 1].into_iter()), 2.5);
        assert_eq!(median([].into_iter()), 0.0);
    }
}
