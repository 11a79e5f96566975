//! Published crates as subjects: a list of them, their preparation, a verb run over each, one table.

mod list;
mod prepare;
mod table;
mod verb;

pub use list::{Kind, Subject, read_list};
pub use prepare::{Prepared, prepare};
pub use table::{Column, markdown, print_table};
pub use verb::{Row, in_folder, read_rows, run_verb, run_verb_without_workload, workload_command};
