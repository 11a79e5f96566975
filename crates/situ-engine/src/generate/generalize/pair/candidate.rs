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
    /// Returns where a test stands.
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
    pub test: usize,
    pub scope: usize,
    pub call: usize,
    pub table: usize,
    /// The argument that each parameter of the table replaces.
    pub arguments: Vec<usize>,
    /// The variable of each argument, if a loop or the call of a function binds it: the parameter
    /// then replaces every use of it.
    pub variables: Vec<Option<String>>,
}

impl Target {
    /// Returns the replacement of each argument: its variable, or what `name` returns for the
    /// parameter's number.
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
    pub target: usize,
    pub assertion: usize,
    /// Whether nothing that the assertion depends on uses the result of the call.
    pub is_apart: bool,
}

/// Everything that is tried.
#[derive(Default)]
pub(crate) struct Candidates {
    pub tables: Vec<Table>,
    /// The calls.
    pub targets: Vec<Target>,
    /// The candidates.
    pub all: Vec<Candidate>,
    /// The number of candidates skipped in tests with too many.
    pub not_tried: usize,
    /// Test → why it has no candidate.
    pub without: BTreeMap<usize, NoCandidate>,
}

/// The input of the search for candidates.
pub(crate) struct Material<'m> {
    pub workspace: &'m Workspace,
    pub tests: &'m [StudiedTest],
    pub functions: &'m [CalledFunction],
    /// Methods of the workspace that never change their receiver.
    pub looking: BTreeSet<String>,
    /// Other names of types and traits of the workspace.
    pub aliases: BTreeSet<String>,
    /// Test code beside the tests, by the root of its crate.
    pub code: BTreeMap<PathBuf, TestCode>,
}

impl<'m> Material<'m> {
    pub(crate) fn candidates(&self) -> Candidates {
        let mut pairing = Pairing::new(self);
        for number in 0..self.tests.len() {
            pairing.test(number);
        }
        pairing.made()
    }

    /// Returns the function of a target.
    pub(crate) fn function<'s>(&'s self, made: &Candidates, target: &Target) -> &'s CalledFunction {
        &self.functions[made.tables[target.table].function]
    }

    /// Returns the call of a target.
    pub(crate) fn call(&self, target: &Target) -> &'m CallSite {
        &self.scope(target).body.calls[target.call]
    }

    /// Returns the scope of a target.
    pub(crate) fn scope(&self, target: &Target) -> &'m Scope {
        &self.tests[target.test].scopes[target.scope]
    }

    /// Returns whether a test itself called the target's function with the arguments of a row.
    pub(crate) fn is_of_test(&self, made: &Candidates, target: &Target, row: usize) -> bool {
        made.tables[target.table].rows[row]
            .direct
            .contains(&self.tests[target.test].test.path())
    }

    /// Returns the rows that a target is tried with.
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
