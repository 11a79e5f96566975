//! Rows: a generated test with many value sets of one target, of which each run uses one.

use std::cell::Cell;

thread_local! {
    static ROW: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The environment variable with the row of all tests of a process, if none is chosen.
const ROW_VARIABLE: &str = "SITU_ROW";

/// Sets the row of the next run.
pub fn choose(row: usize) {
    ROW.set(Some(row));
}

/// Returns the row of this run.
pub fn row() -> usize {
    ROW.get()
        .or_else(|| std::env::var(ROW_VARIABLE).ok()?.parse().ok())
        .unwrap_or(0)
}

/// Leaks a value, so that a borrow of it outlives its expression.
pub fn kept<'a, T: 'a>(value: T) -> &'a mut T {
    Box::leak(Box::new(value))
}

/// The values of a row. It is displayed by its number, because some values are known only to the
/// code that uses them.
pub struct Row<T>(pub T);

impl<T> std::fmt::Debug for Row<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "row {}", row())
    }
}

/// Panics because the row does not exist.
pub fn none() -> ! {
    panic!("there is no such row")
}
