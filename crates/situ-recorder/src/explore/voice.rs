//! Messages to the command that started this process: lines of fields, apart from the theory's own
//! output.

use super::descriptor::Descriptor;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::sync::Mutex;

/// The prefix of each line.
pub const MARK: &str = "\u{1}situ-explore";

/// The connection to the command.
pub struct Voice {
    out: Option<Descriptor>,
    errors: Option<Descriptor>,
}

/// The connection, between one session of this process and the next.
static KEPT: Mutex<Option<Voice>> = Mutex::new(None);

impl Voice {
    /// Takes over standard output. The theory's output is discarded, its standard error goes to a
    /// file.
    pub fn take(errors: Option<&std::path::Path>) -> Voice {
        // An earlier session of this process has taken over the streams already.
        if let Some(kept) = KEPT.lock().ok().and_then(|mut kept| kept.take()) {
            return kept;
        }
        let errors = errors.and_then(|path| File::create(path).ok());
        let out = streams::redirect(errors.as_ref()).and_then(|out| Descriptor::of(out).ok());
        Voice {
            out,
            errors: errors.and_then(|errors| Descriptor::of(errors).ok()),
        }
    }

    /// Keeps the connection for the next session.
    pub fn keep(self) {
        if let Ok(mut kept) = KEPT.lock() {
            *kept = Some(self);
        }
    }

    /// Sends a line of fields.
    pub fn say(&mut self, fields: &[&str]) {
        let mut line = String::from(MARK);
        for field in fields {
            line.push('\t');
            for character in field.chars() {
                match character {
                    '\t' => line.push_str("\\t"),
                    '\n' => line.push_str("\\n"),
                    '\\' => line.push_str("\\\\"),
                    '\r' => line.push_str("\\r"),
                    other => line.push(other),
                }
            }
        }
        let _ = writeln!(line);
        let written = match &self.out {
            Some(out) => out.write_all(line.as_bytes()),
            None => std::io::stdout().write_all(line.as_bytes()),
        };
        if written.is_err() {
            // The command is gone, or the theory has closed the connection.
            std::process::exit(0);
        }
    }

    /// Truncates the file of standard error, so that a theory with much output does not fill the
    /// disk.
    pub fn forget_errors(&self) {
        if let Some(file) = &self.errors {
            let _ = file.with(|file| file.set_len(0));
        }
    }
}

#[cfg(unix)]
mod streams {
    use std::fs::File;
    use std::os::fd::{AsRawFd as _, FromRawFd as _};

    unsafe extern "C" {
        fn dup(descriptor: i32) -> i32;
        fn dup2(from: i32, to: i32) -> i32;
    }

    /// Returns standard output and replaces it by the null device.
    pub fn redirect(errors: Option<&File>) -> Option<File> {
        let null = File::options().write(true).open("/dev/null").ok()?;
        // SAFETY: these take numbers; the new descriptor belongs to nobody else.
        unsafe {
            let out = dup(1);
            if out < 0 {
                return None;
            }
            dup2(null.as_raw_fd(), 1);
            if let Some(errors) = errors {
                dup2(errors.as_raw_fd(), 2);
            }
            Some(File::from_raw_fd(out))
        }
    }
}

#[cfg(not(unix))]
mod streams {
    use std::fs::File;

    /// Leaves standard output as it is.
    pub fn redirect(_: Option<&File>) -> Option<File> {
        None
    }
}
