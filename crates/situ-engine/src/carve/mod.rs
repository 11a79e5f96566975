//! Unit tests for the functions that an end-to-end run came by: arrange, act, assert, with the values that were there.

mod act;
mod arrange;
mod asked;
mod assertion;
mod attempt;
mod duplicates;
mod in_situ;
mod leaf;
mod names;
mod place;
mod producers;
mod report;
mod run;
mod scenario;
mod stands;
mod subject;
mod test;
mod verify;
mod visible;

pub use asked::Asked;
pub use place::{PlacedTest, changes, item};
pub use report::{Carved, Form, Refused, Report, Summary};
pub use run::{Keep, Request, Source, carve};
