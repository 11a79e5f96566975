//! Follows a search: switches mutants on for every input that reaches them, and tells where they differ.

use super::call::{PLENTY, taken, with_mutant};
use super::outcome::{ENDLESS, rank};
use super::targets::Targets;
use crate::explore::coverage::Coverage;
use crate::explore::job;
use crate::explore::journal::Journal;
use crate::explore::session::{Followed, Follower, Session, hexadecimal};
use crate::explore::{Tree, shrink};
use crate::switch::taken_sites;
use std::collections::HashSet;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long one difference may be made simpler.
const MAX_SHRINKING: Duration = Duration::from_millis(1_000);
const MAX_SHRINKING_RUNS: u32 = 10_000;
/// How often the command hears of what was tried.
const BEAT: Duration = Duration::from_millis(500);

/// With an input that does nothing new so many mutants are tried, those first that had the fewest: other inputs tell more.
const MAX_MUTANTS: usize = 12;

/// A search for differences under way.
pub(super) struct Hunt {
    targets: Targets,
    /// Inputs that must not be executed: they ended a process.
    avoided: HashSet<u64>,
    /// Where the running mutant is noted.
    journal: Journal,
    /// What executions with mutants cover.
    coverage: Option<Coverage>,
    sites: Vec<u32>,
    beat: Instant,
}

/// The text of this process' job.
fn job_text() -> String {
    let path = env::var_os(job::VARIABLE).unwrap_or_default();
    fs::read_to_string(path).unwrap_or_default()
}

fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(' '))
}

/// The mutant to verify a call with, and where errors go.
pub(super) fn asked_to_verify() -> (Option<u32>, Option<PathBuf>) {
    let text = job_text();
    let mutant = value(&text, "mutant").and_then(|mutant| mutant.parse().ok());
    (mutant, value(&text, "errors").map(PathBuf::from))
}

impl Hunt {
    pub(super) fn of_this_process() -> Hunt {
        let text = job_text();
        let targets = value(&text, "targets")
            .and_then(|path| fs::read_to_string(path).ok())
            .unwrap_or_default();
        let avoided = text
            .lines()
            .filter_map(|line| line.strip_prefix("avoid "))
            .filter_map(|number| number.parse().ok());
        let journal = value(&text, "mutant-journal").map(PathBuf::from);
        Hunt {
            targets: Targets::parse(&format!("{targets}\n{text}")),
            avoided: avoided.collect(),
            journal: Journal::open(journal.as_deref()),
            coverage: None,
            sites: Vec::new(),
            beat: Instant::now(),
        }
    }

    /// What a mutant gives for an input; none where the input cannot be executed with it.
    fn mutated(
        &mut self,
        mutant: u32,
        fuel: i64,
        tree: &Tree,
        session: &mut Session<'_>,
    ) -> Option<Vec<u8>> {
        self.journal.note(&Tree::Int(i128::from(mutant)));
        with_mutant(mutant, fuel, || session.rerun(tree));
        self.journal.clear();
        taken().map(|(outcome, _)| outcome)
    }

    /// What the original gives for an input, what it uses, and whether it reaches a mutant.
    fn original(&mut self, tree: &Tree, session: &mut Session<'_>) -> Option<(Vec<u8>, i64)> {
        session.rerun(tree);
        taken_sites(&mut self.sites);
        taken().filter(|(outcome, _)| outcome.first() != Some(&ENDLESS))
    }

    /// How good the difference is that an input shows for a mutant.
    fn difference(
        &mut self,
        mutant: u32,
        tree: &Tree,
        session: &mut Session<'_>,
    ) -> Option<(u8, Vec<u8>, Vec<u8>)> {
        if self.avoided.contains(&hash(tree)) {
            return None;
        }
        let (original, used) = self.original(tree, session)?;
        let mutated = self.mutated(mutant, fuel_for(used), tree, session)?;
        rank(&original, &mutated).map(|rank| (rank, original, mutated))
    }

    /// Makes sure of a difference, makes its input simpler, and tells it.
    fn found(&mut self, at: usize, tree: &Tree, session: &mut Session<'_>) {
        let mutant = self.targets.all[at].mutant;
        // Whoever gives something else each time differs from itself as well.
        let first = self.difference(mutant, tree, session);
        let second = self.difference(mutant, tree, session);
        let Some((found, ..)) = first.clone().filter(|_| first == second) else {
            return;
        };
        if self.targets.all[at]
            .found
            .is_some_and(|(best, _)| best <= found)
        {
            return;
        }
        self.targets.all[at].found = Some((found, self.targets.all[at].executions));
        let (started, mut runs) = (Instant::now(), 0);
        let simplest = session.with_shapes(|session, shapes, root| {
            shrink::shrink(tree.clone(), root, shapes, &mut |candidate| {
                runs += 1;
                runs < MAX_SHRINKING_RUNS
                    && started.elapsed() < MAX_SHRINKING
                    && self
                        .difference(mutant, candidate, session)
                        .is_some_and(|(rank, ..)| rank <= found)
            })
        });
        let first = self.difference(mutant, &simplest, session);
        let second = self.difference(mutant, &simplest, session);
        let is_stable = first == second && first.is_some();
        let (tree, told) = if is_stable {
            (simplest, first)
        } else {
            (tree.clone(), self.difference(mutant, tree, session))
        };
        let Some((rank, original, mutated)) = told else {
            return;
        };
        let arguments = session.arguments(&tree);
        session.voice.say(&[
            "kill",
            &mutant.to_string(),
            &rank.to_string(),
            &arguments,
            &hexadecimal(&original),
            &hexadecimal(&mutated),
            &hexadecimal(&tree.to_bytes()),
        ]);
    }

    fn tell(&mut self, session: &mut Session<'_>) {
        let tried: Vec<String> = self
            .targets
            .all
            .iter()
            .filter(|target| target.executions > 0)
            .map(|target| format!("{}={}", target.mutant, target.executions))
            .collect();
        session.voice.say(&["tried", &tried.join(" ")]);
    }
}

impl Follower for Hunt {
    fn may_execute(&mut self, tree: &Tree) -> bool {
        self.avoided.is_empty() || !self.avoided.contains(&hash(tree))
    }

    fn begin(&mut self) {
        taken_sites(&mut self.sites);
    }

    fn follow(&mut self, tree: &Tree, is_new: bool, session: &mut Session<'_>) -> Followed {
        taken_sites(&mut self.sites);
        let Some((original, used)) = taken() else {
            return Followed::Nothing;
        };
        let mut followed = Followed::Nothing;
        let most = if is_new { usize::MAX } else { MAX_MUTANTS };
        for at in self.targets.open_at(&self.sites, most) {
            let mutant = self.targets.all[at].mutant;
            if session.is_late() {
                break;
            }
            session.coverage.reset();
            let Some(mutated) = self.mutated(mutant, fuel_for(used), tree, session) else {
                continue;
            };
            self.targets.all[at].executions += 1;
            // What a mutant does that nothing did before is a way on, though nobody sees it yet.
            let coverage = self.coverage.get_or_insert_with(Coverage::new);
            if coverage.new_features(true) > 0 {
                followed = Followed::News;
            }
            if rank(&original, &mutated).is_some() {
                self.found(at, tree, session);
            }
        }
        if self.beat.elapsed() > BEAT {
            self.beat = Instant::now();
            self.tell(session);
        }
        if !self.targets.all.is_empty() && self.targets.are_done() {
            session.stop();
        }
        followed
    }

    fn conclude(&mut self, session: &mut Session<'_>) {
        self.tell(session);
    }
}

/// What a mutant may use where the original used so much.
fn fuel_for(used: i64) -> i64 {
    used.saturating_mul(10)
        .saturating_add(20_000)
        .min(PLENTY * 4)
}

/// What tells an input from others.
fn hash(tree: &Tree) -> u64 {
    crate::bytes::checksum(&tree.to_bytes())
}
