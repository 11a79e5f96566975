//! Execution of one input of a fuzzer instead of a search.

use std::cell::RefCell;

thread_local! {
    static BYTES: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Executes a theory's test on the input that these bytes encode. Ends the process if the theory is
/// violated.
pub fn with_bytes(bytes: &[u8], test: fn()) {
    BYTES.set(Some(bytes.to_vec()));
    test();
    BYTES.set(None);
}

/// Returns the fuzzer's bytes, if there are any.
pub fn given() -> Option<Vec<u8>> {
    BYTES.with_borrow(Clone::clone)
}

/// Returns whether there are a fuzzer's bytes.
pub fn is_given() -> bool {
    BYTES.with_borrow(Option::is_some)
}
