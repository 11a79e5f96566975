//! Printing on standard output. A closed pipe is no error. Losses of a recording go to standard
//! error.

use situ_engine::record::Lost;
use std::io::{ErrorKind, Write as _, stdout};
use std::process::exit;

/// Prints a line. If the reader has closed the pipe, the process exits quietly.
pub fn print_line(line: &str) {
    let mut out = stdout().lock();
    let written = out
        .write_all(line.as_bytes())
        .and_then(|()| out.write_all(b"\n"));
    if written.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        exit(0);
    }
}

/// Prints on standard error which parts of a recording could not be read.
pub fn warn_of_losses(lost: &[Lost]) {
    const MAX_SHOWN: usize = 10;
    lost.iter()
        .take(MAX_SHOWN)
        .for_each(|lost| eprintln!("warning: {lost}"));
    if lost.len() > MAX_SHOWN {
        eprintln!("warning: and {} more", lost.len() - MAX_SHOWN);
    }
}
