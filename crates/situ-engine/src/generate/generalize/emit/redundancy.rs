//! Detection of redundant tests: over a call, and over the one that returns the first one's
//! argument.

use super::Emitting;
use crate::generate::generalize::pair::candidate::Target;
use crate::generate::generalize::scope::Step;
use crate::generate::generalize::slice::covers;
use crate::generate::generalize::trial::classify::Classified;
use std::collections::BTreeSet;

/// A call by number, and the assertions with it that hold for the same arguments.
pub(super) type Claim<'c> = (usize, &'c [&'c Classified]);

impl Emitting<'_> {
    /// Returns whether the argument of a claim is the result of another claim's call, which asserts
    /// the same: `matches(&parsed)` after `let parsed = version(text)`. The string is the more
    /// readable argument.
    pub(crate) fn is_said_by(
        &self,
        (taking, claim): Claim<'_>,
        (giving, other): Claim<'_>,
    ) -> bool {
        let (outer, inner) = (&self.made.targets[taking], &self.made.targets[giving]);
        let assertions = |claim: &[&Classified]| -> BTreeSet<usize> {
            claim
                .iter()
                .map(|one| self.made.all[one.candidate].assertion)
                .collect()
        };
        (outer.test, outer.scope) == (inner.test, inner.scope)
            && outer.call != inner.call
            && other
                .iter()
                .any(|one| one.others > 0 && !one.may_be_chance())
            && assertions(claim).is_subset(&assertions(other))
            && self.gives_arguments(inner, outer)
    }

    /// Returns whether the result of a call is the only argument that another one is varied over.
    fn gives_arguments(&self, inner: &Target, outer: &Target) -> bool {
        let (giving, taking) = (self.material.call(inner), self.material.call(outer));
        let text = self.material.tests[outer.test].test.text();
        let bound = match self.material.scope(outer).steps.get(giving.statement) {
            Some(step @ Step::Statement(_)) if giving.statement < taking.statement => step.bound(),
            _ => Vec::new(),
        };
        outer.arguments.iter().all(|at| {
            let argument = &taking.place(*at).range;
            let name = text[argument.clone()].trim_start_matches(['&', '*', ' ']);
            covers(argument, &giving.range) || bound.iter().any(|bound| bound == name)
        })
    }
}
