//! Runs a process without network access.

use std::process::Command;

/// Proxy address that refuses connections: the port of the discard service.
const NOBODY: &str = "http://127.0.0.1:9";

/// Denies a process the network: its own network namespace where the system allows that, and
/// unreachable proxies everywhere.
pub fn without_network(command: &mut Command) {
    for name in [
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "http_proxy",
        "https_proxy",
        "all_proxy",
    ] {
        command.env(name, NOBODY);
    }
    command.env_remove("NO_PROXY").env_remove("no_proxy");
    in_own_network(command);
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library knows no namespaces")]
fn in_own_network(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    let leave = || {
        // SAFETY: unshare(2) takes an integer and touches no memory of ours. If it is refused, the
        // proxies remain.
        unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNET) };
        Ok(())
    };
    // SAFETY: between fork and exec, nothing but one system call is made: no allocation, no lock.
    unsafe { command.pre_exec(leave) };
}

#[cfg(not(target_os = "linux"))]
fn in_own_network(_command: &mut Command) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_without_a_network_has_proxies_that_do_not_answer() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo $http_proxy; cat /proc/net/dev | wc -l"]);
        without_network(&mut command);
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(NOBODY), "{text}");
    }
}
