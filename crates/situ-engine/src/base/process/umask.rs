//! Runs a process with another file mode creation mask.

use std::process::Command;

/// Sets the umask of a process. Does nothing on systems other than Unix.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library knows no umask")]
pub fn with_umask(command: &mut Command, mask: u32) {
    use std::os::unix::process::CommandExt as _;
    let set = move || {
        // SAFETY: umask(2) takes an integer, touches no memory of ours and cannot fail.
        unsafe { libc::umask(mask as libc::mode_t) };
        Ok(())
    };
    // SAFETY: between fork and exec, nothing but one system call is made: no allocation, no lock.
    unsafe { command.pre_exec(set) };
}

#[cfg(not(unix))]
pub fn with_umask(_command: &mut Command, _mask: u32) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_the_mask_that_it_is_given() {
        for (mask, shown) in [(0o077, "0077"), (0o002, "0002")] {
            let mut command = Command::new("sh");
            with_umask(command.args(["-c", "umask"]), mask);
            let said = String::from_utf8(command.output().unwrap().stdout).unwrap();
            assert!(said.trim_end().ends_with(shown), "{said}");
        }
    }
}
