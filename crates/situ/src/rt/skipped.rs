//! Notes about tests that an assumption ended, for the command: libtest has no such outcome and
//! counts them as passed.

use std::fs::OpenOptions;
use std::io::Write as _;

/// The variable with the file to write to.
const FILE: &str = "SITU_SKIPPED";

/// Notes that the test on this thread was skipped: its name, the place of the assumption or of the test, and why.
pub(crate) fn note(file: &str, line: u32, why: &str) {
    let Some(path) = std::env::var_os(FILE) else {
        return;
    };
    let thread = std::thread::current();
    let why = why.replace(['\n', '\r', '\t'], " ");
    // In one write, because other tests write to the same file.
    let noted = format!(
        "{}\t{file}\t{line}\t{why}\n",
        thread.name().unwrap_or_default()
    );
    // Nothing depends on this line; a file that cannot be written must not fail a test.
    let _ = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .and_then(|mut file| file.write_all(noted.as_bytes()));
}
