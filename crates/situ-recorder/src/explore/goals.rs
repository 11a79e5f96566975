//! What is known of every comparison in the code: how it came out, how near it came.

use super::compares::Compared;
use super::sites::{SiteMap, SiteSet};

/// How often a comparison is worked at before it is left alone.
const MAX_TRIES: u32 = 24;
/// How often it is mended in vain before it is left as it is: loops end in other ways with every change.
const MAX_MENDED_IN_VAIN: u32 = 24;

/// What is known of one comparison in the code.
#[derive(Clone, Copy, Debug, Default)]
struct Goal {
    less: bool,
    equal: bool,
    greater: bool,
    nearest: u64,
    tries: u32,
    mended_in_vain: u32,
}

/// What an execution did for comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Progress {
    /// Nothing.
    #[default]
    None,
    /// Operands came much nearer to one another than ever before.
    Nearer,
    /// One came out as never before.
    Reached,
    /// Operands were equal that never were.
    Equal,
}

/// Comparisons, by place.
#[derive(Debug, Default)]
pub struct Goals {
    by_site: SiteMap<Goal>,
}

impl Goals {
    /// Notes the comparisons of an execution.
    pub fn note(&mut self, compared: &[Compared]) -> Progress {
        let mut progress = Progress::None;
        for one in compared {
            let goal = self.by_site.entry(one.site).or_insert(Goal {
                nearest: u64::MAX,
                ..Goal::default()
            });
            let seen = match one.left.cmp(&one.right) {
                std::cmp::Ordering::Less => &mut goal.less,
                std::cmp::Ordering::Equal => &mut goal.equal,
                std::cmp::Ordering::Greater => &mut goal.greater,
            };
            if !std::mem::replace(seen, true) {
                let is_equal = one.left == one.right;
                progress = progress.max(if is_equal {
                    Progress::Equal
                } else {
                    Progress::Reached
                });
            }
            let distance = distance(one);
            if !goal.equal
                && (distance < goal.nearest / 2 || (goal.nearest < 64 && distance < goal.nearest))
            {
                goal.nearest = distance;
                progress = progress.max(Progress::Nearer);
            }
        }
        progress
    }

    /// Whether it is worth the work to make this comparison come out equal.
    pub fn is_open(&self, compared: &Compared) -> bool {
        // One that has come out equal may still do so together with others.
        let most = |goal: &Goal| if goal.equal { 2 * MAX_TRIES } else { MAX_TRIES };
        self.by_site
            .get(&compared.site)
            .is_none_or(|goal| goal.tries < most(goal))
    }

    /// Whether it is worth the work to make this comparison come out equal again; once in a while it is in any case.
    pub fn is_worth_mending(&self, compared: &Compared) -> bool {
        let in_vain = |goal: &Goal| {
            goal.mended_in_vain < MAX_MENDED_IN_VAIN || goal.mended_in_vain.is_multiple_of(8)
        };
        self.by_site.get(&compared.site).is_none_or(in_vain)
    }

    /// That these were spoilt, and whether anything came of it.
    pub fn note_mended(&mut self, spoilt: &[Compared], is_fruitful: bool) {
        let sites: SiteSet = spoilt.iter().map(|compared| compared.site).collect();
        for site in sites {
            let goal = self.by_site.entry(site).or_default();
            goal.mended_in_vain = if is_fruitful {
                0
            } else {
                goal.mended_in_vain + 1
            };
        }
    }

    /// That it is being worked at.
    pub fn note_try(&mut self, compared: &Compared) {
        self.by_site.entry(compared.site).or_default().tries += 1;
    }
}

/// How far apart the operands are, round the corner too.
fn distance(compared: &Compared) -> u64 {
    let mask = u64::MAX >> (64 - compared.bits);
    let apart = compared.left.wrapping_sub(compared.right) & mask;
    apart.min(apart.wrapping_neg() & mask)
}

#[cfg(test)]
mod tests {
    use super::{Goals, Progress};
    use crate::explore::compares::Compared;

    fn compared(left: u64, right: u64) -> Compared {
        Compared {
            site: 1,
            bits: 32,
            left,
            right,
        }
    }

    #[test]
    fn a_comparison_makes_progress_when_it_comes_nearer_or_out_otherwise() {
        let mut goals = Goals::default();
        assert_eq!(goals.note(&[compared(0, 1_000)]), Progress::Reached);
        assert_eq!(goals.note(&[compared(1, 1_000)]), Progress::None);
        assert_eq!(goals.note(&[compared(600, 1_000)]), Progress::Nearer);
        assert_eq!(
            goals.note(&[compared(2_000, 1_000)]),
            Progress::Reached,
            "greater for the first time"
        );
        assert_eq!(goals.note(&[compared(1_000, 1_000)]), Progress::Equal);
        assert_eq!(
            goals.note(&[compared(999, 1_000)]),
            Progress::None,
            "it was equal before"
        );
    }

    #[test]
    fn a_comparison_that_is_mended_in_vain_is_left_alone_until_something_comes_of_it() {
        let mut goals = Goals::default();
        (0..101).for_each(|_| goals.note_mended(&[compared(1, 2), compared(3, 4)], false));
        assert!(!goals.is_worth_mending(&compared(1, 2)));
        goals.note_mended(&[compared(1, 2)], true);
        assert!(goals.is_worth_mending(&compared(1, 2)));
    }
}
