//! Rows: a test that tools write, with many value sets of one target, of which each run takes one.

use std::cell::Cell;

thread_local! {
    static ROW: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The environment variable with the row of all tests of a process, where nobody chooses.
const ROW_VARIABLE: &str = "SITU_ROW";

/// The row that the next run takes.
pub fn choose(row: usize) {
    ROW.set(Some(row));
}

/// The row of this run.
pub fn row() -> usize {
    ROW.get()
        .or_else(|| std::env::var(ROW_VARIABLE).ok()?.parse().ok())
        .unwrap_or(0)
}

/// A value that lives on, so that what borrows it can leave the expression that made it.
pub fn kept<'a, T: 'a>(value: T) -> &'a mut T {
    Box::leak(Box::new(value))
}

/// The values of a row. It is shown by its number: what some values are is told only after that, by the code that takes them.
pub struct Row<T>(pub T);

impl<T> std::fmt::Debug for Row<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "row {}", row())
    }
}

/// For a row that there is not.
pub fn none() -> ! {
    panic!("there is no such row")
}
