//! The explorer inside a test program: values as trees, typed mutation guided by coverage and
//! comparisons, shrinking.
//!
//! This folder is also a crate of its own, `situ_explore`, with this file as its root. It is linked
//! into a test program whose theories are explored, and one call of [`drive`] explores one theory
//! in one process. The command starts the process, supervises it and reads its output.

mod addresses;
mod arithmetic;
mod bytes;
mod compares;
mod corpus;
mod cost;
pub(crate) mod coverage;
// The crate made of this folder cannot reach the file in any other way.
#[cfg(situ_explored)]
#[path = "../switch/descriptor.rs"]
mod descriptor;
#[cfg(not(situ_explored))]
use crate::switch::descriptor;
mod dictionary;
mod driver;
mod failure;
mod fuzz;
mod generate;
mod goals;
mod hooks;
mod in_situ;
pub(crate) mod job;
pub(crate) mod journal;
mod kinds;
mod leaf;
mod made;
mod mending;
mod mutate;
mod opening;
mod outcome;
mod passing;
mod print;
mod random;
mod recorded;
mod relate;
mod search;
pub(crate) mod session;
mod shape;
pub(crate) mod shrink;
mod simpler;
mod sites;
mod slot;
mod solve;
mod substitute;
mod text_mutation;
mod tree;
pub(crate) mod voice;

/// The standard library, for generated code in crates that are `#![no_std]`.
pub mod standard {
    pub use ::std::*;
}

pub use bytes::{bytes_between, bytes_in, made_of, padded, seed_between};
pub use driver::{Parameter, built, drive, drive_followed};
pub use fuzz::with_bytes;
pub use in_situ::{drive_in_situ, given};
pub use job::is_asked;
pub use journal::read as read_journal;
pub use kinds::{Explore, read_part};
pub use made::{Changer, Maker, Step, behind, made, made_shape};
pub use outcome::Outcome;
pub use random::Random;
pub use recorded::Sketch;
pub use shape::{Form, Id, Shape, Shapes, Variant};
pub use slot::{Known, Seen, SeenKnown, SeenUnknown, Slot, Unknown};
pub use tree::Tree;
