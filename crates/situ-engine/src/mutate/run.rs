//! Whole run: inventory, build, baseline, judging, report.

use super::build::{Builder, Built};
use super::empty_selection;
use super::inventory::{Inventory, Unreadable};
use super::isolated_builds::SingleBuilder;
use super::judge::{Case, Court, Status, Verdict};
use super::measured_build::{Ready, build_and_measure};
use super::mutant::{FileMutants, Mutant};
use super::optimize_payoff;
use super::report::{Judged, Report};
use super::select::Wanted;
use super::verdict_cache::{self, Memory};
use crate::cargo::workspace::{Selection, Workspace};
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Arguments of `cargo situ mutants`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub selection: Selection,
    /// `--in`
    pub places: Vec<String>,
    /// `--in-diff`
    pub diff: Option<PathBuf>,
    /// `--again`
    pub report: Option<PathBuf>,
    /// `--shard`
    pub shard: Option<String>,
    /// `--tests`
    pub tests: Option<String>,
    /// `--iterate`
    pub iterate: bool,
    /// `--thorough`
    pub thorough: bool,
    /// Whether to run doctests.
    pub doctests: bool,
    /// `--matrix`
    pub whole_matrix: bool,
    /// Path of the command itself, which cargo calls as its compiler.
    pub program: PathBuf,
    /// Number of processes at once; the number of cores if `None`.
    pub jobs: Option<usize>,
}

/// Event of a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A step begins.
    Step(&'a str),
    /// Some of all mutants have been judged.
    Judged {
        /// Number of judged mutants.
        done: usize,
        /// Number of all mutants.
        of: usize,
        /// Number of surviving mutants so far.
        survived: usize,
    },
}

/// Builds all mutants once, measures the baseline, and judges each mutant with the tests that reach
/// it.
pub fn run(request: &Request, tell: &(dyn Fn(Event<'_>) + Sync)) -> Result<Report> {
    let clock = Clock::start();
    let tell: &(dyn Fn(Event<'_>) + Sync) = &|event| {
        if let Event::Step(name) = event {
            clock.step(name);
        }
        tell(event);
    };
    let (diff, report, shard) = (
        request.diff.as_deref(),
        request.report.as_deref(),
        request.shard.as_deref(),
    );
    let wanted = Wanted::new(&request.places, diff, report, shard)?;
    tell(Event::Step("finding mutants"));
    let workspace = Workspace::load(&request.selection)?;
    let folder = workspace.situ_folder().join("mutants");
    fs::create_dir_all(&folder).context("creating the mutants' folder")?;
    let inventory = Inventory::take(&workspace, &folder.join("numbers.json"))?;
    empty_selection::check(
        &wanted,
        &inventory.files,
        &inventory.unreadable,
        workspace.root(),
    )?;
    tell(Event::Step("building"));
    let mut builder = Builder::prepare(&workspace, &inventory, &request.program)?;
    if !request.doctests {
        builder = builder.without_doctests();
    }
    let selected = |built: &Built| {
        let selected = wanted.select(&inventory.files, |id| built.alive.contains(&id));
        selected
            .into_iter()
            .map(|(_, mutant)| mutant.id)
            .collect::<BTreeSet<u32>>()
    };
    let cores = request
        .jobs
        .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let places = folder.join("places");
    let mut ready = build_and_measure(builder, &workspace, request, (cores, &folder), tell)?;
    if optimize_payoff::pays(
        ready.built.seconds,
        &ready.baseline,
        &ready.reached_by(&selected(&ready.built)),
    ) {
        tell(Event::Step("building with optimization"));
        // If the tests do not pass with optimisation, the unoptimised build is judged.
        ready = ready
            .optimized(&workspace, request, (cores, &folder))
            .unwrap_or(ready);
    }
    let mut session = Session::new(&workspace, &inventory, &ready.built, &wanted, request)?;
    tell(Event::Step("judging"));
    let court = Court::new(
        &ready.programs,
        &ready.baseline,
        &places,
        request.whole_matrix,
    );
    session.judge(&ready, &court, tell)?;
    if request.thorough {
        tell(Event::Step("building one by one"));
        session.judge_singly(&workspace, &court, &places, tell)?;
    }
    session.memory.end()?;
    let _ = fs::remove_dir_all(&places);
    let is_meant = |file: &&Unreadable| {
        (file.is_root || ready.built.unreadable.contains(&file.path))
            && wanted.may_be_in(&file.path)
    };
    let unreadable = inventory
        .unreadable
        .iter()
        .filter(is_meant)
        .cloned()
        .collect();
    let (tests, unstable_tests) = (court.tests(), court.unstable_tests());
    Ok(Report {
        unreadable,
        tests,
        unstable_tests,
        build: Some(ready.built.builder.configuration().clone()),
        ..session.report(&clock)
    })
}

/// Clock that records when each step began.
struct Clock {
    started: Instant,
    steps: Mutex<Vec<(String, Duration)>>,
}

impl Clock {
    fn start() -> Clock {
        Clock {
            started: Instant::now(),
            steps: Mutex::new(Vec::new()),
        }
    }

    fn step(&self, name: &str) {
        lock(&self.steps).push((name.to_owned(), self.started.elapsed()));
    }

    /// Returns the steps with their durations in seconds.
    fn steps(&self) -> Vec<(String, f64)> {
        let steps = lock(&self.steps);
        let ends = steps
            .iter()
            .skip(1)
            .map(|(_, at)| *at)
            .chain([self.started.elapsed()]);
        steps
            .iter()
            .zip(ends)
            .map(|((name, at), end)| (name.clone(), (end - *at).as_secs_f64()))
            .collect()
    }
}

/// Mutant to judge, with its cache key and the text of its file.
struct Candidate<'a> {
    file: &'a FileMutants,
    mutant: &'a Mutant,
    text: &'a str,
    key: u64,
    neighbourhood: usize,
}

struct Session<'a> {
    request: &'a Request,
    built: &'a Built,
    inventory: &'a Inventory,
    candidates: Vec<Candidate<'a>>,
    /// Mutants that cannot be switched at run time.
    fixed: Vec<Candidate<'a>>,
    rejected: usize,
    not_tried: usize,
    memory: Memory,
    /// Cache key of each mutant.
    keys: HashMap<u32, u64>,
    verdicts: HashMap<u32, Verdict>,
    root: PathBuf,
}

impl<'a> Session<'a> {
    fn new(
        workspace: &Workspace,
        inventory: &'a Inventory,
        built: &'a Built,
        wanted: &Wanted,
        request: &'a Request,
    ) -> Result<Session<'a>> {
        let count =
            |of: &BTreeSet<u32>| wanted.select(&inventory.files, |id| of.contains(&id)).len();
        let candidates = candidates(
            wanted.select(&inventory.files, |id| built.alive.contains(&id)),
            workspace,
        )?;
        let fixed = candidates_not_tried(inventory, built, wanted, request, workspace)?;
        let path = workspace.situ_folder().join("mutants").join("memory.jsonl");
        Ok(Session {
            request,
            built,
            inventory,
            keys: candidates
                .iter()
                .map(|candidate| (candidate.mutant.id, candidate.key))
                .collect(),
            candidates,
            not_tried: count(&built.not_tried) - fixed.len(),
            fixed,
            rejected: count(&built.rejected),
            memory: Memory::open(&path, identity(inventory, built))?,
            verdicts: HashMap::new(),
            root: workspace.root().to_path_buf(),
        })
    }

    /// Takes known verdicts from the cache, and judges the rest.
    fn judge(
        &mut self,
        ready: &Ready,
        court: &Court<'_>,
        tell: &(dyn Fn(Event<'_>) + Sync),
    ) -> Result<()> {
        let ids = self
            .candidates
            .iter()
            .map(|candidate| candidate.mutant.id)
            .collect();
        let reached_by = ready.reached_by(&ids);
        self.verdicts = self.known_verdicts(court)?;
        let mut cases = Vec::new();
        for candidate in &self.candidates {
            let id = candidate.mutant.id;
            if !self.verdicts.contains_key(&id) {
                let tests = reached_by.get(&id).cloned().unwrap_or_default();
                cases.push(Case {
                    id,
                    neighbourhood: candidate.neighbourhood,
                    tests,
                });
            }
        }
        let judged: Mutex<(HashMap<u32, bool>, usize)> = Mutex::default();
        let verdicts = court.judge(&cases, |case, verdict| {
            // A verdict that cannot be written is judged again by the next run.
            let _ = self.memory.note(self.keys[&case.id], verdict);
            let mut judged = lock(&judged);
            let survived = verdict.status == Status::Survived;
            let earlier = judged.0.insert(case.id, survived);
            judged.1 = judged.1 + usize::from(survived) - usize::from(earlier == Some(true));
            tell(Event::Judged {
                done: judged.0.len(),
                of: cases.len(),
                survived: judged.1,
            });
        })?;
        self.verdicts
            .extend(cases.iter().map(|case| case.id).zip(verdicts));
        Ok(())
    }

    /// Returns cached verdicts: those of an interrupted run, and earlier kills with `--iterate`.
    /// Their tests must be stable in this run too.
    fn known_verdicts(&self, court: &Court<'_>) -> Result<HashMap<u32, Verdict>> {
        let known = self.candidates.iter().filter_map(|candidate| {
            let known = self.memory.interrupted(candidate.key);
            let known = known.or_else(|| {
                self.memory
                    .killed_earlier(candidate.key)
                    .filter(|_| self.request.iterate)
            });
            Some((candidate.mutant.id, known?.clone()))
        });
        let mut known: HashMap<u32, Verdict> = known.collect();
        court.keep_reliable(&mut known)?;
        Ok(known)
    }

    /// Judges mutants that cannot be switched, each in its own build.
    fn judge_singly(
        &mut self,
        workspace: &Workspace,
        court: &Court<'_>,
        places: &Path,
        tell: &(dyn Fn(Event<'_>) + Sync),
    ) -> Result<()> {
        let fixed = std::mem::take(&mut self.fixed);
        let builder = SingleBuilder::new(workspace, self.built, court, places)?;
        for (done, candidate) in fixed.iter().enumerate() {
            let of = fixed.len();
            tell(Event::Judged {
                done,
                of,
                survived: 0,
            });
            match builder.judge(candidate.mutant.id)? {
                Some(verdict) => {
                    self.memory.note(candidate.key, &verdict)?;
                    self.verdicts.insert(candidate.mutant.id, verdict);
                }
                None => self.rejected += 1,
            }
        }
        self.keys.extend(
            fixed
                .iter()
                .map(|candidate| (candidate.mutant.id, candidate.key)),
        );
        self.candidates.extend(fixed);
        Ok(())
    }

    fn report(self, clock: &Clock) -> Report {
        let mut verdicts = self.verdicts;
        let judged = self.candidates.iter().filter_map(|candidate| {
            let verdict = verdicts.remove(&candidate.mutant.id)?;
            Some(Judged::new(
                candidate.file,
                candidate.mutant,
                candidate.text,
                verdict,
            ))
        });
        Report {
            mutants: judged.collect(),
            not_compiling: self.rejected,
            not_tried: self.not_tried,
            has_macros: self.inventory.files.iter().any(|file| file.in_macro),
            seconds: clock.started.elapsed().as_secs_f64(),
            steps: clock.steps(),
            has_all_tests: self.request.tests.is_none(),
            root: self.root,
            files: self
                .inventory
                .files
                .iter()
                .map(|file| file.path.clone())
                .collect(),
            ..Report::default()
        }
    }
}

/// Returns mutants with their cache keys and neighbourhoods.
fn candidates<'a>(
    selected: Vec<(&'a FileMutants, &'a Mutant)>,
    workspace: &Workspace,
) -> Result<Vec<Candidate<'a>>> {
    let mut texts: BTreeMap<&Path, &'a str> = BTreeMap::new();
    let mut candidates = Vec::new();
    let mut neighbourhoods: HashMap<(&Path, Option<usize>), usize> = HashMap::new();
    for (file, mutant) in selected {
        if !texts.contains_key(file.path.as_path()) {
            let text = fs::read_to_string(workspace.root().join(&file.path))
                .context("reading a source file")?;
            texts.insert(&file.path, text.leak());
        }
        let text = texts[file.path.as_path()];
        let next = neighbourhoods.len();
        let neighbourhood = *neighbourhoods
            .entry((&file.path, mutant.function))
            .or_insert(next);
        candidates.push(Candidate {
            file,
            mutant,
            text,
            key: verdict_cache::key(file, mutant, text),
            neighbourhood,
        });
    }
    Ok(candidates)
}

/// Returns the mutants that cannot be switched, if they are to be built one by one.
fn candidates_not_tried<'a>(
    inventory: &'a Inventory,
    built: &Built,
    wanted: &Wanted,
    request: &Request,
    workspace: &Workspace,
) -> Result<Vec<Candidate<'a>>> {
    if !request.thorough {
        return Ok(Vec::new());
    }
    candidates(
        wanted.select(&inventory.files, |id| built.not_tried.contains(&id)),
        workspace,
    )
}

/// Returns a hash of what was woven and what compiled. It does not contain the time, because cargo
/// may build the same thing again.
fn identity(inventory: &Inventory, built: &Built) -> u64 {
    let mut hasher = DefaultHasher::new();
    for file in &inventory.files {
        (
            &file.path,
            file.mutants.len(),
            file.mutants.first().map(|mutant| mutant.id),
        )
            .hash(&mut hasher);
    }
    for program in &built.programs {
        (&program.path, fs::read(&program.path).ok()).hash(&mut hasher);
    }
    hasher.finish()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
