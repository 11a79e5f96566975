//! What a process says to the command that started it: lines of fields, past whatever the theory prints.

use super::descriptor::Descriptor;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::sync::Mutex;

/// How each line begins.
pub const MARK: &str = "\u{1}situ-explore";

/// The way to the command.
pub struct Voice {
    out: Option<Descriptor>,
    errors: Option<Descriptor>,
}

/// The way to the command, between one session of this process and the next.
static KEPT: Mutex<Option<Voice>> = Mutex::new(None);

impl Voice {
    /// Takes standard output for itself; what the theory prints goes nowhere, and its errors to a file.
    pub fn take(errors: Option<&std::path::Path>) -> Voice {
        // Whoever spoke before has taken the streams already.
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

    /// Leaves the streams to the next session.
    pub fn keep(self) {
        if let Ok(mut kept) = KEPT.lock() {
            *kept = Some(self);
        }
    }

    /// Says a line of fields.
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
            // Nobody listens any more, or the theory has closed the way to whoever does.
            std::process::exit(0);
        }
    }

    /// Keeps the file of a talkative theory from filling the disk.
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

    /// Gives standard output, and puts the null device in its place.
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

    /// Standard output stays where it is.
    pub fn redirect(_: Option<&File>) -> Option<File> {
        None
    }
}
