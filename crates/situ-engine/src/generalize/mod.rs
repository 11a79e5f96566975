//! `cargo situ generalize`: parameterized tests from ordinary tests and arguments that really occurred.
//!
//! Tests with their calls and assertions, recorded arguments → candidates → copies in a mirror, settled with the compiler →
//! trials → classes → mutants for those that hold for everything → tests as a reader sees them, verified → a change.

mod arguments;
mod asked;
mod assertion;
mod binders;
mod body;
mod candidate;
mod classify;
mod cleaning;
mod copies;
mod effects;
mod emit;
mod functions;
mod liveness;
mod made_tests;
mod mending;
mod messages;
mod mirror_file;
mod mutants;
mod noting;
mod pairing;
mod passes;
mod report;
mod run;
mod scope;
mod scopes;
mod settle;
mod slice;
mod splicing;
mod tables;
mod telling;
mod test_code;
mod trials;
mod unit_tests;
mod verify;
mod walk;
mod words;

pub use asked::Asked;
pub use classify::Class;
pub use emit::{RSTEST, Style};
pub use report::{ClassesOfPackage, Emitted, OfCandidate, Report, Summary, TargetFunction, Without};
pub use run::{Request, generalize};

#[cfg(test)]
mod tests;
