//! One input of a fuzzer in the place of a search.

use std::cell::RefCell;

thread_local! {
    static BYTES: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Runs a theory's test on one input, which is made of these bytes; ends the process where the theory is violated.
pub fn with_bytes(bytes: &[u8], test: fn()) {
    BYTES.set(Some(bytes.to_vec()));
    test();
    BYTES.set(None);
}

/// The bytes that are given instead of a job.
pub fn given() -> Option<Vec<u8>> {
    BYTES.with_borrow(Clone::clone)
}

/// Whether there are any.
pub fn is_given() -> bool {
    BYTES.with_borrow(Option::is_some)
}
