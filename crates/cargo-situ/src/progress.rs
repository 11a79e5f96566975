//! Progress on a terminal; nothing is shown if standard error is none.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal as _, stderr};
use std::time::Duration;

/// A progress line on the terminal.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Starts a progress line. With `quiet`, or if standard error is no terminal, it shows nothing.
    pub fn start(text: &str, quiet: bool) -> Progress {
        let bar = if quiet || !stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new_spinner()
        };
        bar.set_message(text.to_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
        Progress { bar }
    }

    /// Shows the name of a new step.
    pub fn step(&self, text: &str) {
        self.bar.set_message(text.to_owned());
    }

    /// Runs `print` while the progress line is hidden.
    pub fn beside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Shows how many parts of a step are done.
    pub fn advance(&self, done: usize, of: usize, text: &str) {
        if self.bar.length() != Some(of as u64) {
            self.bar.set_length(of as u64);
            if let Ok(style) =
                ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} [{elapsed}, {eta} left]")
            {
                self.bar.set_style(style);
            }
        }
        self.bar.set_position(done as u64);
        self.bar.set_message(text.to_owned());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
