//! Resource limits of a confined process: memory, file size, number of processes.

use super::super::descendants::tasks_of;
use super::super::space::free_space;
use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Interval at which a running process is checked against limits that the kernel does not enforce.
pub(in crate::base::process) const PULSE: Duration = Duration::from_millis(500);

/// Number of bytes on the disk that a confined process must leave free.
const MIN_FREE_SPACE: u64 = 256 << 20;

/// Limit that a process was killed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// The process and its descendants were more than this number.
    Processes(u64),
    /// The disk of the scratch folder was nearly full.
    Disk,
    /// It was stopped, and nobody would continue it.
    Stopped,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exceeded::Processes(most) => write!(formatter, "it started more than {most} processes"),
            Exceeded::Disk => formatter.write_str("it filled the disk"),
            Exceeded::Stopped => formatter
                .write_str("it was stopped, by a signal or because it read from the terminal"),
        }
    }
}

/// No limit of memory.
pub(super) const UNBOUNDED: u64 = u64::MAX;

/// Limits of one confined process; its children inherit them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limits {
    /// Bytes of address space, for programs that run with mutants or generated inputs.
    pub memory: u64,
    /// Bytes of the largest file that the process may write.
    pub file_size: u64,
    /// Number of processes and threads that a confined process may add to those of its user. The
    /// kernel does not enforce this for root.
    pub processes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: 2 << 30,
            file_size: 1 << 30,
            processes: 2048,
        }
    }
}

impl Limits {
    /// Applies the limits to a process and to those that it starts later. Does not raise limits
    /// that are set already.
    #[cfg(target_os = "linux")]
    #[expect(
        unsafe_code,
        reason = "the standard library cannot bound the resources of a process"
    )]
    pub(super) fn apply_to(self, process: u32) {
        let Ok(process) = i32::try_from(process) else {
            return;
        };
        let set = |resource, bound: u64| {
            let limit = libc::rlimit {
                rlim_cur: bound,
                rlim_max: bound,
            };
            // SAFETY: prlimit(2) reads one `rlimit`, which lives as long as the call, and writes
            // nothing.
            unsafe { libc::prlimit(process, resource, &raw const limit, std::ptr::null_mut()) };
        };
        set(libc::RLIMIT_FSIZE, self.file_size);
        set(libc::RLIMIT_CORE, 0);
        set(
            libc::RLIMIT_NPROC,
            tasks_on_this_machine().saturating_add(self.processes),
        );
        if self.memory != UNBOUNDED {
            set(libc::RLIMIT_AS, self.memory);
        }
    }

    /// Returns the limit that a process with this scratch folder exceeds, for limits that the
    /// kernel does not enforce, or not for root. Other processes that run at the same time are not
    /// killed for it.
    pub(in crate::base::process) fn exceeded(
        self,
        process: u32,
        scratch: &Path,
    ) -> Option<Exceeded> {
        if is_stopped(process) {
            return Some(Exceeded::Stopped);
        }
        let most = tasks_on_this_machine().saturating_add(self.processes);
        if tasks_now().is_some_and(|tasks| tasks > most) && tasks_of(process) > self.processes / 2 {
            return Some(Exceeded::Processes(self.processes));
        }
        free_space(scratch)
            .is_some_and(|free| free < MIN_FREE_SPACE)
            .then_some(Exceeded::Disk)
    }

    /// Does nothing: this system cannot limit another process.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn apply_to(self, _process: u32) {}
}

/// Returns the number of threads on this machine at the first call, of all users: an upper bound of
/// what this user has.
fn tasks_on_this_machine() -> u64 {
    static TASKS: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    *TASKS.get_or_init(|| tasks_now().unwrap_or(4096))
}

/// Returns the number of threads that exist now, of all users.
fn tasks_now() -> Option<u64> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split(' ').nth(3)?.split_once('/')?.1.parse().ok()
}

/// Returns whether a process was stopped by a signal, as one is that reads from the terminal while
/// another process group has it.
fn is_stopped(process: u32) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name before the state is in parentheses, and may contain some itself.
    state
        .rsplit_once(") ")
        .is_some_and(|(_, state)| state.starts_with('T'))
}
