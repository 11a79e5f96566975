//! Runs an ignored in-situ test of wrong code in a process of its own, and demands that it fails for the right reason.

use std::env;
use std::process::Command;

/// Panics unless the test fails with every one of these texts in its output.
#[track_caller]
pub(crate) fn assert_fails(test: &str, messages: &[&str]) {
    let this_test_program = env::current_exe().expect("a test knows its own program");
    let run = Command::new(this_test_program)
        .args(["--ignored", "--exact", "--test-threads=1", test])
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("the test program starts a second time");
    let output = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
    assert!(
        output.contains("running 1 test"),
        "no ignored test is called {test}:\n{output}"
    );
    assert!(
        !run.status.success(),
        "{test} passes on wrong code:\n{output}"
    );
    for message in messages {
        assert!(
            output.contains(message),
            "the failure of {test} does not say {message:?}:\n{output}"
        );
    }
}
