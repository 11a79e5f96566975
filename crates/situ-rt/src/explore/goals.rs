//! What is known of every comparison in the code: how it came out, how near it came.

use super::compares::Compared;
use std::collections::HashMap;

/// How often a comparison is worked at before it is left alone.
const MOST_TRIES: u32 = 24;

/// What is known of one comparison in the code.
#[derive(Clone, Copy, Debug, Default)]
struct Goal {
    less: bool,
    equal: bool,
    greater: bool,
    nearest: u64,
    tries: u32,
}

/// Comparisons, by place.
#[derive(Debug, Default)]
pub struct Goals {
    by_site: HashMap<usize, Goal>,
}

impl Goals {
    /// Notes the comparisons of an execution; true where one came out as never before, or came much nearer.
    pub fn note(&mut self, compared: &[Compared]) -> bool {
        let mut progress = false;
        for one in compared {
            let goal = self.by_site.entry(one.site).or_insert(Goal { nearest: u64::MAX, ..Goal::default() });
            let seen = match one.left.cmp(&one.right) {
                std::cmp::Ordering::Less => &mut goal.less,
                std::cmp::Ordering::Equal => &mut goal.equal,
                std::cmp::Ordering::Greater => &mut goal.greater,
            };
            progress |= !std::mem::replace(seen, true);
            let distance = distance(one);
            if !goal.equal && (distance < goal.nearest / 2 || (goal.nearest < 64 && distance < goal.nearest)) {
                goal.nearest = distance;
                progress = true;
            }
        }
        progress
    }

    /// Whether it is worth the work to make this comparison come out equal.
    pub fn is_open(&self, compared: &Compared) -> bool {
        self.by_site.get(&compared.site).is_none_or(|goal| !goal.equal && goal.tries < MOST_TRIES)
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
    use super::Goals;
    use crate::explore::compares::Compared;

    fn compared(left: u64, right: u64) -> Compared {
        Compared { site: 1, bits: 32, left, right }
    }

    #[test]
    fn a_comparison_makes_progress_when_it_comes_nearer_or_out_otherwise() {
        let mut goals = Goals::default();
        assert!(goals.note(&[compared(0, 1_000)]));
        assert!(!goals.note(&[compared(1, 1_000)]));
        assert!(goals.note(&[compared(600, 1_000)]));
        assert!(goals.note(&[compared(2_000, 1_000)]), "greater for the first time");
        assert!(goals.note(&[compared(1_000, 1_000)]));
        assert!(!goals.note(&[compared(999, 1_000)]), "it was equal before");
    }
}
