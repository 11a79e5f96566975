//! Carved tests compiled, executed and judged; failing ones are reworded or dropped.

pub(crate) mod attempt;
pub(crate) mod attempts;
pub(crate) mod existing;
pub(crate) mod existing_tests;
pub(crate) mod redundant_tests;
pub(crate) mod test_locator;
pub(crate) mod verify;
