//! Execution of code that other people wrote for a type, while a value of it is captured: `Debug`,
//! `Display`, `FromStr`, `==`.
//!
//! Such code may wait for a lock that its own thread holds, panic, or have effects that the program
//! notices. It is executed only in a process that is supervised: if it hangs, the supervisor ends
//! the process and finds in a note what hung. Its panics are caught. If the workspace's own `Debug`
//! does more than format fields, its instrumented copy does nothing.

mod notes;
mod watch;

pub use notes::{EXTENSION, Noted, read};
pub use watch::{NOTES_VARIABLE, OPAQUE_TYPES};

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// The reason why a type's code was not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declined {
    /// Nobody would end the process if it hung.
    Unwatched,
    /// The user excluded the type, or its code hung before.
    Listed,
    /// A panic would abort the process.
    Aborting,
    /// The thread is already unwinding.
    Unwinding,
    /// The code panicked.
    Panicked,
    /// The code belongs to the workspace and may have effects.
    Effects,
}

impl Declined {
    /// Returns the reason that is recorded.
    pub fn reason(self) -> &'static str {
        match self {
            Declined::Unwatched => {
                "its own code is executed only if a command supervises the program"
            }
            Declined::Listed => {
                "its own code is not executed: it is excluded, or did not return before"
            }
            Declined::Aborting => "its own code is not executed in a program that aborts on panic",
            Declined::Unwinding => "its own code is not executed during a panic",
            Declined::Panicked => "its own code panicked",
            Declined::Effects => "its Debug is code of the workspace that may have effects",
        }
    }
}

/// The purpose of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To get a string for display.
    Show,
    /// To construct an equal value.
    Rebuild,
}

thread_local! {
    /// The purpose of the code that a capture executes on this thread, if there is any.
    static RUNNING: Cell<Option<Purpose>> = const { Cell::new(None) };
    /// Whether some of that code was skipped.
    static LEFT_OUT: Cell<bool> = const { Cell::new(false) };
}

static ABORTS: AtomicBool = AtomicBool::new(false);

/// Notes that panics abort this process.
pub(crate) fn panics_abort() {
    ABORTS.store(true, Ordering::Relaxed);
}

/// Returns whether a panic on this thread comes from code that a capture executes, so that the
/// program must not notice it.
pub(crate) fn is_running() -> bool {
    RUNNING
        .try_with(Cell::get)
        .is_ok_and(|running| running.is_some())
}

/// Returns true if a capture executes the `Debug` of the workspace that calls this, which must then
/// do nothing. Called first in every `Debug` that does more than format fields.
#[inline(never)]
pub fn leaves_out_debug() -> bool {
    leaves_out(|_| true)
}

/// Returns true if a capture executes the `Display` of the workspace that calls this for display
/// only. Called first in every `Display` that does more than format fields.
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

/// Executes code of a type, or returns why not.
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

/// Evaluates an expression of the program, whatever code that executes.
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

/// Returns whether a name mentions only types of the standard library, whose code never blocks and
/// has no effects.
pub(crate) fn is_of_the_standard_library(type_name: &str) -> bool {
    let is_in_path = |char: char| char.is_alphanumeric() || char == '_' || char == ':';
    let mut paths = type_name
        .split(|char| !is_in_path(char))
        .filter_map(|path| path.split_once("::"));
    // A path after a type in angle brackets has no root.
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
