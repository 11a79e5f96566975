//! Larger stacks for instrumented programs, whose frames are larger than those of the original
//! program.

use std::env;
use std::process::Command;

/// Factor by which stacks grow.
const TIMES: u64 = 16;

/// Default stack size of threads in the standard library, in bytes.
const OF_THREADS: u64 = 2 << 20;

/// Variable from which the standard library reads the stack size of threads.
const VARIABLE: &str = "RUST_MIN_STACK";

/// Gives a program and its children larger stacks. Only the used part takes memory.
pub fn with_larger_stack(command: &mut Command) {
    let known = env::var(VARIABLE)
        .ok()
        .and_then(|size| size.parse::<u64>().ok());
    command.env(
        VARIABLE,
        known
            .unwrap_or(OF_THREADS)
            .saturating_mul(TIMES)
            .to_string(),
    );
    of_main_thread(command);
}

#[cfg(unix)]
#[expect(
    unsafe_code,
    reason = "the standard library sets no limits of processes"
)]
fn of_main_thread(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    let enlarge = || {
        let mut limit = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: both calls get a pointer to a structure that outlives them. Where the system
        // refuses, the stack keeps its size.
        unsafe {
            if libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) == 0
                && limit.rlim_cur != libc::RLIM_INFINITY
            {
                limit.rlim_cur = limit.rlim_cur.saturating_mul(TIMES).min(limit.rlim_max);
                libc::setrlimit(libc::RLIMIT_STACK, &raw const limit);
            }
        }
        Ok(())
    };
    // SAFETY: between fork and exec, nothing but two system calls is made: no allocation, no lock.
    unsafe { command.pre_exec(enlarge) };
}

#[cfg(not(unix))]
fn of_main_thread(_command: &mut Command) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_a_larger_stack() {
        let limit = |command: &mut Command| -> u64 {
            let output = command.args(["-c", "ulimit -s"]).output().unwrap();
            String::from_utf8(output.stdout)
                .unwrap()
                .trim()
                .parse()
                .unwrap_or(u64::MAX)
        };
        let mut larger = Command::new("sh");
        with_larger_stack(&mut larger);
        let plain = limit(&mut Command::new("sh"));
        assert!(
            limit(&mut larger) >= plain,
            "not less, and more where that is allowed"
        );
        assert!(larger.get_envs().any(|(name, _)| name == VARIABLE));
    }
}
