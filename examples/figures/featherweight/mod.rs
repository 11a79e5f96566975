//! A small language with block tests (the one of Fig. 7 of the block-tests paper, with `let`, loops and exits added):
//! random programs in it, what they mean, and how they look in Rust.

pub mod elsewhere;
pub mod generate;
pub mod interpret;
pub mod language;
pub mod mentions;
pub mod random;
pub mod render;
pub mod scope;
