//! Candidates: one call of a test × one of its assertions, with the arguments that the call is tried with.

use super::no_candidate::NoCandidate;
use super::pairing::Pairing;
use super::tables::Table;
use crate::cargo::workspace::Workspace;
use crate::generate::generalize::find::arguments::{CalledFunction, Origin};
use crate::generate::generalize::find::test_code::TestCode;
use crate::generate::generalize::find::unit_tests::UnitTest;
use crate::generate::generalize::scope::Scope;
use crate::generate::generalize::scope::body::CallSite;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A test with what it does.
pub(crate) struct StudiedTest {
    /// The test.
    pub test: UnitTest,
    /// Where its calls stand.
    pub scopes: Vec<Scope>,
}

/// A file and a module in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The file, relative to the workspace.
    pub file: PathBuf,
    /// The module, from the crate on.
    pub module: Vec<String>,
}

impl Place {
    /// Where a test stands.
    pub(crate) fn of(test: &UnitTest) -> Place {
        Place {
            file: test.file.path.clone(),
            module: test.module.clone(),
        }
    }
}

/// A call of a test that can be generalized over.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The test, by number.
    pub test: usize,
    /// The scope, by number.
    pub scope: usize,
    /// The call, by number.
    pub call: usize,
    /// Its table, by number.
    pub table: usize,
    /// Which argument each parameter of the table stands for.
    pub arguments: Vec<usize>,
    /// The variable that each argument is, where a loop or the call of a function gives it: the parameter stands for it
    /// wherever it is mentioned.
    pub variables: Vec<Option<String>>,
}

impl Target {
    /// What stands in the place of each argument: its variable, or what `name` makes of the parameter's number.
    pub(crate) fn replaced(&self, name: impl Fn(usize) -> String) -> Vec<(usize, String)> {
        let names = self
            .variables
            .iter()
            .enumerate()
            .map(|(at, variable)| variable.clone().unwrap_or_else(|| name(at)));
        self.arguments.iter().copied().zip(names).collect()
    }
}

/// A call × an assertion.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The call, by number.
    pub target: usize,
    /// The assertion, by number.
    pub assertion: usize,
    /// Whether nothing that leads to the assertion looks at what the call gives.
    pub is_apart: bool,
}

/// Everything that is tried.
#[derive(Default)]
pub(crate) struct Candidates {
    /// The tables.
    pub tables: Vec<Table>,
    /// The calls.
    pub targets: Vec<Target>,
    /// The candidates.
    pub all: Vec<Candidate>,
    /// How many more there would be of tests that have too many.
    pub not_tried: usize,
    /// Test → why it has no candidate.
    pub without: BTreeMap<usize, NoCandidate>,
}

/// What candidates are made of.
pub(crate) struct Material<'m> {
    /// The workspace.
    pub workspace: &'m Workspace,
    /// The tests.
    pub tests: &'m [StudiedTest],
    /// The functions.
    pub functions: &'m [CalledFunction],
    /// Methods of the workspace that only look at what they are called on.
    pub looking: BTreeSet<String>,
    /// Names that stand for types and traits of the workspace under another name.
    pub aliases: BTreeSet<String>,
    /// Test code beside the tests, by the root of its crate.
    pub code: BTreeMap<PathBuf, TestCode>,
}

impl<'m> Material<'m> {
    /// All candidates.
    pub(crate) fn candidates(&self) -> Candidates {
        let mut pairing = Pairing::new(self);
        for number in 0..self.tests.len() {
            pairing.test(number);
        }
        pairing.made()
    }

    /// The function of a target.
    pub(crate) fn function<'s>(&'s self, made: &Candidates, target: &Target) -> &'s CalledFunction {
        &self.functions[made.tables[target.table].function]
    }

    /// The call of a target.
    pub(crate) fn call(&self, target: &Target) -> &'m CallSite {
        &self.scope(target).body.calls[target.call]
    }

    /// The scope of a target.
    pub(crate) fn scope(&self, target: &Target) -> &'m Scope {
        &self.tests[target.test].scopes[target.scope]
    }

    /// Whether a test itself called the target's function with the arguments of a row.
    pub(crate) fn is_of_test(&self, made: &Candidates, target: &Target, row: usize) -> bool {
        made.tables[target.table].rows[row]
            .direct
            .contains(&self.tests[target.test].test.path())
    }

    /// The rows that a target is tried with.
    pub(crate) fn rows_of(&self, made: &Candidates, target: &Target) -> Vec<usize> {
        let table = &made.tables[target.table];
        let test = Origin::Test(self.tests[target.test].test.path());
        let is_own = |at: &usize| table.rows[*at].origins.contains(&test);
        let tried = |at: &usize| {
            table.rows[*at].refused.is_none() && (table.common.contains(at) || is_own(at))
        };
        (0..table.rows.len()).filter(tried).collect()
    }
}
