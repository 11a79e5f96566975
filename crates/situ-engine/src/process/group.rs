//! Process groups, so that ending a process ends what it started too.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::Mutex;

static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Starts a command as the leader of a new process group.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
    }
    let child = command.spawn()?;
    running().insert(child.id());
    Ok(child)
}

/// Ends the group that this child leads, and with it everything that has not left the group.
pub(super) fn kill(child: &mut Child) {
    running().remove(&child.id());
    if !kill_group(child.id()) {
        let _ = child.kill();
    }
}

/// Ends every process group that is running now; for an interrupt.
pub fn kill_all_groups() {
    for leader in std::mem::take(&mut *running()) {
        kill_group(leader);
    }
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

fn running() -> std::sync::MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library can only kill one process, not its group")]
pub(super) fn kill_group(leader: u32) -> bool {
    let Ok(leader) = i32::try_from(leader) else { return false };
    // SAFETY: kill(2) takes two integers and touches no memory of ours.
    unsafe { libc::kill(-leader, libc::SIGKILL) == 0 }
}

#[cfg(not(unix))]
pub(super) fn kill_group(_leader: u32) -> bool {
    false
}
