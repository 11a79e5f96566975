//! Unit tests for the functions that an end-to-end run came by: arrange, act, assert, with the values that were there.

mod act;
mod arrange;
mod asked;
mod assertion;
mod attempt;
mod callee;
mod changes;
mod debug_text;
mod declared;
mod duplicates;
mod in_situ;
mod leaf;
mod names;
mod place;
mod producers;
mod report;
mod run;
mod scenario;
mod shared;
mod stands;
mod sources;
mod subject;
mod test;
mod tree;
mod tree_page;
mod verify;
mod watched;

pub use asked::Asked;
pub use place::{PlacedTest, changes, item};
pub use report::{Carved, Form, Refused, Report, Summary};
pub use run::{Keep, Request, Source, carve};
pub use tree::Node;
pub use tree_page::page;
pub use watched::watched;
