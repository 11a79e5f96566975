//! The whole exploration, in order.

use super::build::{self, Program};
use super::child::{Child, Found, Message};
use super::constants::dictionary;
use super::crash;
use super::points;
use super::report::{ChangeProposal, Passing, Rejection, Report, Summary, TheoryReport, Violation};
use super::theories::{self, Theory};
use crate::render::{Here, TypeTable, written_type};
use crate::source::{SourceFile, module_files};
use crate::workspace::Workspace;
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How far the search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// So long, for all theories together.
    Time(Duration),
    /// So many executions of each theory.
    Runs(u64),
    /// Until nothing new is covered, for so long at most.
    Covered(Duration),
}

/// What to explore, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// The theories by name; all where there are none.
    pub theories: Vec<String>,
    /// How far.
    pub bound: Bound,
    /// For the random numbers.
    pub seed: u64,
    /// Whether inputs that pass on new paths are wanted.
    pub passing: bool,
    /// How long one input may take.
    pub patience: Duration,
    /// How many bytes one process may use.
    pub memory: u64,
    /// How many processes at once; as many as there are cores where nothing is said.
    pub jobs: Option<usize>,
    /// The part of the search that this machine does: k of n.
    pub shard: Option<(usize, usize)>,
    /// For cargo.
    pub cargo_arguments: Vec<String>,
    /// The command itself, which is the compiler's wrapper too.
    pub program: PathBuf,
}

/// What happens meanwhile.
pub enum Event<'e> {
    /// A new step.
    Step(&'e str),
    /// How many theories are done, of how many, and how many are violated.
    Progress(usize, usize, usize),
}

/// A process that ended in the middle of an input is started again so often.
const MOST_RESTARTS: usize = 4;
/// An assumption that lets less than one of so many through is told.
const FEW: u64 = 1_000;

/// Explores.
pub fn explore(workspace: &Workspace, request: &Request, tell: &(dyn Fn(Event<'_>) + Sync)) -> Result<Report> {
    tell(Event::Step("looking for theories"));
    let theories = theories::asked_for(theories::theories(workspace), &request.theories)?;
    tell(Event::Step("building with coverage and comparisons"));
    let (programs, took) =
        build::build(workspace, &request.program, &request.cargo_arguments, &targets_of(workspace, &theories))?;
    let sources = Sources::of(&theories);
    let folder = workspace.situ_folder().join("explore");
    let whole = Whole { request, programs: &programs, sources: &sources, folder: &folder };
    let started = Instant::now();
    let explored = whole.all(&theories, tell)?;
    let mut report = Report::default();
    let mut taken: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    for (theory, explored) in theories.iter().zip(explored) {
        let taken = taken.entry(theory.file.clone()).or_insert_with(|| theory.taken.iter().cloned().collect());
        whole.add(&mut report, theory, explored, taken);
    }
    report.summary = Summary {
        theories: report.theories.iter().filter(|theory| theory.not_explored.is_none()).count(),
        violated: report.violations.iter().map(|violation| &violation.theory).collect::<BTreeSet<_>>().len(),
        executions: report.theories.iter().map(|theory| theory.executions).sum(),
        seconds: started.elapsed().as_secs_f64(),
        build_seconds: took.as_secs_f64(),
        seed: request.seed,
    };
    report.changes = points::changes(workspace, &report.proposals)?;
    Ok(report)
}

/// Cargo's options that build only what has theories in it.
fn targets_of(workspace: &Workspace, theories: &[Theory]) -> Vec<String> {
    let mut options = BTreeSet::new();
    for package in workspace.packages() {
        for target in &package.targets {
            let has_theories = theories.iter().any(|theory| theory.root == target.src_path.as_std_path());
            if !has_theories {
                continue;
            }
            let option = match target.kind.first().map(ToString::to_string).as_deref() {
                Some("test") => format!("--test={}", target.name),
                Some("bin") => format!("--bin={}", target.name),
                _ => "--lib".to_owned(),
            };
            options.insert(option);
        }
    }
    options.into_iter().collect()
}

/// The sources of the crates that have theories.
struct Sources {
    crates: BTreeMap<PathBuf, (TypeTable, String)>,
}

impl Sources {
    fn of(theories: &[Theory]) -> Sources {
        let mut crates = BTreeMap::new();
        for theory in theories {
            crates.entry(theory.root.clone()).or_insert_with(|| {
                let files = module_files(&theory.root).unwrap_or_default();
                let mut all = dictionary(&files);
                // A test of a library compares with what the library's constants are.
                let library: Vec<SourceFile> = library_beside(&theory.root);
                all.push_str(&dictionary(&library));
                (TypeTable::of(&theory.krate, &files), all)
            });
        }
        Sources { crates }
    }
}

fn library_beside(root: &Path) -> Vec<SourceFile> {
    let folder = root.parent().and_then(Path::parent);
    let library = folder.map(|folder| folder.join("src/lib.rs")).filter(|library| library != root && library.exists());
    library.and_then(|library| module_files(&library).ok()).unwrap_or_default()
}

/// What became of one theory.
#[derive(Debug, Default)]
struct Explored {
    found: BTreeMap<String, Found>,
    passing: Vec<(Vec<String>, u64)>,
    rejected: BTreeMap<(String, String), (u64, Vec<String>)>,
    executions: u64,
    held: u64,
    edges: u64,
    seconds: f64,
    problem: Option<String>,
}

struct Whole<'w> {
    request: &'w Request,
    programs: &'w [Program],
    sources: &'w Sources,
    folder: &'w Path,
}

/// One process' part of a theory.
struct Work {
    theory: usize,
    worker: usize,
    workers: usize,
    time: Duration,
}

impl Whole<'_> {
    /// Explores all theories, as many at once as there are cores.
    fn all(&self, theories: &[Theory], tell: &(dyn Fn(Event<'_>) + Sync)) -> Result<Vec<Explored>> {
        let work = self.shares(theories.len());
        let (next, done, violated) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let results: Vec<Mutex<Explored>> = theories.iter().map(|_| Mutex::new(Explored::default())).collect();
        let failure: Mutex<Option<anyhow::Error>> = Mutex::new(None);
        thread::scope(|scope| {
            for _ in 0..self.cores().min(work.len()) {
                scope.spawn(|| {
                    while let Some(one) = work.get(next.fetch_add(1, Ordering::SeqCst)) {
                        match self.one(&theories[one.theory], one) {
                            Ok(explored) => {
                                let was_violated = !explored.found.is_empty();
                                let mut result = lock(&results[one.theory]);
                                violated
                                    .fetch_add(usize::from(was_violated && result.found.is_empty()), Ordering::SeqCst);
                                result.merge(explored);
                            }
                            Err(error) => *lock(&failure) = Some(error),
                        }
                        let done = done.fetch_add(1, Ordering::SeqCst) + 1;
                        tell(Event::Progress(done, work.len(), violated.load(Ordering::SeqCst)));
                    }
                });
            }
        });
        if let Some(error) = lock(&failure).take() {
            return Err(error);
        }
        Ok(results
            .into_iter()
            .map(|result| result.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
            .collect())
    }

    fn cores(&self) -> usize {
        self.request.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).max(1)
    }

    /// A fair share of the time for each theory, on all cores.
    fn shares(&self, theories: usize) -> Vec<Work> {
        let cores = self.cores();
        let workers = (cores / theories.max(1)).max(1);
        let (Bound::Time(time) | Bound::Covered(time)) = self.request.bound else {
            let time = Duration::from_secs(1 << 20);
            return (0..theories)
                .flat_map(|theory| (0..workers).map(move |worker| Work { theory, worker, workers, time }))
                .collect();
        };
        let share = time.mul_f64((cores as f64 / (theories * workers).max(1) as f64).min(1.0));
        let each = move |theory| (0..workers).map(move |worker| Work { theory, worker, workers, time: share });
        (0..theories).flat_map(each).collect()
    }

    /// One process for a theory, and another one when an input ends it.
    fn one(&self, theory: &Theory, work: &Work) -> Result<Explored> {
        let mut explored = Explored::default();
        let Some(program) = self.programs.iter().find(|program| program.root == theory.root) else {
            explored.problem = Some("its test program was not built".to_owned());
            return Ok(explored);
        };
        let folder = self.folder.join(folder_name(theory));
        let corpus = folder.join("corpus");
        fs::create_dir_all(&corpus).context("making a folder for inputs")?;
        let own = folder.join(format!("worker-{}", work.worker));
        fs::create_dir_all(&own).context("making a folder for a process")?;
        let words = own.join("dictionary");
        let text = self.sources.crates.get(&theory.root).map(|(_, words)| words.as_str()).unwrap_or_default();
        fs::write(&words, text).context("writing the dictionary")?;
        let started = Instant::now();
        let mut stubborn: BTreeMap<String, usize> = BTreeMap::new();
        for restart in 0..=MOST_RESTARTS {
            let left = work.time.saturating_sub(started.elapsed());
            let mut job = self.limits(work, left, explored.executions, restart);
            job.push_str(&format!("dictionary {}\ncorpus {}\n", words.display(), corpus.display()));
            job.extend(explored.found.keys().map(|class| format!("known {class}\n")));
            let child =
                Child { program, test: theory.test_name(), folder: own.clone(), job, patience: self.request.patience };
            let mut last = 0;
            let before = started.elapsed();
            let (messages, end) = child.run(&mut |message| {
                if let Message::Alive(executions, _) = message {
                    last = *executions;
                }
            })?;
            explored.take(messages, before);
            if let super::child::End::Unexplained(said) = &end {
                explored.problem = Some(format!("its test program does not run: {}", said.trim()));
            }
            let Some(broken) = crash::of_end(end) else { break };
            explored.executions += last;
            let micros = started.elapsed().as_micros() as u64;
            let alone = Child { job: format!("memory {}\n", self.request.memory), ..child };
            let Some(found) = crash::investigate(&alone, broken, micros, explored.executions)? else { continue };
            let times = stubborn.entry(found.class.clone()).or_default();
            *times += 1;
            let is_enough = *times > 1;
            explored.found.entry(found.class.clone()).or_insert(found);
            if is_enough || started.elapsed() >= work.time {
                break;
            }
        }
        explored.seconds = started.elapsed().as_secs_f64();
        Ok(explored)
    }

    fn limits(&self, work: &Work, left: Duration, executions: u64, restart: usize) -> String {
        let (shard, shards) = self.request.shard.unwrap_or((1, 1));
        // Different numbers for every machine, core and start, the same ones each time.
        let seed = self.request.seed.wrapping_mul(1_000_003)
            + ((shard - 1) * work.workers + work.worker + restart * shards * work.workers) as u64;
        let mut job = format!("seed {seed}\nmemory {}\n", self.request.memory);
        match self.request.bound {
            Bound::Time(_) => job.push_str(&format!("time {}\n", left.as_millis())),
            Bound::Covered(_) => job.push_str(&format!("time {}\nuntil-covered yes\n", left.as_millis())),
            Bound::Runs(runs) => {
                let share = (runs / work.workers as u64).max(1);
                job.push_str(&format!("runs {}\n", share.saturating_sub(executions).max(1)));
            }
        }
        if self.request.passing {
            job.push_str("passing yes\n");
        }
        job
    }

    /// Puts what became of a theory into the report.
    fn add(&self, report: &mut Report, theory: &Theory, explored: Explored, taken: &mut BTreeSet<String>) {
        let path = theory.path();
        let mut found: Vec<Found> = explored.found.into_values().collect();
        found.sort_by_key(|found| (found.micros, found.class.clone()));
        for found in found {
            let arguments: Vec<String> = found.arguments.iter().map(|text| self.named(theory, text)).collect();
            let points = points::items_for(theory, &arguments, taken);
            self.propose(report, theory, &points);
            let shown = shown(theory, &arguments);
            report.violations.push(Violation {
                theory: path.clone(),
                call: format!("{}({})", theory.name, shown.join(", ")),
                arguments: shown.join(", "),
                argument_list: shown,
                message: found.message,
                file: theory.file.clone(),
                line: theory.line,
                found_after_seconds: found.micros as f64 / 1e6,
                found_after_executions: found.executions,
                points,
                class: found.class,
            });
        }
        for (arguments, edges) in explored.passing {
            let arguments: Vec<String> = arguments.iter().map(|text| self.named(theory, text)).collect();
            let points = points::items_for(theory, &arguments, taken);
            self.propose(report, theory, &points);
            let shown = shown(theory, &arguments);
            report.passing.push(Passing {
                theory: path.clone(),
                passing: shown.join(", "),
                edges,
                argument_list: shown,
            });
        }
        let total: u64 = explored.rejected.values().map(|(count, _)| count).sum();
        if total > 0 && explored.held < (total + explored.held) / FEW {
            for ((assumption, place), (rejected, example)) in explored.rejected {
                let example: Vec<String> = example.iter().map(|text| self.named(theory, text)).collect();
                let example = shown(theory, &example);
                let example = format!("{}({})", theory.name, example.join(", "));
                report.rejections.push(Rejection { theory: path.clone(), assumption, place, rejected, example });
            }
        }
        report.theories.push(TheoryReport {
            theory: path,
            executions: explored.executions,
            held: explored.held,
            edges: explored.edges,
            seconds: explored.seconds,
            not_explored: explored.problem,
        });
    }

    fn propose(&self, report: &mut Report, theory: &Theory, items: &[String]) {
        if !items.is_empty() {
            let (at, is_after) = theory.point_place;
            report.proposals.push(ChangeProposal { file: theory.file.clone(), at, is_after, items: items.to_vec() });
        }
    }

    /// An expression with the names of types as the theory's module writes them.
    fn named(&self, theory: &Theory, expression: &str) -> String {
        let Some((types, _)) = self.sources.crates.get(&theory.root) else { return expression.to_owned() };
        let module = theory.module.join("::");
        let here = Here {
            krate: theory.krate.clone(),
            imports: theory.imports.clone(),
            module,
            function: None,
            short_names: true,
        };
        let mut out = String::new();
        let mut rest = expression;
        while let Some((before, after)) = rest.split_once('‹') {
            out.push_str(before);
            let Some((name, behind)) = after.split_once('›') else { break };
            out.push_str(&written_type(name, &here, types).unwrap_or_else(|| name.to_owned()));
            rest = behind;
        }
        out + rest
    }
}

impl Explored {
    fn take(&mut self, messages: Vec<Message>, before: Duration) {
        for message in messages {
            match message {
                Message::Violated(mut found) => {
                    found.micros += before.as_micros() as u64;
                    found.executions += self.executions;
                    self.found.entry(found.class.clone()).or_insert(found);
                }
                Message::Rejected { text, place, count, example } => {
                    self.rejected.entry((text, place)).or_insert((0, example)).0 += count;
                }
                Message::Passing(arguments, edges) => self.passing.push((arguments, edges)),
                Message::Done { executions, held, edges, .. } => {
                    self.executions += executions;
                    self.held += held;
                    self.edges = self.edges.max(edges);
                }
                Message::Cannot(name) => {
                    let why = format!("no value can be made for `{name}`; give it a data point or a supplier");
                    self.problem = Some(why);
                }
                Message::Alive(..) | Message::Arguments(_) | Message::Failed(_) => {}
            }
        }
    }

    /// Of two inputs with one failure the smaller is kept, with the time of the earlier.
    fn merge(&mut self, other: Explored) {
        for (class, mut found) in other.found {
            match self.found.get_mut(&class) {
                Some(known) => {
                    let size = |found: &Found| (found.arguments.concat().len(), found.arguments.clone());
                    if found.micros < known.micros {
                        std::mem::swap(&mut known.micros, &mut found.micros);
                        std::mem::swap(&mut known.executions, &mut found.executions);
                    }
                    if size(&found) < size(known) {
                        known.arguments = found.arguments;
                        known.message = found.message;
                        known.tree = found.tree;
                    }
                }
                None => drop(self.found.insert(class, found)),
            }
        }
        self.passing.extend(other.passing);
        for (key, (count, example)) in other.rejected {
            self.rejected.entry(key).or_insert((0, example)).0 += count;
        }
        self.executions += other.executions;
        self.held += other.held;
        self.edges = self.edges.max(other.edges);
        self.seconds += other.seconds;
        self.problem = self.problem.take().or(other.problem);
    }
}

/// The arguments as they stand in a call.
fn shown(theory: &Theory, arguments: &[String]) -> Vec<String> {
    let pairs = theory.parameters.iter().zip(arguments);
    pairs.map(|(parameter, argument)| points::as_argument(&parameter.of, argument)).collect()
}

fn folder_name(theory: &Theory) -> String {
    theory.path().chars().map(|one| if one.is_alphanumeric() || one == '_' { one } else { '.' }).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
