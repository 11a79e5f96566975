//! Process groups and the marks by which everything that a process started can be found and ended with it, also what has
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

/// The variable that all processes inherit which are started from here: one mark for this process, one for each that it
/// started, and before them those of whoever started this one in the same way.
const MARKS: &str = "SITU_PROCESS_TREE";

/// A process that was started from here and that nobody has waited for yet.
struct Running {
    /// The number in its mark.
    number: u64,
    /// When it was started, or a little earlier.
    started: Ticks,
    /// Whether it has ended or was ended: what it has started is nobody's any more.
    is_over: bool,
}

/// Group leaders by their process numbers.
static RUNNING: Mutex<BTreeMap<u32, Running>> = Mutex::new(BTreeMap::new());
/// Held while processes are started; whoever looks for orphans waits until all that were started are known.
static STARTING: RwLock<()> = RwLock::new(());

/// Starts a command as the leader of a new process group, in a sandbox if there is a scratch folder for it.
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

/// Ends the group that this child leads, and everything else that it started. The child has to be waited for, and then
/// forgotten.
pub(super) fn kill(child: &mut Child) {
    if let Some(process) = running().get_mut(&child.id()) {
        process.is_over = true;
    }
    if !kill_group(child.id()) {
        let _ = child.kill();
    }
    sweep_orphans();
}

/// Takes note that a child was waited for: from now on its number may be another process's.
pub(super) fn forget(child: &Child) {
    running().remove(&child.id());
    keeper::note_ended(child.id());
}

/// Ends every process group that is running now; for an interrupt.
pub fn kill_all_groups() {
    for (leader, process) in &mut *running() {
        process.is_over = true;
        kill_group(*leader);
    }
    sweep_orphans();
}

/// Ends what processes have left behind that are over. Their leaders are waited for by those who started them.
fn sweep_orphans() {
    let _nobody_starts = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    orphans::sweep(&mark_of_this_process(), &|process, origin| {
        let running = running();
        let is_anyones = |other: &Running| match origin {
            Origin::Number(number) => other.number == number,
            // Whoever was started later has not started it.
            Origin::Started(time) => other.started <= time,
        };
        !running.contains_key(&process)
            && !running
                .values()
                .any(|other| !other.is_over && is_anyones(other))
    });
}

/// The signal that ended a process, if one did.
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

/// Marks a command that runs in this process's own group.
pub(super) fn mark(command: &mut Command) {
    command.env(MARKS, mark_of(0));
}

/// The mark that all processes carry which were started from here, however deep: nothing else has it in its environment.
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

/// Whether a process was started from here and is waited for.
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
    // A group of 0 would be our own, and 1 everybody's.
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
