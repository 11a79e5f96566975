//! Unit tests for the functions that an end-to-end run called: arrange, act, assert, with the
//! recorded values.

pub(crate) mod check;
mod doubles;
pub(crate) mod find;
pub(crate) mod refusal;
mod report;
mod run;
pub(crate) mod write;

pub use doubles::double_text::DoubleStyle;
pub use find::call_filter::watched;
pub use find::selection::Selection;
pub use report::tree::Node;
pub use report::{Carved, Form, InPlace, Refused, Report, Summary};
pub use run::{Keep, Request, Source, carve};
pub use write::call_checks::Unchecked;
pub use write::place::{PlacedTest, changes, item};
