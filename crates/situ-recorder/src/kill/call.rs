//! The doors for calls: one that searches arguments, one that verifies a call as it is written.

use super::hunt::Hunt;
use super::outcome::{self, ENDLESS, VALUES};
use crate::Writer;
use crate::explore::{self, Parameter, Shapes, Tree};
use crate::secret::Secrecy;
use crate::switch::{NOBODY, NOTED, OutOfFuel, switch_off, switch_on};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

/// Longer values are cut.
const MAX_BYTES: usize = 1 << 16;
/// What a call of the original may use: a call that passes more sites is left out.
pub(super) const PLENTY: i64 = 300_000;

thread_local! {
    /// What to switch on in the next call, with what it may use.
    static NEXT: Cell<(u32, i64)> = const { Cell::new((NOTED, PLENTY)) };
    /// What the last call gave, and what it used.
    static LAST: RefCell<Option<(Vec<u8>, i64)>> = const { RefCell::new(None) };
    /// What the last panic said.
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
    /// Where `keep` writes to.
    static KEPT: RefCell<Option<Writer>> = const { RefCell::new(None) };
}

/// One call of the function under search.
pub struct Call {
    writer: Writer,
    is_over: bool,
    panic: Option<Vec<u8>>,
    used: i64,
}

impl Call {
    fn new() -> Call {
        Call {
            writer: Writer::new(MAX_BYTES),
            is_over: false,
            panic: None,
            used: 0,
        }
    }

    /// Makes the call, with a mutant on if one is asked for. None where it panics or does not end.
    pub fn run<R>(&mut self, call: impl FnOnce() -> R) -> Option<R> {
        let (mutant, fuel) = NEXT.get();
        explore::built();
        switch_on(mutant, fuel);
        let result = catch_unwind(AssertUnwindSafe(call));
        self.used = switch_off(fuel);
        self.is_over = true;
        match result {
            Ok(value) => Some(value),
            Err(panic) => {
                self.panic = Some(if panic.is::<OutOfFuel>() {
                    vec![ENDLESS]
                } else {
                    MESSAGE.with_borrow(|message| outcome::panic(message))
                });
                // A payload may panic when it is dropped.
                std::mem::forget(panic);
                None
            }
        }
    }

    /// Captures a value that the call gave or changed.
    pub fn slot(&mut self, number: u32, capture: impl FnOnce(&mut Writer)) {
        self.writer.start_value(number, Secrecy::None);
        capture(&mut self.writer);
        self.writer.end_value();
    }

    /// What the call gave, as bytes.
    fn into_bytes(self) -> Vec<u8> {
        self.panic.unwrap_or_else(|| {
            let mut bytes = vec![VALUES];
            self.writer.put_names(&mut bytes);
            bytes.extend_from_slice(self.writer.bytes());
            bytes
        })
    }
}

/// Searches arguments of a function for which mutants differ from the original; `call` makes the values of trees and calls it.
pub fn drive(
    shapes: Shapes,
    parameters: Vec<Parameter>,
    call: &mut dyn FnMut(&[Tree], &mut Call) -> Option<()>,
) {
    if !explore::is_asked() {
        return;
    }
    keep_quiet();
    let mut run = |trees: &[Tree]| match once(call, trees) {
        Some((outcome, used)) => {
            let is_endless = outcome.first() == Some(&ENDLESS);
            LAST.set(Some((outcome, used)));
            if is_endless && NEXT.get().0 == NOTED {
                explore::Outcome::NotBuilt
            } else {
                explore::Outcome::Held
            }
        }
        None => {
            LAST.set(None);
            explore::Outcome::NotBuilt
        }
    };
    explore::drive_followed(
        shapes,
        parameters,
        &mut run,
        Box::new(Hunt::of_this_process()),
    );
}

/// One call on these values. None where they cannot be made, or where something else than the call panics.
fn once(
    call: &mut dyn FnMut(&[Tree], &mut Call) -> Option<()>,
    trees: &[Tree],
) -> Option<(Vec<u8>, i64)> {
    let mut made = Call::new();
    let result = catch_unwind(AssertUnwindSafe(|| call(trees, &mut made)));
    match result {
        Ok(Some(())) if made.is_over => {
            let used = made.used;
            Some((made.into_bytes(), used))
        }
        Ok(_) => None,
        Err(panic) => {
            std::mem::forget(panic);
            None
        }
    }
}

/// What the last call gave and used, once.
pub(super) fn taken() -> Option<(Vec<u8>, i64)> {
    LAST.take()
}

/// Does something with a mutant on in all calls.
pub(super) fn with_mutant<R>(mutant: u32, fuel: i64, work: impl FnOnce() -> R) -> R {
    NEXT.set((mutant, fuel));
    let result = work();
    NEXT.set((NOTED, PLENTY));
    result
}

/// Verifies a written call: executes it once with the mutant of the job, if it names one, and says what it gives.
pub fn verify(call: fn()) {
    if !explore::is_asked() {
        return;
    }
    keep_quiet();
    let (mutant, errors) = super::hunt::asked_to_verify();
    let mut voice = explore::voice::Voice::take(errors.as_deref());
    NEXT.set((mutant.unwrap_or(NOBODY), PLENTY.saturating_mul(4)));
    KEPT.set(Some(Writer::new(MAX_BYTES)));
    let mut made = Call::new();
    made.run(call);
    if let Some(writer) = KEPT.take() {
        made.writer = writer;
    }
    let bytes = explore::session::hexadecimal(&made.into_bytes());
    voice.say(&["outcome", &bytes]);
    voice.keep();
}

/// Captures the value of a written call, with the original code.
pub fn keep(capture: impl FnOnce(&mut Writer)) {
    let (mutant, fuel) = NEXT.get();
    let used = switch_off(fuel);
    KEPT.with_borrow_mut(|kept| {
        if let Some(writer) = kept {
            writer.start_value(0, Secrecy::None);
            capture(writer);
            writer.end_value();
        }
    });
    switch_on(mutant, fuel.saturating_sub(used));
}

/// Panics are outcomes here, and none of them is news.
fn keep_quiet() {
    set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned());
        let _ = MESSAGE.try_with(|message| {
            if let Ok(mut message) = message.try_borrow_mut() {
                *message = text.unwrap_or_default();
            }
        });
    }));
}
