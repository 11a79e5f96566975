//! Test programs: building them, listing their tests, executing them and parsing their output.

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
