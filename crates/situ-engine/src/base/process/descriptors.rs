//! File descriptors that this process inherited, such as a log file that a script has open.
//! Confined programs do not inherit them, because they could write there.

use std::process::Command;

/// Sets close-on-exec on all inherited descriptors except the three standard streams and the job
/// server pipes of `make` and cargo. Must be called before this process opens any file.
pub fn keep_inherited() {
    #[cfg(unix)]
    unix::keep_inherited();
}

/// Lets `command` inherit the descriptors that [`keep_inherited`] has set to close-on-exec.
pub(super) fn lend_inherited(command: &mut Command) {
    #[cfg(unix)]
    unix::lend_inherited(command);
    #[cfg(not(unix))]
    let _ = command;
}

#[cfg(unix)]
mod unix {
    use std::collections::BTreeSet;
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;
    use std::sync::OnceLock;
    use std::{env, fs};

    static KEPT: OnceLock<Vec<i32>> = OnceLock::new();

    pub(super) fn keep_inherited() {
        KEPT.get_or_init(|| {
            let shared = shared_with_make();
            let entries = fs::read_dir("/dev/fd").into_iter().flatten().flatten();
            let numbers =
                entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
            let others = numbers.filter(|number| *number > 2 && !shared.contains(number));
            // Descriptors that have close-on-exec already were not meant for child processes.
            others
                .filter(|number| flags_of(*number) == Some(0))
                .inspect(|number| set_flags(*number, libc::FD_CLOEXEC))
                .collect()
        });
    }

    pub(super) fn lend_inherited(command: &mut Command) {
        let Some(kept) = KEPT.get().filter(|kept| !kept.is_empty()) else {
            return;
        };
        let lend = || {
            kept.iter().for_each(|number| set_flags(*number, 0));
            Ok(())
        };
        #[expect(
            unsafe_code,
            reason = "the standard library cannot hand descriptors on"
        )]
        // SAFETY: between fork and exec nothing but system calls are made: no allocation, no lock.
        unsafe {
            command.pre_exec(lend)
        };
    }

    /// Returns the job server's pipes, as `make` passes them to its children:
    /// `--jobserver-auth=3,4`.
    fn shared_with_make() -> BTreeSet<i32> {
        let said: Vec<String> = ["CARGO_MAKEFLAGS", "MAKEFLAGS", "MFLAGS"]
            .iter()
            .filter_map(|name| env::var(name).ok())
            .collect();
        said.iter().flat_map(|flags| numbers_in(flags)).collect()
    }

    pub(super) fn numbers_in(flags: &str) -> Vec<i32> {
        let words = flags.split_whitespace();
        let pipes = words.filter_map(|word| {
            word.strip_prefix("--jobserver-auth=")
                .or_else(|| word.strip_prefix("--jobserver-fds="))
        });
        pipes
            .flat_map(|pipes| pipes.split(',').filter_map(|number| number.parse().ok()))
            .collect()
    }

    #[expect(
        unsafe_code,
        reason = "the standard library cannot ask for the flags of descriptors"
    )]
    fn flags_of(descriptor: i32) -> Option<i32> {
        // SAFETY: fcntl(2) takes integers here and touches no memory.
        let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFD) };
        (flags >= 0).then_some(flags)
    }

    #[expect(
        unsafe_code,
        reason = "the standard library cannot set the flags of descriptors"
    )]
    fn set_flags(descriptor: i32, flags: i32) {
        // SAFETY: fcntl(2) takes integers here and touches no memory.
        unsafe { libc::fcntl(descriptor, libc::F_SETFD, flags) };
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::unix::numbers_in;

    #[test]
    fn the_pipes_of_a_job_server_are_found() {
        assert_eq!(
            numbers_in(" -j8 --jobserver-auth=3,4 --jobserver-fds=5,6 -- X=1"),
            [3, 4, 5, 6]
        );
        assert_eq!(numbers_in("--jobserver-auth=fifo:somewhere -k"), [0; 0]);
    }
}
