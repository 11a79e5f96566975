//! The only module that starts processes: process groups, time limits, a sandbox for the user's
//! programs, and no standard input unless the caller provides it.

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

/// Exit status and output of a finished process.
#[derive(Clone, Debug)]
pub struct Finished {
    pub status: ExitStatus,
    /// Standard output; invalid UTF-8 is replaced.
    pub stdout: String,
    /// Standard error, if it was a pipe; invalid UTF-8 is replaced.
    pub stderr: String,
    /// Wall-clock time from start to exit.
    pub took: Duration,
    /// Whether the process was killed because of its time limit.
    pub timed_out: bool,
    /// Whether the process was killed because `watch` returned [`Next::Stop`].
    pub stopped: bool,
    /// Limit of the sandbox that the process was killed for.
    pub exceeded: Option<Exceeded>,
}

/// What to do after a chunk of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Continue,
    /// Ignore further output and wait for the exit.
    Finish,
    /// Kill the process.
    Stop,
}

/// Time limit of a process.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    None,
    /// Limit for the whole execution.
    Whole(Duration),
    /// Limit for the time since the last output on standard output.
    Silent(Duration),
}

impl Limit {
    /// Returns when the time is over for a process that started, or last wrote output, at
    /// `started`.
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

/// Runs a command to its end, in its own process group, and returns its output.
pub fn run(command: &mut Command, limit: Option<Duration>) -> Result<Finished> {
    command.stderr(Stdio::piped());
    stream(command, limit, |_, _| Next::Continue)
}

/// Runs a command with `input` as its standard input, to its end, and returns its output.
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

/// Runs a command and calls `watch` with each chunk of standard output and the time since the
/// start. Standard error goes where `command` says; it is returned if that is a pipe.
pub fn stream(
    command: &mut Command,
    limit: impl Into<Limit>,
    mut watch: impl FnMut(&str, Duration) -> Next,
) -> Result<Finished> {
    command.stdin(Stdio::null());
    start(command, None, None, limit.into(), &mut watch)
}

/// Runs a program of the user in the sandbox, to its end, and returns its output.
pub fn run_confined(
    command: &mut Command,
    scratch: &Scratch,
    limit: Option<Duration>,
) -> Result<Finished> {
    command.stderr(Stdio::piped());
    stream_confined(command, scratch, limit, |_, _| Next::Continue)
}

/// Runs a program of the user in the sandbox and calls `watch` with each chunk of standard output
/// and the time since the start. Standard error goes where `command` says; it is returned if that
/// is a pipe.
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
        // A process that stops reading early reports its own error, so a failed write is ignored.
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

/// Converts bytes to a string without a copy if they are valid UTF-8, which output nearly always
/// is.
fn string_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Runs a command with this process's own standard streams and returns its exit code; 101 if a
/// signal terminated it.
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

/// How long after the end of the user's command an interrupt still counts as meant for it. The
/// command exits at once, but on a busy machine this process may receive the signal later.
const LATE: Duration = Duration::from_secs(3);

/// How a command of the user ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandEnd {
    pub code: i32,
    /// Whether the command was killed, with everything that it started, because of its time limit.
    pub timed_out: bool,
}

/// Runs a command of the user with this process's own standard streams. While it runs, interrupts
/// are for it alone. After `limit`, kills it with everything that it started.
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

/// Returns whether an interrupt is meant for a command of the user: one that is running, or one
/// that has just been ended by the same interrupt.
pub fn is_for_users_command() -> bool {
    let ended = USERS_COMMAND_ENDED
        .lock()
        .ok()
        .and_then(|mut ended| ended.take());
    RUNS_USERS_COMMAND.load(Ordering::SeqCst) || ended.is_some_and(|ended| ended.elapsed() < LATE)
}

/// Formats a command as a user would type it, for messages.
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
