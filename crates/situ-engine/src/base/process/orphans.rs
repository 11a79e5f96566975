//! Processes that have left the group of the process that started them: found by the marks in their environment, or, where that
//! was cleared, by a bound that nothing else uses.

#[cfg(target_os = "linux")]
pub(super) use linux::{adopt, end_all_marked, mark, now, sweep};

#[cfg(not(target_os = "linux"))]
pub use elsewhere::{adopt, end_all_marked, mark, now, sweep};

/// A time since the machine was started, as the system counts it for processes.
pub(super) type Ticks = u64;

/// Where an orphan comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// From the process with this number in its mark.
    Number(u64),
    /// From one that was started no later than this.
    Started(Ticks),
}

#[cfg(target_os = "linux")]
mod linux {
    use super::{Origin, Ticks};
    use situ_recorder::bytes::checksum;
    use std::fs;

    /// Orphans whose own children are orphans then are met by a few passes.
    const PASSES: usize = 64;

    /// Makes orphans of this process's descendants its own children, so that they can be found, also by a bound that they
    /// inherit whatever they do to their environment: the processor time of real-time processes, set to thousands of centuries.
    #[expect(
        unsafe_code,
        reason = "the standard library can neither adopt orphans nor bound resources"
    )]
    pub(crate) fn adopt(mark: &str) {
        let mut limit = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: prctl(2) takes integers here and touches no memory; the others write and read one `rlimit`, which outlives the
        // calls. Where they are refused, orphans are not found until the end of the command, or not at all.
        unsafe {
            libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
            if libc::getrlimit(libc::RLIMIT_RTTIME, &raw mut limit) == 0 {
                limit.rlim_cur = bound_of(mark);
                libc::setrlimit(libc::RLIMIT_RTTIME, &raw const limit);
            }
        }
    }

    /// The bits of a bound that hold the number of a process.
    const NUMBER: u64 = 0xffff_ffff;

    /// The bound that tells of a mark: more than anybody would set.
    fn bound_of(mark: &str) -> u64 {
        1 << 62 | checksum(mark.as_bytes()) >> 2 & !NUMBER
    }

    /// Adds the number of a process to the bound that it has inherited. What it started before that has the bound alone.
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
        // SAFETY: prlimit(2) reads one `rlimit`, which lives as long as the call, and writes nothing.
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

    /// What is known of a process that descends from this one.
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

    /// When a process was started, on the clock of [`now`].
    fn started(process: i32) -> Option<Ticks> {
        let state = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name before it is in parentheses, and may hold some itself.
        state.rsplit_once(") ")?.1.split(' ').nth(19)?.parse().ok()
    }

    /// The time since the machine was started.
    #[expect(unsafe_code, reason = "the standard library knows another clock")]
    pub(crate) fn now() -> Ticks {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: clock_gettime(2) writes one structure, which lives as long as the call; sysconf(3) takes an integer.
        let a_second = unsafe {
            libc::clock_gettime(libc::CLOCK_BOOTTIME, &raw mut time);
            libc::sysconf(libc::_SC_CLK_TCK).max(1)
        };
        let ticks = time.tv_sec * a_second + time.tv_nsec / (1_000_000_000 / a_second);
        ticks.try_into().unwrap_or(0)
    }

    /// Ends orphans: children of this process's first thread, which orphans become, of which `is_orphan` says so by their own
    /// number and what is known of where they come from.
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

    /// Ends every process of this machine that carries the mark, until there is none left.
    pub(crate) fn end_all_marked(mark: &str) {
        // A process that starts others faster than they are ended is met by a few passes.
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

    /// What a process was started with. A process that has ended has none.
    fn environment_of(process: i32) -> Vec<u8> {
        fs::read(format!("/proc/{process}/environ")).unwrap_or_default()
    }

    /// The number behind the mark.
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

    /// Takes note of the end of an adopted child; nobody else waits for it.
    #[expect(
        unsafe_code,
        reason = "the standard library can only wait for children that it started"
    )]
    fn reap(process: i32) {
        // SAFETY: waitpid(2) may be given no place for the status.
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
