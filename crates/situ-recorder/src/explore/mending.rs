//! Repairs after a mutation: a sum, a length, or a copy of the same value is adjusted to it.

use super::compares::Compared;
use super::cost::cost;
use super::goals::Goals;
use super::outcome::Outcome;
use super::session::Session;
use super::shape::{Id, Shapes};
use super::sites::SiteSet;
use super::substitute::substitutes;
use super::tree::Tree;

/// The maximum number of repairs that are tried.
const MOST: usize = 12;

/// Returns inputs in which operands are equal again that a mutation made different.
pub fn mended(
    tree: &Tree,
    root: Id,
    shapes: &Shapes,
    spoilt: &[Compared],
    goals: &Goals,
) -> Vec<Tree> {
    let worthwhile: Vec<Compared> = spoilt
        .iter()
        .filter(|one| goals.is_worth_mending(one))
        .copied()
        .collect();
    if worthwhile.is_empty() {
        return Vec::new();
    }
    let mut mended = substitutes(tree, root, shapes, &worthwhile, &[]);
    mended.truncate(MOST);
    mended
}

/// Shrinking with repairs: a simpler input that does not fail is repaired and tried again.
pub struct Simpler<'g> {
    goals: &'g mut Goals,
    /// The places whose operands are equal in the simplest input so far.
    equal: SiteSet,
}

impl<'g> Simpler<'g> {
    /// Creates the state for a failing input.
    pub fn than(tree: &Tree, session: &mut Session<'_>, goals: &'g mut Goals) -> Simpler<'g> {
        session.traced(tree);
        Simpler {
            goals,
            equal: session.log.equal_sites().collect(),
        }
    }

    /// Returns the candidate, or a repaired one that is simpler than `best`, if `fails` accepts it.
    pub fn failing<'s>(
        &mut self,
        candidate: &Tree,
        best: &Tree,
        shapes: &Shapes,
        session: &mut Session<'s>,
        fails: &mut dyn FnMut(&mut Session<'s>, &Tree) -> bool,
    ) -> Option<Tree> {
        if let Outcome::NotBuilt = session.traced(candidate) {
            return None;
        }
        let spoilt = session.log.unequal_at(&self.equal);
        if spoilt.is_empty() {
            return None;
        }
        let most = cost(best, session.root, shapes);
        let mut all = mended(candidate, session.root, shapes, &spoilt, self.goals).into_iter();
        let found =
            all.find(|tree| cost(tree, session.root, shapes) < most && fails(session, tree));
        self.goals.note_mended(&spoilt, found.is_some());
        if let Some(tree) = &found {
            session.traced(tree);
            self.equal = session.log.equal_sites().collect();
        }
        found
    }
}
