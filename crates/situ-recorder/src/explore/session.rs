//! One theory in one process: executes inputs, counts their outcomes, and reports.

use super::compares::Log;
use super::coverage::Coverage;
use super::failure::{class_of, exact_class_of};
use super::goals::Goals;
use super::job::{Job, Mode};
use super::journal::Journal;
use super::mending::Simpler;
use super::outcome::Outcome;
use super::print::arguments;
use super::shape::{Id, Instance, Shapes};
use super::shrink::{shrink, shrink_to};
use super::tree::Tree;
use super::voice::Voice;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// A function that executes the theory with its arguments.
pub type Run<'r> = dyn FnMut(&[Tree]) -> Outcome + 'r;

/// Somebody who does more with each input that was executed.
pub trait Follower {
    /// Whether an input may be executed.
    fn may_execute(&mut self, tree: &Tree) -> bool;
    /// An input is about to be executed.
    fn begin(&mut self);
    /// An input was executed, and what it covers was looked at.
    fn follow(&mut self, tree: &Tree, is_new: bool, session: &mut Session<'_>) -> Followed;
    /// The search is over.
    fn conclude(&mut self, session: &mut Session<'_>);
}

/// What a follower saw in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// Nothing that would be worth a change of it.
    Nothing,
    /// Something that was not there before.
    News,
}

/// The time limit of shrinking one input.
const MAX_SHRINKING: Duration = Duration::from_secs(3);
const MAX_SHRINKING_RUNS: u64 = 60_000;
/// The number of distinct failures after which the search stops.
const MAX_FAILURES: usize = 20;
/// The interval between progress reports to the command.
const BEAT: Duration = Duration::from_millis(200);

/// The state of the exploration of one theory.
pub struct Session<'s> {
    /// What to do.
    pub job: Job,
    /// All shapes.
    pub shapes: Shapes,
    /// The shape of an input: a tuple of the parameters.
    pub root: Id,
    /// The coverage so far.
    pub coverage: Coverage,
    /// The comparisons of the last traced execution.
    pub log: Log,
    /// The connection to the command.
    pub voice: Voice,
    /// The instance of the generic parameters.
    pub instance: Instance,
    /// Who does more with each input.
    pub follower: Option<Box<dyn Follower>>,
    run: &'s mut Run<'s>,
    journal: Journal,
    started: Instant,
    beat: Instant,
    executions: u64,
    held: u64,
    not_built: u64,
    rejections: HashMap<(&'static str, &'static str, u32), (u64, Tree)>,
    known: HashSet<String>,
    /// Other failures found while one was being shrunk.
    pending: Vec<(Tree, String)>,
    /// The time at which the search ends.
    deadline: Instant,
}

impl<'s> Session<'s> {
    /// Starts the session.
    pub fn new(job: Job, shapes: Shapes, root: Id, run: &'s mut Run<'s>) -> Session<'s> {
        let voice = Voice::take(job.errors.as_deref());
        let journal = Journal::open(job.journal.as_deref());
        let known = job.known.iter().cloned().collect();
        let started = Instant::now();
        let deadline = started
            .checked_add(job.time)
            .unwrap_or(started + Duration::from_secs(1 << 30));
        Session {
            instance: shapes.instance(),
            follower: None,
            job,
            shapes,
            root,
            coverage: Coverage::new(),
            log: Log::new(),
            voice,
            run,
            journal,
            started,
            beat: started,
            executions: 0,
            held: 0,
            not_built: 0,
            rejections: HashMap::new(),
            known,
            pending: Vec::new(),
            deadline,
        }
    }

    /// Executes an input.
    pub fn execute(&mut self, tree: &Tree) -> Outcome {
        if let Some(follower) = &mut self.follower {
            if !follower.may_execute(tree) {
                return Outcome::NotBuilt;
            }
            follower.begin();
        }
        self.journal.note(tree);
        self.executions += 1;
        self.coverage.reset();
        let outcome = match tree {
            Tree::Node(_, arguments) => (self.run)(arguments),
            _ => Outcome::NotBuilt,
        };
        match &outcome {
            Outcome::Held => self.held += 1,
            Outcome::NotBuilt => self.not_built += 1,
            Outcome::Rejected(text, file, line) => {
                let (count, _) = self
                    .rejections
                    .entry((text, file, *line))
                    .or_insert_with(|| (0, tree.clone()));
                *count += 1;
            }
            Outcome::Violated(_) => {}
        }
        self.give_sign();
        outcome
    }

    /// Executes an input once more, for a follower.
    pub fn rerun(&mut self, tree: &Tree) {
        self.journal.note(tree);
        self.executions += 1;
        if let Tree::Node(_, arguments) = tree {
            (self.run)(arguments);
        }
        self.give_sign();
    }

    /// Lets the follower do more with an input.
    pub fn follow(&mut self, tree: &Tree, is_new: bool) -> Followed {
        let Some(mut follower) = self.follower.take() else {
            return Followed::Nothing;
        };
        let followed = follower.follow(tree, is_new, self);
        self.follower = Some(follower);
        followed
    }

    /// Does something with the shapes, which executions do not need.
    pub fn with_shapes<R>(&mut self, work: impl FnOnce(&mut Self, &Shapes, Id) -> R) -> R {
        let shapes = std::mem::take(&mut self.shapes);
        let root = self.root;
        let result = work(self, &shapes, root);
        self.shapes = shapes;
        result
    }

    /// Whether the time is over.
    pub fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Executes an input and logs its comparisons.
    pub fn traced(&mut self, tree: &Tree) -> Outcome {
        let mut log = std::mem::replace(&mut self.log, Log::closed());
        let outcome = log.during(|| self.execute(tree));
        self.log = log;
        outcome
    }

    fn give_sign(&mut self) {
        let now = Instant::now();
        if now.duration_since(self.beat) >= BEAT {
            self.beat = now;
            let numbers = [
                self.executions.to_string(),
                self.coverage.edges().to_string(),
            ];
            self.voice.say(&["alive", &numbers[0], &numbers[1]]);
            self.voice.forget_errors();
        }
    }

    /// Returns whether the search is over.
    pub fn is_over(&self) -> bool {
        self.executions >= self.job.runs
            || (self.executions.is_multiple_of(16) && Instant::now() >= self.deadline)
    }

    /// Returns the number of executions.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Shortens the deadline: the search may take as long again as it has taken so far, and a
    /// little more.
    fn stop_soon(&mut self) {
        if self.job.runs == u64::MAX {
            let more = self.elapsed().max(Duration::from_secs(1));
            self.deadline = self.deadline.min(Instant::now() + more);
        }
    }

    /// Ends the search at once.
    pub fn stop(&mut self) {
        self.deadline = self.started;
        self.job.runs = 0;
    }

    /// Reports a failure, if it is new, with the simplest input that causes it.
    pub fn violated(&mut self, tree: Tree, message: String) {
        self.pending.push((tree, message));
        while let Some((tree, message)) = self.pending.pop() {
            let class = self.class(&tree, &message, &self.shapes);
            if self.known.len() >= MAX_FAILURES || !self.known.insert(class) {
                continue;
            }
            let found = (self.elapsed(), self.executions);
            let (tree, message) = self.shrunk(tree, message);
            self.tell_violated(&tree, &message, found);
            self.stop_soon();
        }
    }

    /// Returns the simplest input that fails in the same way, and its message. A second round
    /// repairs sums that have to be adjusted with every change.
    fn shrunk(&mut self, tree: Tree, message: String) -> (Tree, String) {
        let class = self.class(&tree, &message, &self.shapes);
        let (started, runs) = (Instant::now(), self.executions);
        let mut last = message;
        let shapes = std::mem::take(&mut self.shapes);
        let root = self.root;
        let is_over = |session: &Session<'s>| {
            started.elapsed() > MAX_SHRINKING || session.executions - runs > MAX_SHRINKING_RUNS
        };
        let mut fails = |session: &mut Session<'s>, candidate: &Tree| {
            !is_over(session) && session.fails_so(candidate, &class, &shapes, &mut last)
        };
        let tree = shrink(tree, root, &shapes, &mut |candidate| fails(self, candidate));
        let mut goals = Goals::default();
        let mut simpler = Simpler::than(&tree, self, &mut goals);
        let small = shrink_to(tree, root, &shapes, &mut |candidate, best| {
            if fails(self, candidate) {
                return Some(candidate.clone());
            }
            if is_over(self) {
                return None;
            }
            simpler.failing(candidate, best, &shapes, self, &mut fails)
        });
        self.shapes = shapes;
        (small, last)
    }

    /// Returns the class of a failure. Different instances of the generic parameters have different
    /// classes.
    fn class(&self, tree: &Tree, message: &str, shapes: &Shapes) -> String {
        let class = match self.job.mode {
            Mode::Import(_) => {
                exact_class_of(message, &arguments(tree, self.root, shapes).concat())
            }
            Mode::Explore | Mode::Once(_) | Mode::Simplify(_) => class_of(message),
        };
        let label = self.instance.label;
        // A job lists each class on a line of its own.
        if label.is_empty() {
            class
        } else {
            format!("{label}|{class}")
        }
        .replace('\n', " ")
    }

    /// Returns whether an input fails in this way; other failures are kept for later.
    fn fails_so(
        &mut self,
        candidate: &Tree,
        class: &str,
        shapes: &Shapes,
        last: &mut String,
    ) -> bool {
        match self.execute(candidate) {
            Outcome::Violated(message) => {
                let found = self.class(candidate, &message, shapes);
                if found == class {
                    *last = message;
                    return true;
                }
                // When a fuzzer's finding is imported, only its own failure is reported.
                let is_wanted =
                    !matches!(self.job.mode, Mode::Import(_)) && !self.known.contains(&found);
                if is_wanted && self.pending.len() < 16 {
                    self.pending.push((candidate.clone(), message));
                }
                false
            }
            _ => false,
        }
    }

    fn tell_violated(&mut self, tree: &Tree, message: &str, (when, executions): (Duration, u64)) {
        let arguments = self.arguments(tree);
        let (micros, executions) = (when.as_micros().to_string(), executions.to_string());
        let bytes = hexadecimal(&tree.to_bytes());
        let class = self.class(tree, message, &self.shapes);
        let label = self.instance.label;
        self.voice.say(&[
            "violated",
            &class,
            message,
            &arguments,
            &micros,
            &executions,
            &bytes,
            label,
        ]);
    }

    /// Returns the arguments of an input as expressions.
    pub fn arguments(&self, tree: &Tree) -> String {
        arguments(tree, self.root, &self.shapes).join("\u{1f}")
    }

    /// Reports the result of the session.
    pub fn conclude(mut self) {
        self.journal.clear();
        if let Some(mut follower) = self.follower.take() {
            follower.conclude(&mut self);
        }
        let mut rejections: Vec<_> = self.rejections.drain().collect();
        rejections.sort_by_key(|(place, (count, _))| (std::cmp::Reverse(*count), *place));
        for ((text, file, line), (count, example)) in rejections {
            let arguments = self.arguments(&example);
            self.voice.say(&[
                "rejected",
                text,
                file,
                &line.to_string(),
                &count.to_string(),
                &arguments,
                self.instance.label,
            ]);
        }
        let numbers = [
            self.executions,
            self.held,
            self.not_built,
            self.coverage.edges() as u64,
        ];
        let numbers = numbers.map(|number| number.to_string());
        let micros = self.elapsed().as_micros().to_string();
        let is_last = self.instance.number + 1 >= self.instance.of;
        let what = if is_last { "done" } else { "part" };
        self.voice.say(&[
            what,
            &numbers[0],
            &numbers[1],
            &numbers[2],
            &numbers[3],
            &micros,
        ]);
        self.voice.keep();
    }
}

/// Formats bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
