//! Selection of the groups to compile: after the first round only those that have changed, until
//! they compile.

use super::bisect::Trials;
use crate::generate::extract::candidate::CandidateIdx;
use crate::generate::extract::candidate::clauses::Comparison;
use crate::generate::extract::table::rows::Group;
use std::collections::{BTreeMap, BTreeSet};

/// The groups of one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// All groups that are not dropped.
    Everything,
    /// Groups with these numbers. The compiler has accepted all others, and a round of these few
    /// takes a fraction of the time.
    Only(BTreeSet<usize>),
}

impl Shown {
    /// Returns whether a group is shown.
    pub(crate) fn holds(&self, group: &Group) -> bool {
        group.stands()
            && match self {
                Shown::Everything => true,
                Shown::Only(numbers) => numbers.contains(&group.number),
            }
    }

    /// Returns the groups to compile after a successful round: those that wait for a trial, then
    /// all together. Returns `None` after the latter.
    pub(crate) fn next(self, trials: &mut Trials, groups: &mut [Group]) -> Option<Shown> {
        if trials.next(groups) {
            let back = groups
                .iter()
                .filter(|group| group.is_on_trial())
                .map(|group| group.number);
            return Some(Shown::Only(back.collect()));
        }
        (self != Shown::Everything).then_some(Shown::Everything)
    }
}

/// The content of a group: its rows, comparisons, generic parameters and traits.
type Said = (Vec<CandidateIdx>, Vec<Comparison>, Vec<String>, Vec<String>);

/// The content of the groups before errors change them.
pub(crate) struct Standing(BTreeMap<usize, Said>);

impl Standing {
    /// Stores the current content.
    pub(crate) fn of(groups: &[Group]) -> Standing {
        let standing = groups.iter().filter(|group| group.stands());
        Standing(standing.map(|group| (group.number, said(group))).collect())
    }

    /// Returns the groups to compile next: those that have changed, and those on trial. Without any
    /// it continues as after a successful round.
    pub(crate) fn changed(&self, trials: &mut Trials, groups: &mut [Group]) -> Shown {
        let is_other =
            |group: &&Group| group.is_on_trial() || self.0.get(&group.number) != Some(&said(group));
        let numbers: BTreeSet<usize> = groups
            .iter()
            .filter(|group| group.stands())
            .filter(is_other)
            .map(|group| group.number)
            .collect();
        match numbers.len() {
            0 => Shown::Only(numbers)
                .next(trials, groups)
                .unwrap_or(Shown::Everything),
            count if count == groups.iter().filter(|group| group.stands()).count() => {
                Shown::Everything
            }
            _ => Shown::Only(numbers),
        }
    }
}

fn said(group: &Group) -> Said {
    (
        group.rows.clone(),
        group.comparisons.clone(),
        group.generics.clone(),
        group.traits.clone(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::extract::candidate::statement::StatementIdx;
    use crate::generate::extract::compile::bisect::Trial;
    use crate::generate::extract::table::group_refusal::GroupRefusal;
    use crate::generate::extract::table::rows::GroupIdx;

    fn groups(count: usize) -> Vec<Group> {
        let group = |number: usize| Group {
            number,
            statement: StatementIdx::new(number),
            rows: [0, 1].map(CandidateIdx::new).into(),
            comparisons: Vec::new(),
            generics: Vec::new(),
            traits: Vec::new(),
            refused: None,
            trial: Trial::None,
        };
        (0..count).map(group).collect()
    }

    #[test]
    fn after_errors_only_what_has_changed_is_shown_and_then_everything() {
        let (mut groups, mut trials) = (groups(4), Trials::default());
        let before = Standing::of(&groups);
        groups[1].rows.pop();
        groups[2].give_up(&GroupRefusal::NotCompared);
        groups[3].generics.push("T".to_owned());
        let shown = before.changed(&mut trials, &mut groups);
        assert_eq!(shown, Shown::Only([1, 3].into()));
        assert!(shown.holds(&groups[1]) && !shown.holds(&groups[0]) && !shown.holds(&groups[2]));
        let shown = shown.next(&mut trials, &mut groups).unwrap();
        assert_eq!(shown, Shown::Everything);
        assert_eq!(shown.next(&mut trials, &mut groups), None);
    }

    #[test]
    fn where_all_that_stand_have_changed_they_are_everything() {
        let (mut groups, mut trials) = (groups(2), Trials::default());
        let before = Standing::of(&groups);
        groups[0].rows.pop();
        groups[1].give_up(&GroupRefusal::NotCompared);
        assert_eq!(before.changed(&mut trials, &mut groups), Shown::Everything);
    }

    #[test]
    fn what_comes_back_is_shown_by_itself_even_where_nothing_else_has_changed() {
        let (mut groups, mut trials) = (groups(3), Trials::default());
        let before = Standing::of(&groups);
        trials.set_aside(
            &[0, 2].map(|at| (GroupIdx::new(at), GroupRefusal::NotCompared)),
            &mut groups,
        );
        let shown = before.changed(&mut trials, &mut groups);
        assert_eq!(shown, Shown::Only([0].into()));
        assert_eq!(
            shown.next(&mut trials, &mut groups),
            Some(Shown::Only([2].into()))
        );
    }
}
