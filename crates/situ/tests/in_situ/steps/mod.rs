//! A log of the steps a fragment took, kept per thread, so that a test can see exactly which statements ran
//! without mentioning any of their variables.

use std::cell::RefCell;

thread_local! {
    static STEPS: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Notes one step.
pub fn step(name: char) {
    STEPS.with_borrow_mut(|steps| steps.push(name));
}

/// The steps since the last question.
pub fn taken() -> String {
    STEPS.take()
}
