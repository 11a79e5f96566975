//! The grammar: parsing of a test macro call, clause by clause, independently of its surroundings.

mod arguments;
mod call;
mod clause;
mod flow;
mod nearest;
mod parse;
mod vacuous;

pub use call::{Kind, TestCall, is_test_statement, kind_of_macro, test_of_statement};
pub use clause::{Answers, Boundary, Clauses, Each, Given, Input, Mock, Oracle, OracleKind, Scope};
pub use flow::{FlowPath, FlowStep, StepKind};
pub use nearest::{edit_distance, similar_name};
