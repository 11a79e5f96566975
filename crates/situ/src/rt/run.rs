//! One run of an in-situ test: what it is about, what happened in it so far, how often it runs and for how long.

use std::io::Write;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What is known of a test when it is compiled.
pub struct Test {
    pub(super) file: &'static str,
    pub(super) line: u32,
    pub(super) target_line: u32,
    pub(super) target: &'static str,
    pub(super) inputs: &'static str,
    repeat: u32,
    timeout_ms: Option<u64>,
    branches: usize,
    mocks: usize,
}

impl Test {
    /// A test at `file:line` of the `target` text at `target_line`, with the text of its `inputs`.
    pub const fn new(
        file: &'static str,
        line: u32,
        target_line: u32,
        target: &'static str,
        inputs: &'static str,
    ) -> Self {
        Test { file, line, target_line, target, inputs, repeat: 1, timeout_ms: None, branches: 0, mocks: 0 }
    }

    /// The same, run this many times.
    #[must_use]
    pub const fn repeat(mut self, times: u32) -> Self {
        self.repeat = times;
        self
    }

    /// The same, failing after this many milliseconds.
    #[must_use]
    pub const fn timeout_ms(mut self, milliseconds: u64) -> Self {
        self.timeout_ms = Some(milliseconds);
        self
    }

    /// The same, counting the passes of this many branches.
    #[must_use]
    pub const fn branches(mut self, branches: usize) -> Self {
        self.branches = branches;
        self
    }

    /// The same, counting the calls of this many mocks.
    #[must_use]
    pub const fn mocks(mut self, mocks: usize) -> Self {
        self.mocks = mocks;
        self
    }
}

/// One run of a test. It lives as long as the process, because a fragment may hand it to threads that outlive the test.
pub struct Run {
    pub(super) test: &'static Test,
    pub(super) round: u32,
    /// What inputs turned out to be whose text does not tell.
    pub(super) values: Mutex<Vec<String>>,
    pub(super) cases: Mutex<Vec<String>>,
    pub(super) passes: Box<[AtomicU32]>,
    pub(super) calls: Box<[AtomicU32]>,
    pub(super) line: AtomicU32,
    /// Set when a message about the test has been made; a panic without it comes from the fragment itself.
    pub(super) reported: AtomicBool,
    /// A failure that the fragment may have swallowed together with the panic that told of it.
    pub(super) swallowed: Mutex<Option<String>>,
    finished: AtomicBool,
}

/// Keeps every run reachable, so that leak checkers see no leak.
static RUNS: Mutex<Vec<&'static Run>> = Mutex::new(Vec::new());

/// Locks, also after a panic elsewhere: what is kept here is never half written.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn counters(n: usize) -> Box<[AtomicU32]> {
    (0..n).map(|_| AtomicU32::new(0)).collect()
}

impl Run {
    fn start(test: &'static Test, round: u32) -> &'static Run {
        let run: &'static Run = Box::leak(Box::new(Run {
            test,
            round,
            values: Mutex::new(Vec::new()),
            cases: Mutex::new(Vec::new()),
            passes: counters(test.branches),
            calls: counters(test.mocks),
            line: AtomicU32::new(0),
            reported: AtomicBool::new(false),
            swallowed: Mutex::new(None),
            finished: AtomicBool::new(false),
        }));
        lock(&RUNS).push(run);
        run
    }

    /// Says which element of `each` is being run; `depth` tells one `each` from the one inside it.
    pub fn case(&self, depth: usize, number: usize, element: String) {
        let mut cases = lock(&self.cases);
        cases.truncate(depth);
        cases.push(format!("#{number} {element}"));
        drop(cases);
        lock(&self.values).clear();
        self.passes.iter().chain(self.calls.iter()).for_each(|counter| counter.store(0, Ordering::Relaxed));
    }

    /// Remembers what an input turned out to be, where it can be shown.
    pub fn input(&self, name: &'static str, value: Option<String>) {
        lock(&self.values).extend(value.map(|value| format!("{name} is {value}")));
    }

    /// Fails when an `each` had no element at all, for then no oracle ran.
    #[track_caller]
    pub fn had_cases(&self, each: &'static str, number: usize) {
        if number == 0 {
            self.fail(
                each,
                &[("expected", "at least one element".into()), ("found", "none, so nothing was checked".into())],
            );
        }
    }

    /// Says on standard error, past the runner's capture, that an assumption does not hold.
    pub fn skip(&self, assumption: &'static str) {
        let name = std::thread::current().name().unwrap_or("a test").to_owned();
        let case = lock(&self.cases).join(", ");
        let case = if case.is_empty() { case } else { format!(" (case {case})") };
        let line = format!("skipped {name}{case}: {assumption} is false ({}:{})\n", self.test.file, self.test.line);
        // Nothing depends on this line; a closed standard error must not fail a test.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }

    /// Waits between the fragment and its oracles.
    pub fn delay_ms(&self, milliseconds: u64) {
        std::thread::sleep(Duration::from_millis(milliseconds));
    }

    fn go(&'static self, body: fn(&'static Run)) {
        let _told = TellOfPanics(self);
        body(self);
        if let Some(message) = lock(&self.swallowed).take() {
            // It was printed when it happened.
            resume_unwind(Box::new(message));
        }
        self.finished.store(true, Ordering::Relaxed);
    }
}

/// Prints what the test was about when the fragment panics on its own.
struct TellOfPanics(&'static Run);

impl Drop for TellOfPanics {
    fn drop(&mut self) {
        if std::thread::panicking() && !self.0.reported.load(Ordering::Relaxed) {
            eprintln!("{}", self.0.report("", &[("found", "the panic above".into())]));
        }
    }
}

/// Runs `body` as often and as long as the test says.
#[track_caller]
pub fn run(test: &'static Test, body: fn(&'static Run)) {
    for round in 1..=test.repeat {
        let run = Run::start(test, round);
        match test.timeout_ms {
            None => run.go(body),
            Some(milliseconds) => in_time(run, body, milliseconds),
        }
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
    if run.finished.load(Ordering::Relaxed) || worker.is_finished() || run.reported.load(Ordering::Relaxed) {
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
        &[("expected", format!("an end within {milliseconds} ms")), ("found", "it was still running".into())],
    );
}
