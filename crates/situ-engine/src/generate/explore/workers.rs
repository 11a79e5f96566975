//! The processes of an exploration: each theory has its share of time and cores, and a new process
//! after an input ended one.

use super::build::Program;
use super::child::{Child, End, Message};
use super::crash;
use super::explored::Explored;
use super::run::{Bound, Event, Request};
use super::sources::Sources;
use super::theories::Theory;
use crate::base::process::own_files;
use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum number of restarts after an input ended the process.
const MAX_RESTARTS: usize = 4;

/// The processes of an exploration.
pub(super) struct Workers<'w> {
    /// The options.
    pub request: &'w Request,
    /// The test programs.
    pub programs: &'w [Program],
    /// What the sources say.
    pub sources: &'w Sources,
    /// For each theory, what fuzzers found.
    pub imports: &'w [Vec<PathBuf>],
    /// The folder of the files.
    pub folder: &'w Path,
}

/// The part of a theory for one process.
struct Work {
    theory: usize,
    worker: usize,
    workers: usize,
    time: Duration,
}

impl Workers<'_> {
    /// Explores all theories, as many at once as there are cores.
    pub(super) fn all(
        &self,
        theories: &[Theory],
        tell: &(dyn Fn(Event<'_>) + Sync),
    ) -> Result<Vec<Explored>> {
        let work = self.shares(theories.len());
        let (next, done, violated) = (
            AtomicUsize::new(0),
            AtomicUsize::new(0),
            AtomicUsize::new(0),
        );
        let results: Vec<Mutex<Explored>> = theories
            .iter()
            .map(|_| Mutex::new(Explored::default()))
            .collect();
        let failure: Mutex<Option<anyhow::Error>> = Mutex::new(None);
        thread::scope(|scope| {
            for _ in 0..self.cores().min(work.len()) {
                scope.spawn(|| {
                    while let Some(one) = work.get(next.fetch_add(1, Ordering::SeqCst)) {
                        let theory = &theories[one.theory];
                        let explored = match self.request.imports.is_empty() {
                            true => self.one(theory, one),
                            false => self.imported(theory, one),
                        };
                        match explored {
                            Ok(explored) => {
                                let was_violated = !explored.found.is_empty();
                                let mut result = lock(&results[one.theory]);
                                violated.fetch_add(
                                    usize::from(was_violated && result.found.is_empty()),
                                    Ordering::SeqCst,
                                );
                                result.merge(explored);
                            }
                            Err(error) => *lock(&failure) = Some(error),
                        }
                        let done = done.fetch_add(1, Ordering::SeqCst) + 1;
                        tell(Event::Progress(
                            done,
                            work.len(),
                            violated.load(Ordering::SeqCst),
                        ));
                    }
                });
            }
        });
        if let Some(error) = lock(&failure).take() {
            return Err(error);
        }
        Ok(results
            .into_iter()
            .map(|result| {
                result
                    .into_inner()
                    .unwrap_or_else(std::sync::PoisonError::into_inner)
            })
            .collect())
    }

    fn cores(&self) -> usize {
        self.request
            .jobs
            .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
            .max(1)
    }

    /// Returns a fair share of the time for each theory, on all cores.
    fn shares(&self, theories: usize) -> Vec<Work> {
        let cores = self.cores();
        let workers = (cores / theories.max(1)).max(1);
        let (Bound::Time(time) | Bound::Covered(time)) = self.request.bound else {
            let time = Duration::from_secs(1 << 20);
            return (0..theories)
                .flat_map(|theory| {
                    (0..workers).map(move |worker| Work {
                        theory,
                        worker,
                        workers,
                        time,
                    })
                })
                .collect();
        };
        let share = time.mul_f64((cores as f64 / (theories * workers).max(1) as f64).min(1.0));
        let each = move |theory| {
            (0..workers).map(move |worker| Work {
                theory,
                worker,
                workers,
                time: share,
            })
        };
        (0..theories).flat_map(each).collect()
    }

    /// Executes the findings of fuzzers for a theory, each in a process of its own.
    fn imported(&self, theory: &Theory, work: &Work) -> Result<Explored> {
        let mut explored = Explored::default();
        let started = Instant::now();
        // One worker is enough for this.
        let files = self.imports[work.theory]
            .iter()
            .filter(|_| work.worker == 0);
        for file in files {
            let file = file
                .canonicalize()
                .with_context(|| format!("finding {}", file.display()))?;
            let job = format!(
                "memory {}\nimport {}\n",
                self.request.memory,
                file.display()
            );
            let known: String = explored
                .found
                .keys()
                .map(|class| format!("known {class}\n"))
                .collect();
            let Some(child) = self.child(theory, work, job + &known, &mut explored)? else {
                break;
            };
            let broken = self.watch(&child, &mut explored, started.elapsed())?;
            if let Some(broken) = broken {
                self.investigate(child, broken, &mut explored, started)?;
            }
        }
        explored.seconds = started.elapsed().as_secs_f64();
        Ok(explored)
    }

    /// Runs a process for a theory, and another one after an input ended it.
    fn one(&self, theory: &Theory, work: &Work) -> Result<Explored> {
        let mut explored = Explored::default();
        let corpus = self.corpus_of(theory);
        fs::create_dir_all(&corpus).context("making a folder for inputs")?;
        let started = Instant::now();
        let mut stubborn: BTreeMap<String, usize> = BTreeMap::new();
        for restart in 0..=MAX_RESTARTS {
            let left = work.time.saturating_sub(started.elapsed());
            let mut job = self.limits(work, left, explored.executions, restart);
            job.push_str(&format!(
                "recorded {}\n",
                self.folder.join("recorded").display()
            ));
            if self.request.seed.is_none() {
                job.push_str(&format!("corpus {}\n", corpus.display()));
            }
            job.extend(
                explored
                    .found
                    .keys()
                    .map(|class| format!("known {class}\n")),
            );
            let Some(child) = self.child(theory, work, job, &mut explored)? else {
                break;
            };
            let Some(broken) = self.watch(&child, &mut explored, started.elapsed())? else {
                break;
            };
            let Some(class) = self.investigate(child, broken, &mut explored, started)? else {
                continue;
            };
            let times = stubborn.entry(class).or_default();
            *times += 1;
            if *times > 1 || started.elapsed() >= work.time {
                break;
            }
        }
        explored.seconds = started.elapsed().as_secs_f64();
        Ok(explored)
    }

    /// Returns where inputs of a theory are kept.
    fn corpus_of(&self, theory: &Theory) -> PathBuf {
        self.folder.join(folder_name(theory)).join("corpus")
    }

    /// Returns a process with a job, or `None` if its test program was not compiled.
    fn child(
        &self,
        theory: &Theory,
        work: &Work,
        job: String,
        explored: &mut Explored,
    ) -> Result<Option<Child<'_>>> {
        let Some(program) = self
            .programs
            .iter()
            .find(|program| program.root == theory.root)
        else {
            explored.problem = Some("its test program was not compiled".to_owned());
            return Ok(None);
        };
        let folder = self
            .folder
            .join(folder_name(theory))
            .join(format!("worker-{}", work.worker));
        fs::create_dir_all(&folder).context("making a folder for a process")?;
        let words = folder.join("dictionary");
        own_files::write(&words, self.sources.words(theory)).context("writing the dictionary")?;
        let job = format!("{job}dictionary {}\n", words.display());
        let corpus = Some(self.corpus_of(theory)).filter(|corpus| corpus.exists());
        let (test, patience) = (theory.test_name(), self.request.patience);
        Ok(Some(Child {
            program,
            test,
            folder,
            corpus,
            job,
            patience,
        }))
    }

    /// Runs a process and adds its messages; returns the input that ended it, if one did.
    fn watch(
        &self,
        child: &Child<'_>,
        explored: &mut Explored,
        before: Duration,
    ) -> Result<Option<crash::Broken>> {
        let mut last = 0;
        let (messages, end) = child.run(&mut |message| {
            if let Message::Alive(executions, _) = message {
                last = *executions;
            }
        })?;
        explored.take(messages, before);
        if let End::Unexplained(said) = &end {
            explored.problem = Some(format!("its test program does not run: {}", said.trim()));
        }
        let broken = crash::of_end(end);
        explored.executions += if broken.is_some() { last } else { 0 };
        Ok(broken)
    }

    /// Confirms and simplifies an input that ended a process; returns the class of its failure.
    fn investigate(
        &self,
        child: Child<'_>,
        broken: crash::Broken,
        explored: &mut Explored,
        started: Instant,
    ) -> Result<Option<String>> {
        let micros = started.elapsed().as_micros() as u64;
        let alone = Child {
            job: format!("memory {}\n", self.request.memory),
            ..child
        };
        let found = crash::investigate(&alone, broken, micros, explored.executions)?;
        Ok(found.map(|found| {
            let class = found.class.clone();
            explored.found.entry(class.clone()).or_insert(found);
            class
        }))
    }

    fn limits(&self, work: &Work, left: Duration, executions: u64, restart: usize) -> String {
        let (shard, shards) = self.request.shard.unwrap_or((1, 1));
        // A different seed for every machine, core and start, but always the same ones.
        let seed = self.request.seed.unwrap_or(0).wrapping_mul(1_000_003)
            + ((shard - 1) * work.workers + work.worker + restart * shards * work.workers) as u64;
        let mut job = format!("seed {seed}\nmemory {}\n", self.request.memory);
        match self.request.bound {
            Bound::Time(_) => job.push_str(&format!("time {}\n", left.as_millis())),
            Bound::Covered(_) => {
                job.push_str(&format!("time {}\nuntil-covered yes\n", left.as_millis()))
            }
            Bound::Runs(runs) => {
                let share = (runs / work.workers as u64).max(1);
                job.push_str(&format!(
                    "runs {}\n",
                    share.saturating_sub(executions).max(1)
                ));
            }
        }
        if self.request.passing {
            job.push_str("passing yes\n");
        }
        job
    }
}

fn folder_name(theory: &Theory) -> String {
    theory
        .path()
        .chars()
        .map(|one| {
            if one.is_alphanumeric() || one == '_' {
                one
            } else {
                '.'
            }
        })
        .collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
