//! Runs code that other people wrote for a type, while a value of it is captured: `Debug`, `Display`, `FromStr`, `==`.
//!
//! Such code may wait for a lock that its own thread holds, panic, or change something that the program notices. So it is run
//! only where somebody ends the process when it hangs, which then knows from a note what hung; its panics are kept to itself;
//! and where the workspace's own `Debug` does more than show fields, the instrumented copy of that does nothing.

mod notes;
mod watch;

pub use notes::{EXTENSION, Noted, read};
pub use watch::{NOTES_VARIABLE, OPAQUE_TYPES};

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a type was not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declined {
    /// Nobody would end the process if it hung.
    Unwatched,
    /// The user says so, or it hung before.
    Listed,
    /// A panic would end the process.
    Aborting,
    /// The stack is unwinding already.
    Unwinding,
    /// Its code panicked.
    Panicked,
    /// Its code is of the workspace, and may have effects.
    Effects,
}

impl Declined {
    /// The reason that is recorded.
    pub fn reason(self) -> &'static str {
        match self {
            Declined::Unwatched => "its own code is run only where a command watches the program",
            Declined::Listed => "its own code is not run: it is listed, or did not return before",
            Declined::Aborting => "its own code is not run in a program that aborts at a panic",
            Declined::Unwinding => "its own code is not run during a panic",
            Declined::Panicked => "its own code panicked when asked",
            Declined::Effects => "it is shown by code of the workspace that may have effects",
        }
    }
}

/// What code is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// For a text to look at.
    Show,
    /// For another value that is equal.
    Rebuild,
}

thread_local! {
    /// What code is run for on this thread, if it is run by a capture.
    static RUNNING: Cell<Option<Purpose>> = const { Cell::new(None) };
    /// Whether some of that code was left out.
    static LEFT_OUT: Cell<bool> = const { Cell::new(false) };
}

static ABORTS: AtomicBool = AtomicBool::new(false);

/// Says that panics end this process.
pub(crate) fn panics_abort() {
    ABORTS.store(true, Ordering::Relaxed);
}

/// Returns whether a panic on this thread is one of code that a capture runs, and no business of the program's.
pub(crate) fn is_running() -> bool {
    RUNNING
        .try_with(Cell::get)
        .is_ok_and(|running| running.is_some())
}

/// Asked at the beginning of a `Debug` of the workspace that does more than show fields: true where a capture runs it, so that
/// it must do nothing.
#[inline(never)]
pub fn leaves_out_debug() -> bool {
    leaves_out(|_| true)
}

/// Asked at the beginning of a `Display` of the workspace that does more than show fields: true where a capture runs it to
/// look at its text.
#[inline(never)]
pub fn leaves_out_display() -> bool {
    leaves_out(|purpose| purpose == Purpose::Show)
}

fn leaves_out(is_left_out: impl FnOnce(Purpose) -> bool) -> bool {
    let leaves_out = RUNNING
        .try_with(Cell::get)
        .ok()
        .flatten()
        .is_some_and(is_left_out);
    if leaves_out {
        let _ = LEFT_OUT.try_with(|left_out| left_out.set(true));
    }
    leaves_out
}

/// Runs code of a type, or says why not.
pub(crate) fn run<T>(
    type_name: &str,
    purpose: Purpose,
    work: impl FnOnce() -> T,
) -> Result<T, Declined> {
    let name = if is_of_the_standard_library(type_name) {
        None
    } else {
        Some(type_name)
    };
    watched(name, purpose, work)
}

/// Evaluates an expression of the program, whatever code that runs.
pub(crate) fn evaluate<T>(
    expression: &str,
    purpose: Purpose,
    work: impl FnOnce() -> T,
) -> Result<T, Declined> {
    watched(Some(expression), purpose, work)
}

fn watched<T>(
    name: Option<&str>,
    purpose: Purpose,
    work: impl FnOnce() -> T,
) -> Result<T, Declined> {
    if std::thread::panicking() {
        return Err(Declined::Unwinding);
    }
    if ABORTS.load(Ordering::Relaxed) {
        return Err(Declined::Aborting);
    }
    let _note = name.map(watch::begin).transpose()?;
    let outer = RUNNING.replace(Some(purpose));
    let left_out_before = LEFT_OUT.replace(false);
    let result = catch_unwind(AssertUnwindSafe(work));
    RUNNING.set(outer);
    if LEFT_OUT.replace(left_out_before) {
        return Err(Declined::Effects);
    }
    result.map_err(|_| Declined::Panicked)
}

/// Returns whether a name mentions types of the standard library alone, whose code never waits and has no effects.
pub(crate) fn is_of_the_standard_library(type_name: &str) -> bool {
    let is_in_path = |char: char| char.is_alphanumeric() || char == '_' || char == ':';
    let mut paths = type_name
        .split(|char| !is_in_path(char))
        .filter_map(|path| path.split_once("::"));
    // What follows a type in angle brackets has no root.
    paths.all(|(root, _)| matches!(root, "" | "core" | "alloc" | "std"))
        && !type_name.contains("dyn ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_the_standard_library_is_harmless() {
        for harmless in [
            "u8",
            "&str",
            "(core::option::Option<alloc::string::String>, std::path::PathBuf)",
        ] {
            assert!(is_of_the_standard_library(harmless), "{harmless}");
        }
        for other in [
            "mine::Point",
            "alloc::vec::Vec<mine::Point>",
            "alloc::boxed::Box<dyn core::error::Error>",
            "core::iter::Map<core::str::Chars, mine::f::{{closure}}>",
            "<mine::A as core::iter::Iterator>::Item",
        ] {
            assert!(!is_of_the_standard_library(other), "{other}");
        }
    }

    #[test]
    fn what_code_does_is_kept_to_itself() {
        assert_eq!(run("mine::Quiet", Purpose::Show, || 5), Ok(5));
        assert_eq!(
            run("mine::Loud", Purpose::Show, || panic!("on purpose")),
            Err::<(), _>(Declined::Panicked)
        );
        assert_eq!(
            run("mine::Busy", Purpose::Show, leaves_out_debug),
            Err(Declined::Effects)
        );
        assert_eq!(
            run("mine::Busy", Purpose::Rebuild, leaves_out_display),
            Ok(false),
            "its text is needed"
        );
        assert!(
            !leaves_out_debug() && !leaves_out_display(),
            "for the program it does what it does"
        );
        assert_eq!(
            run(watch::HANGING, Purpose::Show, || 5),
            Err(Declined::Listed)
        );
    }

    #[test]
    fn nothing_is_run_while_the_stack_unwinds() {
        struct Drops<'d>(&'d mut Option<Result<u8, Declined>>);
        impl Drop for Drops<'_> {
            fn drop(&mut self) {
                *self.0 = Some(run("mine::Type", Purpose::Show, || 5));
            }
        }
        let mut seen = None;
        let unwinding = catch_unwind(AssertUnwindSafe(|| {
            let _drops = Drops(&mut seen);
            std::panic::resume_unwind(Box::new("on purpose"));
        }));
        assert!(unwinding.is_err());
        assert_eq!(seen, Some(Err(Declined::Unwinding)));
    }
}
