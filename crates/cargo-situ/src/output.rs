//! Standard output, on which a reader may have hung up: that is no error.

use std::io::{ErrorKind, Write as _, stdout};
use std::process::exit;

/// Prints a line. Where nobody listens any more, the command ends quietly.
pub fn print_line(line: &str) {
    let mut out = stdout().lock();
    let written = out.write_all(line.as_bytes()).and_then(|()| out.write_all(b"\n"));
    if written.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        exit(0);
    }
}
