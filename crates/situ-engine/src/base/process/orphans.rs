//! Processes that have left the group of the process that started them. They are found by the mark
//! in their environment or, if they cleared it, by a resource limit that nothing else sets.

#[cfg(target_os = "linux")]
pub(super) use linux::{adopt, end_all_marked, mark, now, sweep};

#[cfg(not(target_os = "linux"))]
pub use elsewhere::{adopt, end_all_marked, mark, now, sweep};

/// Time since boot in clock ticks, the unit of start times in `/proc`.
pub(super) type Ticks = u64;

/// Evidence of which process started an orphan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Number in the mark that the orphan inherited.
    Number(u64),
    /// Start time of the orphan: its parent was started no later.
    Started(Ticks),
}

#[cfg(target_os = "linux")]
mod linux {
    use super::{Origin, Ticks};
    use situ_recorder::bytes::checksum;
    use std::fs;

    /// Maximum number of passes. Killing an orphan may make orphans of its children.
    const PASSES: usize = 64;

    /// Makes this process the parent of its descendants' orphans, and sets a resource limit by
    /// which they can be recognised. Processes inherit the limit even if they clear their
    /// environment. It is `RLIMIT_RTTIME`, set to thousands of centuries, which limits nothing.
    #[expect(
        unsafe_code,
        reason = "the standard library can neither adopt orphans nor bound resources"
    )]
    pub(crate) fn adopt(mark: &str) {
        let mut limit = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: prctl(2) takes integers here and touches no memory; the others write and read one
        // `rlimit`, which outlives the calls. Where they are refused, orphans are found at the end
        // of the command or not at all.
        unsafe {
            libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
            if libc::getrlimit(libc::RLIMIT_RTTIME, &raw mut limit) == 0 {
                limit.rlim_cur = bound_of(mark);
                libc::setrlimit(libc::RLIMIT_RTTIME, &raw const limit);
            }
        }
    }

    /// Bits of the resource limit that hold the number of a process.
    const NUMBER: u64 = 0xffff_ffff;

    /// Returns the resource limit that encodes a mark. It is larger than anybody would set.
    fn bound_of(mark: &str) -> u64 {
        1 << 62 | checksum(mark.as_bytes()) >> 2 & !NUMBER
    }

    /// Adds the number of a process to the resource limit that it has inherited. Processes that it
    /// started earlier have the limit without a number.
    #[expect(
        unsafe_code,
        reason = "the standard library cannot bound the resources of a process"
    )]
    pub(crate) fn mark(process: u32, mark: &str, number: u64) {
        let Ok(process) = i32::try_from(process) else {
            return;
        };
        let Some(mut limit) = bound_in(process).filter(|limit| limit.rlim_cur == bound_of(mark))
        else {
            return;
        };
        limit.rlim_cur |= number & NUMBER;
        // SAFETY: prlimit(2) reads one `rlimit`, which lives as long as the call, and writes
        // nothing.
        unsafe {
            libc::prlimit(
                process,
                libc::RLIMIT_RTTIME,
                &raw const limit,
                std::ptr::null_mut(),
            )
        };
    }

    #[expect(
        unsafe_code,
        reason = "the standard library cannot ask for the bounds of a process"
    )]
    fn bound_in(process: i32) -> Option<libc::rlimit> {
        let mut limit = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: prlimit(2) writes one `rlimit`, which lives as long as the call.
        let failed = unsafe {
            libc::prlimit(
                process,
                libc::RLIMIT_RTTIME,
                std::ptr::null(),
                &raw mut limit,
            )
        } != 0;
        (!failed).then_some(limit)
    }

    /// Returns the origin of a descendant of this process, or `None` if the process is unrelated.
    fn origin_of(process: i32, mark: &str) -> Option<Origin> {
        if let Some(number) = number_in(&environment_of(process), mark) {
            return Some(Origin::Number(number));
        }
        let bound = bound_in(process)?.rlim_cur;
        match (bound & !NUMBER == bound_of(mark), bound & NUMBER) {
            (false, _) => None,
            (true, 0) => started(process).map(Origin::Started),
            (true, number) => Some(Origin::Number(number)),
        }
    }

    /// Returns the start time of a process, on the clock of [`now`].
    fn started(process: i32) -> Option<Ticks> {
        let state = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The process name comes first, in parentheses, and may contain parentheses itself.
        state.rsplit_once(") ")?.1.split(' ').nth(19)?.parse().ok()
    }

    /// Returns the time since boot in clock ticks.
    #[expect(unsafe_code, reason = "the standard library knows another clock")]
    pub(crate) fn now() -> Ticks {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: clock_gettime(2) writes one structure, which lives as long as the call;
        // sysconf(3) takes an integer.
        let a_second = unsafe {
            libc::clock_gettime(libc::CLOCK_BOOTTIME, &raw mut time);
            libc::sysconf(libc::_SC_CLK_TCK).max(1)
        };
        let ticks = time.tv_sec * a_second + time.tv_nsec / (1_000_000_000 / a_second);
        ticks.try_into().unwrap_or(0)
    }

    /// Kills and reaps orphans: those children of this process for which `is_orphan` returns
    /// `true`, given process id and origin. Orphans become children of the first thread, so only
    /// its children are listed.
    pub(crate) fn sweep(mark: &str, is_orphan: &dyn Fn(u32, Origin) -> bool) {
        let own = std::process::id();
        for _ in 0..PASSES {
            let children =
                fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap_or_default();
            let children = children
                .split_whitespace()
                .filter_map(|number| number.parse::<u32>().ok());
            let orphans: Vec<i32> = children
                .filter_map(|process| Some((process, i32::try_from(process).ok()?)))
                .filter(|(process, number)| {
                    origin_of(*number, mark).is_some_and(|origin| is_orphan(*process, origin))
                })
                .map(|(_, number)| number)
                .collect();
            if orphans.is_empty() {
                return;
            }
            for orphan in orphans {
                end(orphan);
                reap(orphan);
            }
        }
    }

    /// Kills every process of this machine that carries the mark, until none is left.
    pub(crate) fn end_all_marked(mark: &str) {
        // Several passes, for a process that forks faster than its children are killed.
        for _ in 0..50 {
            let marked = all_processes().filter(|process| origin_of(*process, mark).is_some());
            let ended = marked.map(end).count();
            if ended == 0 {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }

    fn all_processes() -> impl Iterator<Item = i32> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let own = std::process::id().to_string();
        entries.filter_map(move |entry| {
            let name = entry.file_name();
            let name = name.to_str()?;
            if name == own { None } else { name.parse().ok() }
        })
    }

    /// Returns the initial environment of a process; empty for a zombie.
    fn environment_of(process: i32) -> Vec<u8> {
        fs::read(format!("/proc/{process}/environ")).unwrap_or_default()
    }

    /// Returns the number that follows `mark` in an environment block.
    pub(super) fn number_in(environment: &[u8], mark: &str) -> Option<u64> {
        let at = environment
            .windows(mark.len())
            .position(|bytes| bytes == mark.as_bytes())?;
        let digits = environment[at + mark.len()..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit());
        std::str::from_utf8(&digits.copied().collect::<Vec<u8>>())
            .ok()?
            .parse()
            .ok()
    }

    #[expect(
        unsafe_code,
        reason = "the standard library can only end its own children"
    )]
    fn end(process: i32) {
        // SAFETY: kill(2) takes two integers and touches no memory of ours.
        unsafe { libc::kill(process, libc::SIGKILL) };
    }

    /// Reaps an adopted child, which nobody else waits for.
    #[expect(
        unsafe_code,
        reason = "the standard library can only wait for children that it started"
    )]
    fn reap(process: i32) {
        // SAFETY: waitpid(2) accepts a null pointer for the status.
        unsafe { libc::waitpid(process, std::ptr::null_mut(), 0) };
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::{Origin, Ticks};

    pub fn adopt(_mark: &str) {}

    pub fn mark(_process: u32, _mark: &str, _number: u64) {}

    pub fn now() -> Ticks {
        0
    }

    pub fn sweep(_mark: &str, _is_orphan: &dyn Fn(u32, Origin) -> bool) {}

    pub fn end_all_marked(_mark: &str) {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::linux::number_in;

    #[test]
    fn the_number_of_a_mark_is_found_among_others() {
        let environment = b"HOME=/\0SITU_PROCESS_TREE=:1-a.7:2-b.13\0PATH=/bin\0";
        assert_eq!(number_in(environment, ":1-a."), Some(7));
        assert_eq!(number_in(environment, ":2-b."), Some(13));
        assert_eq!(number_in(environment, ":2-c."), None);
    }
}
