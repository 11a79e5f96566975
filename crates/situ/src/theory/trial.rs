//! One run of a theory's body: its outcome, with all panics inside it suppressed on the terminal.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind};
use std::sync::Once;

use super::assumption::{Compared, Site};

/// The outcome of one assignment.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// The theory holds for it.
    Held,
    /// An assumption rejected it.
    Rejected(&'static Site),
    /// The theory is violated, with the message.
    Violated(String),
}

thread_local! {
    static TRIAL: Trial = const { Trial::new() };
}

struct Trial {
    /// Whether assumptions belong to a theory, and not to an ordinary test.
    in_theory: Cell<bool>,
    /// Whether panics are noted instead of printed.
    quiet: Cell<bool>,
    rejected: Cell<Option<&'static Site>>,
    /// Whether the values of a failed comparison are needed.
    wants_values: Cell<bool>,
    compared: RefCell<Option<Compared>>,
    panicked: RefCell<Option<String>>,
}

impl Trial {
    const fn new() -> Self {
        Self {
            in_theory: Cell::new(false),
            quiet: Cell::new(false),
            rejected: Cell::new(None),
            wants_values: Cell::new(false),
            compared: RefCell::new(None),
            panicked: RefCell::new(None),
        }
    }
}

/// The payload that carries a rejection through functions that the theory calls.
struct Rejection;

/// Runs the body once.
#[inline]
pub(crate) fn run(body: impl FnOnce() -> Result<(), String>) -> Fate {
    TRIAL.with(|trial| {
        trial.in_theory.set(true);
        trial.quiet.set(true);
        let ended = catch_unwind(AssertUnwindSafe(body));
        trial.quiet.set(false);
        trial.in_theory.set(false);
        match (trial.rejected.take(), ended) {
            (Some(site), _) => Fate::Rejected(site),
            (None, Ok(Ok(()))) => Fate::Held,
            (None, Ok(Err(failure))) => Fate::Violated(failure),
            (None, Err(payload)) => {
                Fate::Violated(trial.panicked.take().unwrap_or_else(|| words_of(&*payload)))
            }
        }
    })
}

/// Runs the body for the explorer.
pub fn attempt(body: &mut dyn FnMut() -> Result<(), String>) -> Fate {
    note_panics();
    run(body)
}

/// Runs the body for the explorer with its answers of stubs. If all are first guesses, stubs search
/// for better ones. For a violation, the answers are part of the message.
pub fn attempt_answered(
    answers: super::stub::Answers,
    body: &mut dyn FnMut() -> Result<(), String>,
) -> Fate {
    let are_first_guesses = answers
        .iter()
        .all(|(number, bytes)| *number == 0 && bytes.is_empty());
    let (fate, said) = match are_first_guesses {
        true => super::stub::search(&mut || run(&mut *body)),
        false => super::stub::answered(answers, &mut || run(&mut *body)),
    };
    match fate {
        Fate::Violated(message) if !said.is_empty() => {
            let said = said.join("\n");
            Fate::Violated(match message.rsplit_once("\nat ") {
                Some((words, place)) => format!("{words}\n{said}\nat {place}"),
                None => format!("{message}\n{said}"),
            })
        }
        other => other,
    }
}

/// Runs code of the user's; returns the message of a panic instead of printing it.
pub(crate) fn quietly<R>(run: impl FnOnce() -> R) -> Result<R, String> {
    note_panics();
    TRIAL.with(|trial| {
        let before = trial.quiet.replace(true);
        let ended = catch_unwind(AssertUnwindSafe(run));
        trial.quiet.set(before);
        ended.map_err(|payload| trial.panicked.take().unwrap_or_else(|| words_of(&*payload)))
    })
}

/// Sets whether assumptions keep the values that they compared.
pub(crate) fn want_values(wanted: bool) {
    TRIAL.with(|trial| trial.wants_values.set(wanted));
}

/// Returns the values of the comparison that rejected the last run.
pub(crate) fn take_compared() -> Option<Compared> {
    TRIAL.with(|trial| trial.compared.take())
}

/// Notes a rejection; returns false if no theory is running on this thread.
pub(crate) fn reject(site: &'static Site, compared: &dyn Fn() -> Option<Compared>) -> bool {
    TRIAL.with(|trial| {
        if !trial.in_theory.get() {
            return false;
        }
        trial.rejected.set(Some(site));
        if trial.wants_values.get() {
            *trial.compared.borrow_mut() = compared();
        }
        true
    })
}

/// Unwinds to the theory's caller without printing anything.
pub(crate) fn unwind_rejected() -> ! {
    resume_unwind(Box::new(Rejection))
}

/// Installs, once, a panic hook that notes the panics of quiet threads and forwards all others to
/// the previous hook.
pub(crate) fn note_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let quiet = TRIAL.try_with(|trial| trial.quiet.get()).unwrap_or(false);
            if quiet { note(info) } else { before(info) }
        }));
    });
}

fn note(info: &PanicHookInfo<'_>) {
    let words = words_of(info.payload());
    let text = match info.location() {
        Some(place) => format!(
            "{words}\nat {}:{}:{}",
            place.file(),
            place.line(),
            place.column()
        ),
        None => words,
    };
    TRIAL.with(|trial| *trial.panicked.borrow_mut() = Some(text));
}

fn words_of(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| String::from(*text));
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| String::from("a panic whose payload is no text"))
}
