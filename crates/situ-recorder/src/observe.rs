//! Observations: what a test that tools write sees of one run of its fragment, and the branches that the run took.

use std::cell::Cell;

use crate::marks;
use crate::reentrancy::unrecorded;

/// The slot that holds the branches; what is claimed of a run comes behind it.
pub const PATH_SLOT: u32 = 0;

thread_local! {
    static FRAME: Cell<usize> = const { Cell::new(0) };
}

/// The fragment begins: the branches that it takes count from here.
pub fn begin() {
    let _inside = unrecorded();
    FRAME.set(marks::open());
}

/// The branches that were taken since.
pub fn taken() -> Vec<u32> {
    let _inside = unrecorded();
    marks::close(FRAME.replace(0))
}

/// The branches that were taken since this was asked before, in a run that may have ended in a panic.
pub fn since() -> Vec<u32> {
    let taken = taken();
    begin();
    taken
}

/// Captures a value that a test sees, behind the name of a reference to it. It is true, so that it can stand as an oracle.
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
