//! Test programs: built, asked for their tests, executed, and what their output says.

pub mod catalog;
pub(crate) mod failing;
pub(crate) mod harness;
pub(crate) mod outcomes;
pub(crate) mod program;
#[cfg(all(test, unix))]
pub(crate) mod shell_program;
pub(crate) mod skips;
pub(crate) mod test_list;
pub(crate) mod workspace_programs;
