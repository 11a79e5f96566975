//! Processes that call functions: each has its share of the time, those with open mutants more of it.

use super::unit::{UnitReport, contains};
use crate::base::process::own_files;
use crate::generate::explore::build::Program;
use crate::generate::explore::child::{Child, End, Kill, Message};
use crate::generate::explore::plan::Function;
use anyhow::{Context as _, Result};
use situ_recorder::bytes::checksum;
use situ_recorder::explore::{Tree, read_journal};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// So many executions with a mutant and no difference mean that it is probably equivalent.
pub(super) const ENOUGH: u64 = 100_000;
/// A function is not given less in one go: its process has to start.
const SHORTEST: Duration = Duration::from_millis(300);
/// How often a process is started again that an input or a mutant ended.
const MAX_RESTARTS: usize = 8;
/// How long one call may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many bytes one process may use.
const MEMORY: u64 = 2 << 30;

/// A mutant that calls are searched for.
pub(super) struct Target {
    pub mutant: u32,
    pub file: PathBuf,
    pub line: usize,
}

/// A call for which a mutant differs.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The function, by unit and number.
    pub function: (usize, usize),
    pub kill: Kill,
    /// How the mutant ended the process, where it did.
    pub end: Option<String>,
}

/// What all processes found out.
#[derive(Default)]
pub(super) struct Findings {
    /// By mutant.
    pub found: BTreeMap<u32, Vec<Found>>,
    /// Executions by mutant.
    pub executions: BTreeMap<u32, u64>,
    /// Functions with values that cannot be made: the reason.
    pub not_callable: BTreeMap<(usize, usize), String>,
    /// Functions that ended their process for some inputs, which were left out then.
    pub ended: BTreeSet<(usize, usize)>,
    /// All executions.
    pub total: u64,
}

/// A search under way.
pub(super) struct Search<'s> {
    pub units: &'s [UnitReport],
    pub programs: &'s [Program],
    pub root: &'s Path,
    pub targets: &'s [Target],
    pub folder: &'s Path,
    pub dictionaries: &'s [String],
    pub time: Duration,
    pub cores: usize,
}

/// What one function's processes know between rounds.
#[derive(Default)]
struct Memory {
    skipped: BTreeSet<u32>,
    avoided: BTreeSet<u64>,
    restarts: usize,
    rounds: u64,
    is_over: bool,
}

impl Search<'_> {
    /// Calls functions until the time is over or nothing is open.
    pub(super) fn run(&self, tell: &(dyn Fn(usize, usize) + Sync)) -> Result<Findings> {
        let started = Instant::now();
        let findings = Mutex::new(Findings::default());
        let all: Vec<(usize, usize)> = self.callable();
        let memory: Vec<Mutex<Memory>> = all.iter().map(|_| Mutex::default()).collect();
        let failure: Mutex<Option<anyhow::Error>> = Mutex::new(None);
        let mut round = 0_u32;
        while started.elapsed() < self.time {
            let work: Vec<usize> = (0..all.len())
                .filter(|at| {
                    !lock(&memory[*at]).is_over && self.is_open(all[*at], round, &lock(&findings))
                })
                .collect();
            if work.is_empty() {
                break;
            }
            let left = self.time.saturating_sub(started.elapsed());
            // The first round sees everything; later ones have fewer functions and more time for each.
            let share = if round == 0 { 0.4 } else { 0.5 };
            let slice = left.mul_f64(share * self.cores as f64 / work.len() as f64);
            let slice = slice.clamp(SHORTEST, Duration::from_secs(10).min(left.max(SHORTEST)));
            let next = AtomicUsize::new(0);
            thread::scope(|scope| {
                for _ in 0..self.cores.min(work.len()) {
                    scope.spawn(|| {
                        while let Some(at) = work.get(next.fetch_add(1, Ordering::SeqCst)) {
                            if started.elapsed() >= self.time {
                                break;
                            }
                            let mut own = lock(&memory[*at]);
                            if let Err(error) = self.call(all[*at], slice, &mut own, &findings) {
                                *lock(&failure) = Some(error);
                            }
                            let found = lock(&findings).found.len();
                            tell(found, self.targets.len());
                        }
                    });
                }
            });
            if let Some(error) = lock(&failure).take() {
                return Err(error);
            }
            round += 1;
        }
        Ok(findings
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// The functions that are called, those that hold mutants first.
    fn callable(&self) -> Vec<(usize, usize)> {
        let mut all: Vec<(usize, usize)> = Vec::new();
        for (unit, report) in self.units.iter().enumerate() {
            let functions = report.functions.iter().enumerate();
            all.extend(
                functions
                    .filter(|(_, one)| one.test.is_ok())
                    .map(|(at, _)| (unit, at)),
            );
        }
        all.sort_by_key(|key| self.own(*key).is_empty());
        all
    }

    pub(super) fn function(&self, (unit, at): (usize, usize)) -> &Function {
        &self.units[unit].functions[at]
    }

    /// The mutants that a function holds.
    fn own(&self, key: (usize, usize)) -> BTreeSet<u32> {
        let function = self.function(key);
        let inside = self
            .targets
            .iter()
            .filter(|target| target.file == function.file && contains(function, target.line));
        inside.map(|target| target.mutant).collect()
    }

    /// Whether calling a function may still tell something.
    fn is_open(&self, key: (usize, usize), round: u32, findings: &Findings) -> bool {
        if round == 0 {
            return true;
        }
        if findings.not_callable.contains_key(&key) {
            return false;
        }
        let function = self.function(key);
        let own = self.own(key);
        let is_settled = |mutant: &u32| {
            findings.found.contains_key(mutant)
                || findings
                    .executions
                    .get(mutant)
                    .is_some_and(|count| *count >= ENOUGH)
        };
        if own.iter().any(|mutant| !is_settled(mutant)) {
            return true;
        }
        // A public function may show what a private one does.
        let is_private_kill = |found: &Vec<Found>| {
            found
                .iter()
                .all(|one| !self.function(one.function).is_public)
        };
        let holds_for_others = function.is_public
            && self
                .targets
                .iter()
                .any(|target| !is_settled(&target.mutant));
        holds_for_others
            || (function.is_public && round == 1 && findings.found.values().any(is_private_kill))
    }

    /// One function for a slice of time, in a new process whenever an input or a mutant ends it.
    fn call(
        &self,
        key: (usize, usize),
        slice: Duration,
        memory: &mut Memory,
        findings: &Mutex<Findings>,
    ) -> Result<()> {
        let (Some(program), Ok(test)) = (self.program(key.0), &self.function(key).test) else {
            memory.is_over = true;
            return Ok(());
        };
        let folder = self.folder.join(format!("{}-{}", key.0, key.1));
        let corpus = folder.join("corpus");
        fs::create_dir_all(&corpus).context("making a folder for inputs")?;
        own_files::write(&folder.join("targets"), self.target_lines(key, findings))
            .context("writing the mutants")?;
        own_files::write(&folder.join("words"), self.dictionaries[key.0].as_bytes())
            .context("writing the dictionary")?;
        let started = Instant::now();
        while started.elapsed() < slice && memory.restarts <= MAX_RESTARTS {
            memory.rounds += 1;
            let left = slice.saturating_sub(started.elapsed());
            let mut job = format!(
                "seed {}\nmemory {MEMORY}\ntime {}\ncorpus {}\ntargets {}\ndictionary {}\nrecorded {}\nmutant-journal {}\n",
                memory.rounds,
                left.as_millis(),
                corpus.display(),
                folder.join("targets").display(),
                folder.join("words").display(),
                self.folder.join("recorded").display(),
                folder.join("mutant").display(),
            );
            job.extend(
                memory
                    .skipped
                    .iter()
                    .map(|mutant| format!("skip {mutant}\n")),
            );
            job.extend(memory.avoided.iter().map(|tree| format!("avoid {tree}\n")));
            let child = Child {
                program,
                test: test.clone(),
                folder: folder.clone(),
                corpus: Some(corpus.clone()),
                job,
                patience: PATIENCE,
            };
            let (messages, end) = child.run(&mut |_| {})?;
            let is_impossible = take(key, &messages, &mut lock(findings));
            let (tree, cause) = match end {
                End::Regular if is_impossible => {
                    memory.is_over = true;
                    return Ok(());
                }
                End::Regular => return Ok(()),
                End::Unexplained(_) => {
                    memory.is_over = true;
                    return Ok(());
                }
                End::Broken(tree, cause) => (tree, cause),
                End::Stuck(tree) => (tree, "it does not end".to_owned()),
            };
            memory.restarts += 1;
            self.broken(key, &child, tree, cause, memory, findings)?;
        }
        memory.is_over |= memory.restarts > MAX_RESTARTS;
        Ok(())
    }

    /// A process ended in the middle of a call: a mutant did it, or the function itself.
    fn broken(
        &self,
        key: (usize, usize),
        child: &Child<'_>,
        tree: Vec<u8>,
        cause: String,
        memory: &mut Memory,
        findings: &Mutex<Findings>,
    ) -> Result<()> {
        let journal = own_files::read(&child.folder.join("mutant")).unwrap_or_default();
        let mutant = read_journal(&journal).and_then(Tree::from_bytes);
        let Some(Tree::Int(mutant)) = mutant else {
            memory.avoided.insert(checksum(&tree));
            lock(findings).ended.insert(key);
            return Ok(());
        };
        let mutant = mutant as u32;
        memory.skipped.insert(mutant);
        let path = child.folder.join("tree");
        own_files::write(&path, &tree).context("writing an input")?;
        let once = Child {
            job: format!("once {}\nmemory {MEMORY}\n", path.display()),
            ..child.clone()
        };
        let (messages, end) = once.run(&mut |_| {})?;
        let arguments = messages.into_iter().find_map(|message| match message {
            Message::Arguments(arguments, _) => Some(arguments),
            _ => None,
        });
        if let (Some(arguments), End::Regular) = (arguments, end) {
            let kill = Kill {
                mutant,
                rank: 2,
                arguments,
                original: Vec::new(),
                mutated: Vec::new(),
            };
            let found = Found {
                function: key,
                kill,
                end: Some(cause),
            };
            lock(findings).found.entry(mutant).or_default().push(found);
        }
        Ok(())
    }

    fn program(&self, unit: usize) -> Option<&Program> {
        let root = self.root.join(&self.units[unit].root);
        self.programs.iter().find(|program| program.root == root)
    }

    /// The mutants that a process looks at, by the site that they are switched at.
    fn target_lines(&self, key: (usize, usize), findings: &Mutex<Findings>) -> String {
        let own = self.own(key);
        let findings = lock(findings);
        let is_public = self.function(key).is_public;
        let mut lines = String::new();
        for (low, high) in &self.units[key.0].choices {
            for target in self
                .targets
                .iter()
                .filter(|target| (*low..=*high).contains(&target.mutant))
            {
                let known = findings.found.get(&target.mutant);
                let is_done = match known {
                    // A public function may show what was found in a private one, or show it better.
                    Some(known) => {
                        !is_public
                            || known.iter().any(|one| {
                                self.function(one.function).is_public && one.kill.rank == 0
                            })
                    }
                    None => false,
                };
                if !is_done {
                    let word = if own.contains(&target.mutant) {
                        "own"
                    } else {
                        "target"
                    };
                    lines.push_str(&format!("{word} {low} {}\n", target.mutant));
                }
            }
        }
        lines
    }
}

/// Takes in what a process says; tells whether values of an argument cannot be made.
fn take(key: (usize, usize), messages: &[Message], findings: &mut Findings) -> bool {
    let mut is_impossible = false;
    let mut tried = BTreeMap::new();
    for message in messages {
        match message {
            Message::Kill(kill) => findings.found.entry(kill.mutant).or_default().push(Found {
                function: key,
                kill: kill.clone(),
                end: None,
            }),
            Message::Tried(counts) => tried.extend(counts.iter().copied()),
            Message::Cannot(name, _) => {
                is_impossible = true;
                findings
                    .not_callable
                    .insert(key, format!("no value of `{name}` can be made"));
            }
            Message::Ended { executions, .. } => findings.total += executions,
            _ => {}
        }
    }
    for (mutant, count) in tried {
        *findings.executions.entry(mutant).or_default() += count;
    }
    is_impossible
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
