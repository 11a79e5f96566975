//! The search for answers that a theory's assumptions accept.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::dialogue::{self, Answers, Asked, Plan};
use crate::theory::assumption::Compared;
use crate::theory::trial::{self, Fate};

/// The maximum number of runs of the theory for one assignment.
const MAX_RUNS: usize = 1_000;

/// The maximum number of waiting plans.
const MAX_PLANS: usize = 20 * MAX_RUNS;

/// The number of answers that are varied after a rejected run.
const MAX_CHANGED: usize = 32;

/// Plans to try. Best are those that follow from the run that came furthest before an assumption
/// failed; among them those that the failed comparison suggests, then the oldest.
#[derive(Default)]
struct Plans {
    waiting: BinaryHeap<(u32, bool, Reverse<usize>, Plan)>,
    known: HashSet<Plan>,
}

impl Plans {
    fn add(&mut self, plan: Plan, progress: u32, suggested: bool) {
        if self.known.len() < MAX_PLANS && self.known.insert(plan.clone()) {
            self.waiting
                .push((progress, suggested, Reverse(self.known.len()), plan));
        }
    }

    fn next(&mut self) -> Option<Plan> {
        self.waiting.pop().map(|(_, _, _, plan)| plan)
    }

    /// Adds every plan that changes one answer of a rejected run.
    fn add_changes(&mut self, plan: &Plan, rejected: &Rejected) {
        let with = |asked: &Asked, answer: &str| {
            let mut plan = plan.clone();
            // Only answers that differ from the first guess are fixed, so that equal answers make
            // equal plans.
            if asked.options.first().is_some_and(|first| first == answer) {
                plan.remove(&asked.question);
            } else {
                plan.insert(asked.question.clone(), String::from(answer));
            }
            plan
        };
        // The last answer is the likeliest cause, the first ones of a long run are the least
        // likely.
        for asked in rejected.asked.iter().rev().take(MAX_CHANGED) {
            if let Some((left, right)) = &rejected.compared {
                if asked.answer == *left {
                    self.add(with(asked, right), rejected.progress, true);
                } else if asked.answer == *right {
                    self.add(with(asked, left), rejected.progress, true);
                }
            }
            for option in asked
                .options
                .iter()
                .filter(|option| **option != asked.answer)
            {
                self.add(with(asked, option), rejected.progress, false);
            }
        }
    }
}

/// The information from a run that an assumption ended.
struct Rejected {
    asked: Vec<Asked>,
    compared: Option<Compared>,
    /// The line of the failed assumption: later ones are further progress.
    progress: u32,
}

/// Runs the theory until its assumptions hold or a limit is reached. Also returns the stubs'
/// answers in that run.
pub(crate) fn search(run: &mut dyn FnMut() -> Fate) -> (Fate, Vec<String>) {
    trial::want_values(true);
    let mut plans = Plans::default();
    let mut fate = attempt(run, &mut plans, &Plan::new());
    for _ in 1..MAX_RUNS {
        let (Fate::Rejected(_), Some(plan)) = (&fate, plans.next()) else {
            break;
        };
        fate = attempt(run, &mut plans, &plan);
    }
    trial::want_values(false);
    (fate, said())
}

/// Runs the theory once with these answers. Also returns them as strings.
pub(crate) fn answered(answers: Answers, run: &mut dyn FnMut() -> Fate) -> (Fate, Vec<String>) {
    dialogue::begin_run(Plan::new());
    dialogue::answer_with(answers);
    let fate = run();
    (fate, said())
}

fn said() -> Vec<String> {
    dialogue::asked()
        .into_iter()
        .map(|asked| format!("{} answered {}", asked.question, asked.answer))
        .collect()
}

fn attempt(run: &mut dyn FnMut() -> Fate, plans: &mut Plans, plan: &Plan) -> Fate {
    dialogue::begin_run(plan.clone());
    let mut fate = run();
    let mut compared = trial::take_compared();
    if compared.as_ref().is_some_and(dialogue::note_seen) {
        // With new constants, each call may have more possible answers.
        dialogue::begin_run(plan.clone());
        fate = run();
        compared = trial::take_compared();
    }
    if let Fate::Rejected(site) = fate {
        plans.add_changes(
            plan,
            &Rejected {
                asked: dialogue::asked(),
                compared,
                progress: site.line,
            },
        );
    }
    fate
}
