//! What a confined process may use: memory, the size of a file, the number of processes.

use std::fs;

/// Bounds of one confined process; its children inherit them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        Limits { memory: 2 << 30, file_size: 1 << 30, processes: 2048 }
    }
}

impl Limits {
    /// Applies the bounds to a process that was just started. It may have begun already, which does no harm: bounds are for
    /// what goes on for long.
    #[cfg(target_os = "linux")]
    #[expect(unsafe_code, reason = "the standard library cannot bound the resources of a process")]
    pub(super) fn apply_to(self, process: u32, with_memory: bool) {
        let Ok(process) = i32::try_from(process) else { return };
        let set = |resource, bound: u64| {
            let limit = libc::rlimit { rlim_cur: bound, rlim_max: bound };
            // SAFETY: prlimit(2) reads one `rlimit`, which lives as long as the call, and writes nothing.
            unsafe { libc::prlimit(process, resource, &raw const limit, std::ptr::null_mut()) };
        };
        set(libc::RLIMIT_FSIZE, self.file_size);
        set(libc::RLIMIT_CORE, 0);
        set(libc::RLIMIT_NPROC, tasks_on_this_machine().saturating_add(self.processes));
        if with_memory {
            set(libc::RLIMIT_AS, self.memory);
        }
    }

    /// Elsewhere a process bounds itself where it can.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn apply_to(self, _process: u32, _with_memory: bool) {}
}

/// How many tasks there were when this was asked first, of all users: at least as many as this user has.
#[cfg(target_os = "linux")]
fn tasks_on_this_machine() -> u64 {
    static TASKS: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    *TASKS.get_or_init(|| {
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let tasks = load.split(' ').nth(3).and_then(|field| field.split_once('/'));
        tasks.and_then(|(_, all)| all.parse().ok()).unwrap_or(4096)
    })
}
