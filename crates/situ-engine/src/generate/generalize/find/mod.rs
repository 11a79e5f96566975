//! The tests that a user wrote, the functions that they call, and the arguments that these were called with.

pub(crate) mod arguments;
pub(crate) mod functions;
pub(crate) mod macro_tests;
pub(crate) mod selection;
pub(crate) mod test_code;
pub(crate) mod unit_tests;
