//! One run of an in-situ test: its target, its state, its repetitions and time limit.

use super::seek;
use super::shorten::shortened;
use super::skipped;
use crate::backtrace::__rust_begin_short_backtrace;
#[cfg(feature = "test")]
use crate::theory::take_skipped;
use std::io::Write;
use std::panic::{Location, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Returns false: without assumptions nothing is skipped.
#[cfg(not(feature = "test"))]
fn take_skipped() -> bool {
    false
}

/// The description of a test.
#[derive(Clone, Copy)]
pub struct Test {
    pub(super) place: &'static Location<'static>,
    pub(super) target_line: u32,
    pub(super) target: &'static str,
    pub(super) inputs: &'static str,
}

/// The settings of a test.
#[derive(Clone, Copy)]
pub struct Manner {
    /// The number of repetitions.
    pub repeat: u32,
    /// The time limit in milliseconds; zero is none.
    pub timeout_ms: u64,
    /// The number of counted branches.
    pub branches: usize,
    /// The number of mocks.
    pub mocks: usize,
}

/// One run of a test. It lives as long as the process, because a fragment may pass it to threads
/// that outlive the test.
pub struct Run {
    pub(super) test: Test,
    pub(super) round: u32,
    /// The values of inputs whose source does not show them.
    pub(super) values: Mutex<Vec<String>>,
    pub(super) cases: Mutex<Vec<String>>,
    pub(super) passes: Box<[AtomicU32]>,
    pub(super) calls: Box<[AtomicU32]>,
    /// The mocks that answered, one for each call, in the order of the calls.
    pub(super) answered: Mutex<Vec<usize>>,
    pub(super) line: AtomicU32,
    /// Set when the test itself has reported a failure; a panic without it comes from the fragment.
    pub(super) reported: AtomicBool,
    /// A failure whose panic the fragment may have caught.
    pub(super) swallowed: Mutex<Option<String>>,
    /// The assumptions that did not hold, in order, and how often each.
    rejections: Mutex<Vec<(&'static str, u32)>>,
    /// How often all assumptions held.
    assumed: AtomicU32,
    /// Whether the outcome is reported to the explorer only.
    pub(super) is_explored: bool,
    /// Set while a clause could exit the test invisibly.
    must_end: AtomicBool,
    finished: AtomicBool,
}

/// Keeps every run reachable, so that leak checkers see no leak.
static RUNS: Mutex<Vec<&'static Run>> = Mutex::new(Vec::new());

/// Locks a mutex, even if it is poisoned: what it protects is never partially written.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn counters(n: usize) -> Box<[AtomicU32]> {
    (0..n).map(|_| AtomicU32::new(0)).collect()
}

impl Run {
    fn start(test: Test, manner: Manner, round: u32, is_explored: bool) -> &'static Run {
        let run: &'static Run = Box::leak(Box::new(Run {
            test,
            round,
            values: Mutex::new(Vec::new()),
            cases: Mutex::new(Vec::new()),
            passes: counters(manner.branches),
            calls: counters(manner.mocks),
            answered: Mutex::new(Vec::new()),
            line: AtomicU32::new(0),
            reported: AtomicBool::new(false),
            swallowed: Mutex::new(None),
            rejections: Mutex::new(Vec::new()),
            assumed: AtomicU32::new(0),
            is_explored,
            must_end: AtomicBool::new(false),
            finished: AtomicBool::new(false),
        }));
        lock(&RUNS).push(run);
        run
    }

    /// Notes which element of `each` is being run; `depth` distinguishes nested `each` clauses.
    pub fn case(&self, depth: usize, number: usize, element: String) {
        let mut cases = lock(&self.cases);
        cases.truncate(depth);
        cases.push(format!("#{number} {}", shortened(&element)));
        drop(cases);
        lock(&self.values).clear();
        self.forget_passes_and_calls();
    }

    fn forget_passes_and_calls(&self) {
        self.passes
            .iter()
            .chain(self.calls.iter())
            .for_each(|counter| counter.store(0, Ordering::Relaxed));
        lock(&self.answered).clear();
    }

    /// Notes that the test must reach its end from here on.
    pub fn must_end(&self) {
        self.must_end.store(true, Ordering::Relaxed);
    }

    /// Notes that the test reached its end.
    pub fn ended(&self) {
        self.must_end.store(false, Ordering::Relaxed);
    }

    /// Keeps the value of an input for failure messages, if it can be displayed.
    pub fn input(&self, name: &'static str, value: Option<String>) {
        lock(&self.values).extend(value.map(|value| format!("{name} is {}", shortened(&value))));
    }

    /// Fails if an `each` had no element, because then no oracle ran.
    #[track_caller]
    pub fn had_cases(&self, each: &'static str, number: usize) {
        if number == 0 {
            self.fail(
                each,
                &[
                    ("expected", "at least one element".into()),
                    ("found", "none, so nothing was checked".into()),
                ],
            );
        }
    }

    /// Notes that all assumptions hold.
    pub fn assumed(&self) {
        self.assumed.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns whether nothing was checked because of assumptions.
    fn is_skipped(&self) -> bool {
        self.assumed.load(Ordering::Relaxed) == 0 && !lock(&self.rejections).is_empty()
    }

    /// Fails if assumptions rejected every element of an `each`, because then no oracle ran.
    #[track_caller]
    fn assumed_once(&self) {
        if self.is_explored
            || !self.is_skipped()
            || std::mem::take(&mut *lock(&self.cases)).is_empty()
        {
            return;
        }
        let rejections = lock(&self.rejections).clone();
        let count: u32 = rejections.iter().map(|(_, times)| times).sum();
        let each: Vec<String> = rejections
            .iter()
            .map(|(assumption, times)| format!("{assumption} {times}"))
            .collect();
        let found = format!(
            "none of {count}, so nothing was checked; rejected by {}",
            each.join(", ")
        );
        self.fail(
            rejections[0].0,
            &[
                ("expected", "at least one case in which it holds".into()),
                ("found", found),
            ],
        );
    }

    /// Reports on standard error, bypassing the runner's capture, that an assumption does not hold.
    pub fn skip(&self, assumption: &'static str) {
        let mut rejections = lock(&self.rejections);
        match rejections
            .iter_mut()
            .find(|(known, _)| *known == assumption)
        {
            Some((_, times)) => *times += 1,
            None => rejections.push((assumption, 1)),
        }
        drop(rejections);
        if self.is_explored {
            return;
        }
        let name = std::thread::current().name().unwrap_or("a test").to_owned();
        let case = lock(&self.cases).join(", ");
        let case = if case.is_empty() {
            case
        } else {
            format!(" (case {case})")
        };
        let line = format!(
            "skipped {name}{case}: {assumption} is false ({}:{})\n",
            self.test.place.file(),
            self.test.place.line()
        );
        // Nothing depends on this line; a closed standard error must not fail a test.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }

    /// Waits between the fragment and its oracles.
    pub fn delay_ms(&self, milliseconds: u64) {
        std::thread::sleep(Duration::from_millis(milliseconds));
    }

    #[track_caller]
    fn go(&'static self, body: fn(&'static Run)) {
        let _told = TellOfPanics(self);
        take_skipped();
        __rust_begin_short_backtrace(body, self);
        // An `assume!` in a clause exits the test on purpose, and has reported it.
        if self.must_end.load(Ordering::Relaxed) && !take_skipped() {
            let facts = [
                ("expected", "the test to come to its end".into()),
                ("found", "a clause left it before".into()),
            ];
            self.fail("", &facts);
        }
        if let Some(message) = lock(&self.swallowed).take() {
            // It was printed when it happened.
            resume_unwind(Box::new(message));
        }
        self.assumed_once();
        self.finished.store(true, Ordering::Relaxed);
    }
}

/// A guard that prints the target of the test when the fragment itself panics.
struct TellOfPanics(&'static Run);

impl Drop for TellOfPanics {
    fn drop(&mut self) {
        if std::thread::panicking()
            && !self.0.reported.load(Ordering::Relaxed)
            && !self.0.is_explored
        {
            eprintln!(
                "{}",
                self.0.report("", &[("found", "the panic above".into())])
            );
        }
    }
}

/// Runs the body of a test; its location is that of the caller.
#[track_caller]
pub fn run(body: fn(&'static Run), target_line: u32, target: &'static str, inputs: &'static str) {
    run_as(
        body,
        target_line,
        target,
        inputs,
        Manner {
            repeat: 1,
            timeout_ms: 0,
            branches: 0,
            mocks: 0,
        },
    );
}

/// Runs the body of a test with these settings.
#[track_caller]
pub fn run_as(
    body: fn(&'static Run),
    target_line: u32,
    target: &'static str,
    inputs: &'static str,
    manner: Manner,
) {
    let test = Test {
        place: Location::caller(),
        target_line,
        target,
        inputs,
    };
    if seek::is_asked() {
        return seek::run(&Again {
            run: Run::start(test, manner, 1, true),
            body,
        });
    }
    let mut is_skipped = true;
    for round in 1..=manner.repeat {
        let run = Run::start(test, manner, round, false);
        match manner.timeout_ms {
            0 => run.go(body),
            milliseconds => in_time(run, body, milliseconds),
        }
        is_skipped &= run.is_skipped();
        if is_skipped && round == manner.repeat {
            let why = lock(&run.rejections)
                .first()
                .map(|(assumption, _)| format!("{assumption} is false"));
            skipped::note(
                test.place.file(),
                test.place.line(),
                &why.unwrap_or_default(),
            );
        }
    }
}

/// A test that runs again and again on generated values.
pub struct Again {
    run: &'static Run,
    body: fn(&'static Run),
}

impl Again {
    /// Creates it from the same arguments as a single run.
    #[track_caller]
    pub fn new(
        body: fn(&'static Run),
        target_line: u32,
        target: &'static str,
        inputs: &'static str,
        (branches, mocks): (usize, usize),
    ) -> Again {
        let test = Test {
            place: Location::caller(),
            target_line,
            target,
            inputs,
        };
        let manner = Manner {
            repeat: 1,
            timeout_ms: 0,
            branches,
            mocks,
        };
        Again {
            run: Run::start(test, manner, 1, true),
            body,
        }
    }

    /// Returns whether an oracle failed in the last run.
    pub(super) fn has_reported(&self) -> bool {
        self.run.reported.load(Ordering::Relaxed)
    }

    /// Runs the test once more from a fresh state. Returns the assumption that did not hold, with
    /// its place.
    pub fn once(&self) -> Option<(&'static str, &'static str, u32)> {
        lock(&self.run.cases).clear();
        lock(&self.run.values).clear();
        lock(&self.run.swallowed).take();
        lock(&self.run.rejections).clear();
        self.run.must_end.store(false, Ordering::Relaxed);
        self.run.reported.store(false, Ordering::Relaxed);
        self.run.forget_passes_and_calls();
        self.run.go(self.body);
        let place = self.run.test.place;
        lock(&self.run.rejections)
            .last()
            .map(|(assumption, _)| (*assumption, place.file(), place.line()))
    }
}

#[track_caller]
fn in_time(run: &'static Run, body: fn(&'static Run), milliseconds: u64) {
    let (done, wait) = channel();
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let worker = std::thread::Builder::new()
        .name(name)
        .spawn(move || {
            // Dropped at the end or by a panic: either way the other side stops waiting.
            let _done = done;
            run.go(body);
        })
        .expect("starting a thread for a test with a time-out");
    let _: Result<(), RecvTimeoutError> = wait.recv_timeout(Duration::from_millis(milliseconds));
    if run.finished.load(Ordering::Relaxed)
        || worker.is_finished()
        || run.reported.load(Ordering::Relaxed)
    {
        if let Err(panic) = worker.join() {
            resume_unwind(panic);
        }
        return;
    }
    // The worker may be at its very end, unwinding: then its channel is closed already.
    if wait.try_recv() == Err(std::sync::mpsc::TryRecvError::Disconnected) {
        if let Err(panic) = worker.join() {
            resume_unwind(panic);
        }
        return;
    }
    run.fail(
        "timeout_ms",
        &[
            ("expected", format!("an end within {milliseconds} ms")),
            ("found", "it was still running".into()),
        ],
    );
}
