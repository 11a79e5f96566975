//! The only module that starts processes: own process groups, time-outs, no standard input.

mod group;

use anyhow::{Context as _, Result};
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

pub use group::{kill_all_groups, signal_of};

/// What a finished process left.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
    /// How long it took.
    pub took: Duration,
    /// Whether it was stopped because its time was over.
    pub timed_out: bool,
    /// Whether it was stopped because a line of its output said enough.
    pub stopped: bool,
}

/// Whether to go on after a line of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Read on.
    Continue,
    /// The rest does not matter: end the process.
    Stop,
}

/// Runs a command to its end in a process group of its own and gives all its output.
pub fn run(command: &mut Command, limit: Option<Duration>) -> Result<Finished> {
    run_lines(command, limit, |_, _| Next::Continue)
}

/// Runs a command and shows every piece of standard output as it comes, with the time since the start, to `watch`,
/// which may end it. Pieces end with a line or wherever the process paused.
pub fn run_lines(
    command: &mut Command,
    limit: Option<Duration>,
    mut watch: impl FnMut(&str, Duration) -> Next,
) -> Result<Finished> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = Instant::now();
    let mut child = group::spawn(command).with_context(|| format!("starting {}", shown(command)))?;
    let errors = read_in_background(child.stderr.take());
    let (pieces, incoming) = mpsc::channel();
    let output = child.stdout.take();
    let reader = thread::spawn(move || forward_pieces(output, &pieces));
    let mut outcome = Outcome::default();
    let deadline = limit.map(|limit| started + limit);
    let mut stdout = Vec::new();
    loop {
        let piece = match deadline {
            Some(deadline) => incoming.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            None => incoming.recv().map_err(|_| mpsc::RecvTimeoutError::Disconnected),
        };
        match piece {
            Ok(piece) => {
                stdout.extend_from_slice(&piece);
                if watch(&String::from_utf8_lossy(&piece), started.elapsed()) == Next::Stop {
                    outcome.stopped = true;
                    break;
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                outcome.timed_out = true;
                break;
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = finish(&mut child, deadline, &mut outcome)?;
    let _ = reader.join();
    let stderr = errors.join().unwrap_or_default();
    Ok(Finished {
        status,
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
        took: started.elapsed(),
        timed_out: outcome.timed_out,
        stopped: outcome.stopped,
    })
}

/// Runs a command with this process's own streams and gives its exit code.
pub fn run_as_is(command: &mut Command) -> Result<i32> {
    let status = command.status().with_context(|| format!("starting {}", shown(command)))?;
    Ok(status.code().unwrap_or(101))
}

/// A command as a user would type it, for messages.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

#[derive(Default)]
struct Outcome {
    timed_out: bool,
    stopped: bool,
}

/// Waits for the end; whatever of the group is left then, or is over its time, is killed, so that no descendant
/// holds the pipes open.
fn finish(child: &mut Child, deadline: Option<Instant>, outcome: &mut Outcome) -> Result<ExitStatus> {
    if outcome.timed_out || outcome.stopped {
        group::kill(child);
        return child.wait().context("waiting for a process");
    }
    let over = Arc::new(AtomicBool::new(false));
    let status = match deadline {
        None => child.wait().context("waiting for a process")?,
        Some(deadline) => loop {
            if let Some(status) = child.try_wait().context("waiting for a process")? {
                break status;
            }
            if Instant::now() >= deadline {
                over.store(true, Ordering::Relaxed);
                group::kill(child);
                break child.wait().context("waiting for a process")?;
            }
            thread::sleep(Duration::from_micros(300));
        },
    };
    outcome.timed_out = over.load(Ordering::Relaxed);
    group::kill(child);
    Ok(status)
}

fn forward_pieces(output: Option<impl Read>, pieces: &mpsc::Sender<Vec<u8>>) {
    let Some(mut output) = output else { return };
    let mut buffer = [0; 8192];
    while let Ok(count @ 1..) = output.read(&mut buffer) {
        if pieces.send(buffer[..count].to_vec()).is_err() {
            return;
        }
    }
}

fn read_in_background(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut all = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut all);
        }
        all
    })
}
