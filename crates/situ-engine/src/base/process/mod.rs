//! The only module that starts processes: process groups, time limits, a sandbox for the user's programs, no standard input
//! but what is given.

mod descendants;
pub mod descriptors;
mod follow;
mod group;
pub mod keeper;
mod network;
mod orphans;
mod processor;
pub mod sandbox;
pub mod signals;
mod space;
mod stack;
mod umask;
pub(crate) mod workspace_lock;

use anyhow::{Context as _, Result};
use std::io::Write as _;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

pub use descendants::kill_descendants;
pub use group::{kill_all_groups, signal_of};
pub use network::without_network;
pub use processor::processor_time_of_children;
pub(crate) use sandbox::own_files;
pub use sandbox::{Exceeded, Scratch};
pub use space::free_space;
pub use stack::with_larger_stack;
pub use umask::with_umask;
pub use workspace_lock::{Alone, alone};

/// What a finished process left.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error, where that was kept.
    pub stderr: String,
    /// How long it took.
    pub took: Duration,
    /// Whether it was stopped because its time was over.
    pub timed_out: bool,
    /// Whether it was stopped because its output said enough.
    pub stopped: bool,
    /// The bound of the sandbox that it was stopped for.
    pub exceeded: Option<Exceeded>,
}

/// What to do after a piece of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Read on.
    Continue,
    /// Read no more, and wait for the end.
    Finish,
    /// The rest does not matter: end the process.
    Stop,
}

/// How long a process may take.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// As long as it likes.
    None,
    /// So long in all.
    Whole(Duration),
    /// So long without a sign of life on standard output.
    Silent(Duration),
}

impl Limit {
    /// When the time of a process that started then is over, unless it gives a sign of life.
    fn deadline(self, started: Instant) -> Option<Instant> {
        match self {
            Limit::None => None,
            Limit::Whole(time) | Limit::Silent(time) => Some(started + time),
        }
    }
}

impl From<Option<Duration>> for Limit {
    fn from(limit: Option<Duration>) -> Limit {
        limit.map_or(Limit::None, Limit::Whole)
    }
}

/// Runs a command to its end in a process group of its own and gives all its output.
pub fn run(command: &mut Command, limit: Option<Duration>) -> Result<Finished> {
    command.stderr(Stdio::piped());
    stream(command, limit, |_, _| Next::Continue)
}

/// Runs a command that reads a text, to its end, and gives all its output.
pub fn run_with_input(
    command: &mut Command,
    input: &str,
    limit: Option<Duration>,
) -> Result<Finished> {
    command.stderr(Stdio::piped()).stdin(Stdio::piped());
    start(
        command,
        None,
        Some(input.to_owned()),
        limit.into(),
        &mut |_, _| Next::Continue,
    )
}

/// Runs a command and shows standard output to `watch` as it comes, with the time since the start. Standard error goes
/// where the command says; it is kept if that is a pipe.
pub fn stream(
    command: &mut Command,
    limit: impl Into<Limit>,
    mut watch: impl FnMut(&str, Duration) -> Next,
) -> Result<Finished> {
    command.stdin(Stdio::null());
    start(command, None, None, limit.into(), &mut watch)
}

/// Runs a program of the user's in the sandbox, to its end, and gives all its output.
pub fn run_confined(
    command: &mut Command,
    scratch: &Scratch,
    limit: Option<Duration>,
) -> Result<Finished> {
    command.stderr(Stdio::piped());
    stream_confined(command, scratch, limit, |_, _| Next::Continue)
}

/// Runs a program of the user's in the sandbox and shows standard output to `watch` as it comes, with the time since the
/// start. Standard error goes where the command says; it is kept if that is a pipe.
pub fn stream_confined(
    command: &mut Command,
    scratch: &Scratch,
    limit: impl Into<Limit>,
    mut watch: impl FnMut(&str, Duration) -> Next,
) -> Result<Finished> {
    command.stdin(Stdio::null());
    start(command, Some(scratch), None, limit.into(), &mut watch)
}

fn start(
    command: &mut Command,
    scratch: Option<&Scratch>,
    input: Option<String>,
    limit: Limit,
    watch: &mut dyn FnMut(&str, Duration) -> Next,
) -> Result<Finished> {
    command.stdout(Stdio::piped());
    let started = Instant::now();
    let mut child =
        group::spawn(command, scratch).with_context(|| format!("starting {}", shown(command)))?;
    if let (Some(input), Some(mut stream)) = (input, child.stdin.take()) {
        // A process that reads only a part of it says itself what is wrong.
        thread::spawn(move || stream.write_all(input.as_bytes()));
    }
    let followed = follow::follow(&mut child, scratch, (started, limit), watch)
        .context("waiting for a process")?;
    Ok(Finished {
        status: followed.status,
        stdout: string_of(followed.stdout),
        stderr: string_of(followed.stderr),
        took: started.elapsed(),
        timed_out: followed.timed_out,
        stopped: followed.next == Next::Stop,
        exceeded: followed.exceeded,
    })
}

/// Output is nearly always valid, and then not copied.
fn string_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Runs a command with this process's own streams and gives its exit code.
pub fn run_as_is(command: &mut Command) -> Result<i32> {
    group::mark(command);
    descriptors::lend_inherited(command);
    let status = command
        .status()
        .with_context(|| format!("starting {}", shown(command)))?;
    Ok(status.code().unwrap_or(101))
}

static RUNS_USERS_COMMAND: AtomicBool = AtomicBool::new(false);
static USERS_COMMAND_ENDED: Mutex<Option<Instant>> = Mutex::new(None);

/// The command ends at once when it is interrupted; on a busy machine, this process may hear of the interrupt later.
const LATE: Duration = Duration::from_secs(3);

/// How a command of the user's ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandEnd {
    /// Its exit code.
    pub code: i32,
    /// Whether its time was over, and it was ended with all that it started.
    pub timed_out: bool,
}

/// Runs a command of the user's with this process's own streams: while it runs, interrupts are for it alone. After `limit`
/// it is ended, with all that it started.
pub fn run_users_command(command: &mut Command, limit: Option<Duration>) -> Result<CommandEnd> {
    RUNS_USERS_COMMAND.store(true, Ordering::SeqCst);
    let (over, is_over) = mpsc::channel::<()>();
    let timer = limit.map(|limit| {
        thread::spawn(move || {
            let timed_out = is_over.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
            if timed_out {
                kill_descendants();
            }
            timed_out
        })
    });
    let code = run_as_is(command);
    drop(over);
    let timed_out = timer.is_some_and(|timer| timer.join().unwrap_or(false));
    if let Ok(mut ended) = USERS_COMMAND_ENDED.lock() {
        *ended = Some(Instant::now());
    }
    RUNS_USERS_COMMAND.store(false, Ordering::SeqCst);
    Ok(CommandEnd {
        code: code?,
        timed_out,
    })
}

/// Whether an interrupt is meant for a command of the user's: one that runs, or that ended a moment ago, by it.
pub fn is_for_users_command() -> bool {
    let ended = USERS_COMMAND_ENDED
        .lock()
        .ok()
        .and_then(|mut ended| ended.take());
    RUNS_USERS_COMMAND.load(Ordering::SeqCst) || ended.is_some_and(|ended| ended.elapsed() < LATE)
}

/// A command as a user would type it, for messages.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_process_over_its_time_is_ended_with_all_that_it_started() {
        let finished = run(
            &mut shell("sleep 30 & sleep 30"),
            Some(Duration::from_millis(50)),
        )
        .unwrap();
        assert!(finished.timed_out && finished.took < Duration::from_secs(10));
    }

    #[test]
    fn output_can_end_a_process() {
        let mut command = shell("echo enough; sleep 30");
        let finished = stream(&mut command, None, |text, _| {
            if text.contains("enough") {
                Next::Stop
            } else {
                Next::Continue
            }
        });
        let finished = finished.unwrap();
        assert!(finished.stopped && !finished.timed_out && finished.took < Duration::from_secs(10));
    }

    #[test]
    fn both_streams_are_kept() {
        let finished = run(
            &mut shell("echo out; echo err >&2; exit 3"),
            Some(Duration::from_secs(30)),
        )
        .unwrap();
        assert_eq!(
            (finished.stdout.as_str(), finished.stderr.as_str()),
            ("out\n", "err\n")
        );
        assert_eq!(finished.status.code(), Some(3));
    }
}
