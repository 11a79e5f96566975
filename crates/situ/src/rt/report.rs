//! The message of a failure: the target, the inputs, expected and found, the line of the test and
//! of the target.

use super::run::{Run, lock};
use std::fmt::Write;
use std::panic::{Location, resume_unwind};
use std::sync::atomic::Ordering;

impl Run {
    /// Returns the message of a failed test, with `facts` such as expected and found.
    pub(super) fn report(&self, oracle: &str, facts: &[(&str, String)]) -> String {
        let test = self.test;
        let mut text = String::from(test.target);
        let mut line = |title: &str, value: &str| {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n{title:>9}  {value}");
        };
        if !test.inputs.is_empty() {
            line("given", test.inputs);
        }
        for value in lock(&self.values).iter() {
            line("where", value);
        }
        let cases = lock(&self.cases).join(", ");
        if !cases.is_empty() {
            line("case", &cases);
        }
        if self.round > 1 {
            line("run", &format!("number {}", self.round));
        }
        for (title, value) in facts {
            line(title, value);
        }
        line(
            "test",
            format!("{}:{}  {oracle}", test.place.file(), test.place.line()).trim_end(),
        );
        line(
            "target",
            &format!("{}:{}", test.place.file(), test.target_line),
        );
        text
    }

    /// Fails the test.
    #[cold]
    #[track_caller]
    pub(super) fn fail(&self, oracle: &str, facts: &[(&str, String)]) -> ! {
        let message = self.report(oracle, facts);
        self.reported.store(true, Ordering::Relaxed);
        let thread = std::thread::current();
        let (name, place) = (thread.name().unwrap_or("a thread"), Location::caller());
        if self.is_explored {
            resume_unwind(Box::new(format!("{message}\nat {place}")));
        }
        // In the format of a panic, which editors and other tools can parse, but without the panic
        // hook, which would add a backtrace through Situ's own functions.
        eprintln!("\nthread '{name}' panicked at {place}:\n{message}");
        resume_unwind(Box::new(message))
    }

    /// Fails the test, even if the fragment catches the panic.
    #[cold]
    #[track_caller]
    pub(super) fn fail_for_good(&self, oracle: &str, facts: &[(&str, String)]) -> ! {
        *lock(&self.swallowed) = Some(self.report(oracle, facts));
        self.fail(oracle, facts)
    }
}
