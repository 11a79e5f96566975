//! Processes that have left the group of the process that started them: found by the marks in their environment.

#[cfg(target_os = "linux")]
pub use linux::{adopt, end_all_marked, sweep};

#[cfg(not(target_os = "linux"))]
pub use elsewhere::{adopt, end_all_marked, sweep};

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;

    /// Makes orphans of this process's descendants its own children, so that they can be found.
    #[expect(unsafe_code, reason = "the standard library cannot adopt orphans")]
    pub fn adopt() {
        // SAFETY: prctl(2) takes integers here and touches no memory. Where it is refused, orphans are not found until the
        // end of the command.
        unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
    }

    /// Ends orphans: children of this process's first thread, which orphans become, of which `is_orphan` says so by their own
    /// number and that in their mark.
    pub fn sweep(mark: &str, is_orphan: &dyn Fn(u32, u64) -> bool) {
        let own = std::process::id();
        let children = fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap_or_default();
        for process in children.split_whitespace().filter_map(|number| number.parse::<u32>().ok()) {
            let Ok(number) = i32::try_from(process) else { continue };
            if number_in(&environment_of(number), mark).is_some_and(|marked| is_orphan(process, marked)) {
                end(number);
                reap(number);
            }
        }
    }

    /// Ends every process of this machine that carries the mark, until there is none left.
    pub fn end_all_marked(mark: &str) {
        // A process that starts others faster than they are ended is met by a few passes.
        for _ in 0..50 {
            let marked = all_processes().filter(|process| number_in(&environment_of(*process), mark).is_some());
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
        let at = environment.windows(mark.len()).position(|bytes| bytes == mark.as_bytes())?;
        let digits = environment[at + mark.len()..].iter().take_while(|byte| byte.is_ascii_digit());
        std::str::from_utf8(&digits.copied().collect::<Vec<u8>>()).ok()?.parse().ok()
    }

    #[expect(unsafe_code, reason = "the standard library can only end its own children")]
    fn end(process: i32) {
        // SAFETY: kill(2) takes two integers and touches no memory of ours.
        unsafe { libc::kill(process, libc::SIGKILL) };
    }

    /// Takes note of the end of an adopted child; nobody else waits for it.
    #[expect(unsafe_code, reason = "the standard library can only wait for children that it started")]
    fn reap(process: i32) {
        // SAFETY: waitpid(2) may be given no place for the status.
        unsafe { libc::waitpid(process, std::ptr::null_mut(), 0) };
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    pub fn adopt() {}

    pub fn sweep(_mark: &str, _is_orphan: &dyn Fn(u32, u64) -> bool) {}

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
