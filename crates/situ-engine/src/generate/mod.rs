//! The verbs that make tests: one folder each, and what several of them share.

pub mod carve;
pub mod explore;
pub mod extract;
pub mod generalize;
pub mod improve;
pub(crate) mod impure_calls;
pub mod kill;
pub(crate) mod mocks;
pub(crate) mod refusal;
pub mod worth;
