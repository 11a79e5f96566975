//! Observations: the values that a generated test sees in one run of its fragment, and the branches
//! that the run took.

use std::cell::Cell;

use crate::marks;
use crate::reentrancy::unrecorded;

/// The slot of the branches; the observed values follow it.
pub const PATH_SLOT: u32 = 0;

thread_local! {
    static FRAME: Cell<usize> = const { Cell::new(0) };
}

/// Starts to count the branches of a fragment.
pub fn begin() {
    let _inside = unrecorded();
    FRAME.set(marks::open());
}

/// Returns the branches taken since [`begin`].
pub fn taken() -> Vec<u32> {
    let _inside = unrecorded();
    marks::close(FRAME.replace(0))
}

/// Returns the branches taken since the last call, in a run that may have ended in a panic.
pub fn since() -> Vec<u32> {
    let taken = taken();
    begin();
    taken
}

/// Captures an observed value, given the name of a reference to it. Evaluates to true, so that it
/// can be an oracle.
#[macro_export]
macro_rules! observed {
    ($run:expr, $slot:expr, $value:ident) => {{
        let mut guard = $crate::probe::rebuilding($run);
        $crate::capture::by_level($value)
            .capture_by_level(guard.slot($slot, $crate::secret::Secrecy::None));
        guard.close();
        guard.end();
        true
    }};
}
