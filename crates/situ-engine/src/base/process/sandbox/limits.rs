//! What a confined process may use: memory, the size of a file, the number of processes.

use super::super::descendants::tasks_of;
use super::super::space::free_space;
use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How often a confined process is looked at that runs for long.
pub(in crate::base::process) const PULSE: Duration = Duration::from_millis(500);

/// A confined process leaves so much of the disk to others.
const MIN_FREE_SPACE: u64 = 256 << 20;

/// A bound that a process was ended for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// It and what it started were too many.
    Processes(u64),
    /// There was next to no room left on the disk of its scratch folder.
    Disk,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exceeded::Processes(most) => write!(formatter, "it started more than {most} processes"),
            Exceeded::Disk => formatter.write_str("it filled the disk"),
        }
    }
}

/// As much memory as there is.
pub(super) const UNBOUNDED: u64 = u64::MAX;

/// Bounds of one confined process; its children inherit them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limits {
    /// Bytes of address space, where mutants or invented inputs make the program do what nobody wrote.
    pub memory: u64,
    /// Bytes of the largest file that it may write.
    pub file_size: u64,
    /// Processes and threads that it may add to those of its user. The kernel does not hold root to it.
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
    /// Applies the bounds to a process and to what it will start. Bounds that are set already are not raised.
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
            // SAFETY: prlimit(2) reads one `rlimit`, which lives as long as the call, and writes nothing.
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

    /// What a process with this scratch folder has to be ended for: what the kernel does not bound, or not for root. Others that
    /// run at the same time do not suffer for it.
    pub(in crate::base::process) fn exceeded(
        self,
        process: u32,
        scratch: &Path,
    ) -> Option<Exceeded> {
        let most = tasks_on_this_machine().saturating_add(self.processes);
        if tasks_now().is_some_and(|tasks| tasks > most) && tasks_of(process) > self.processes / 2 {
            return Some(Exceeded::Processes(self.processes));
        }
        free_space(scratch)
            .is_some_and(|free| free < MIN_FREE_SPACE)
            .then_some(Exceeded::Disk)
    }

    /// Elsewhere a process bounds itself where it can.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn apply_to(self, _process: u32) {}
}

/// How many tasks there were when this was asked first, of all users: at least as many as this user has.
fn tasks_on_this_machine() -> u64 {
    static TASKS: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    *TASKS.get_or_init(|| tasks_now().unwrap_or(4096))
}

/// How many tasks there are now, of all users.
fn tasks_now() -> Option<u64> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split(' ').nth(3)?.split_once('/')?.1.parse().ok()
}
