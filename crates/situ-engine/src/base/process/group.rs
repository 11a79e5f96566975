//! Process groups, and the marks that identify everything a process has started, even after it has
//! left its group.

use super::keeper;
use super::orphans::{self, Origin, Ticks};
use super::sandbox::{self, Scratch};
use std::collections::BTreeMap;
use std::env;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// Environment variable that all processes started from here inherit. It holds a mark for this
/// process, one for each started process, and before them the marks of an outer Situ, if this
/// process was started by one.
const MARKS: &str = "SITU_PROCESS_TREE";

/// Process that was started from here and that nobody has waited for yet.
struct Running {
    /// Number in the mark of the process, which its descendants inherit.
    number: u64,
    /// Start time, or slightly earlier.
    started: Ticks,
    /// Whether the process has exited or was killed, so that its remaining descendants are orphans.
    is_over: bool,
}

/// Started processes by their process id, which is also the id of their group.
static RUNNING: Mutex<BTreeMap<u32, Running>> = Mutex::new(BTreeMap::new());
/// Read-locked while a process is started. The search for orphans write-locks it, so that every
/// started process is in [`RUNNING`].
static STARTING: RwLock<()> = RwLock::new(());

/// Starts a command as the leader of a new process group; in the sandbox if `scratch` is given.
pub(super) fn spawn(command: &mut Command, scratch: Option<&Scratch>) -> io::Result<Child> {
    static LAST: AtomicU64 = AtomicU64::new(0);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
    }
    let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
    command.env(MARKS, mark_of(number));
    let _starting = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    let started = orphans::now();
    let child = match scratch {
        Some(scratch) => sandbox::spawn(command, scratch)?,
        None => command.spawn()?,
    };
    if scratch.is_some_and(Scratch::confines) {
        orphans::mark(child.id(), &mark_of_this_process(), number);
    }
    running().insert(
        child.id(),
        Running {
            number,
            started,
            is_over: false,
        },
    );
    keeper::note_started(child.id());
    Ok(child)
}

/// Kills the child's group and everything else that it started. The caller must wait for the child
/// and then call [`forget`].
pub(super) fn kill(child: &mut Child) {
    if let Some(process) = running().get_mut(&child.id()) {
        process.is_over = true;
    }
    if !kill_group(child.id()) {
        let _ = child.kill();
    }
    sweep_orphans();
}

/// Records that a child was waited for. From now on its process id may be reused.
pub(super) fn forget(child: &Child) {
    running().remove(&child.id());
    keeper::note_ended(child.id());
}

/// Kills every process group that was started from here, for instance after an interrupt.
pub fn kill_all_groups() {
    for (leader, process) in &mut *running() {
        process.is_over = true;
        kill_group(*leader);
    }
    sweep_orphans();
}

/// Kills the orphans of processes that have exited or were killed. The processes themselves are
/// left to their callers to wait for.
fn sweep_orphans() {
    let _nobody_starts = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    orphans::sweep(&mark_of_this_process(), &|process, origin| {
        let running = running();
        let is_anyones = |other: &Running| match origin {
            Origin::Number(number) => other.number == number,
            // A process that was started later cannot be the parent.
            Origin::Started(time) => other.started <= time,
        };
        !running.contains_key(&process)
            && !running
                .values()
                .any(|other| !other.is_over && is_anyones(other))
    });
}

/// Returns the signal that terminated a process, or `None` if it exited.
pub fn signal_of(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        status.signal()
    }
    #[cfg(not(unix))]
    {
        let _ = status;
        None
    }
}

/// Marks a command that stays in this process's own group.
pub(super) fn mark(command: &mut Command) {
    command.env(MARKS, mark_of(0));
}

/// Returns the mark in the environment of all descendants of this process. It contains process id
/// and start time, so that no other process has it.
pub(super) fn mark_of_this_process() -> String {
    static TOKEN: OnceLock<String> = OnceLock::new();
    TOKEN
        .get_or_init(|| {
            let started = std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .unwrap_or_default();
            format!(":{:x}-{:x}.", std::process::id(), started.as_nanos())
        })
        .clone()
}

fn mark_of(number: u64) -> String {
    let outer = env::var(MARKS).unwrap_or_default();
    format!("{outer}{}{number}", mark_of_this_process())
}

/// Returns whether a process was started from here and has not been waited for.
pub(super) fn is_running(process: u32) -> bool {
    running().contains_key(&process)
}

fn running() -> MutexGuard<'static, BTreeMap<u32, Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
#[expect(
    unsafe_code,
    reason = "the standard library can only kill one process, not its group"
)]
pub(super) fn kill_group(leader: u32) -> bool {
    let Ok(leader) = i32::try_from(leader) else {
        return false;
    };
    // `kill(0)` would signal this process's own group, and `kill(-1)` all processes.
    if leader <= 1 {
        return false;
    }
    // SAFETY: kill(2) takes two integers and touches no memory of ours.
    unsafe { libc::kill(-leader, libc::SIGKILL) == 0 }
}

#[cfg(not(unix))]
pub(super) fn kill_group(_leader: u32) -> bool {
    false
}
