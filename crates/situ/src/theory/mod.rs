//! Theories: statements about all values, checked on data points.
//!
//! Users write `#[theory]`, `#[datapoint]`, `#[datapoints]` and the `assume!` family; this module
//! is their runtime. It can be used directly in a [`Supplier`], and where the attributes are not
//! enough.

mod any;
mod assignments;
mod assumption;
mod conclusion;
mod exhaustive;
mod expression;
mod fuzzed;
mod held;
mod imports;
mod item;
mod pairwise;
mod parameter;
mod plain;
mod points;
mod provider;
mod registry;
mod report;
mod run;
mod shape;
mod source;
mod stub;
mod supplier;
mod trial;

pub use any::any;
pub(crate) use assumption::take_skipped;
pub use exhaustive::Exhaustive;
pub use points::points;
pub use supplier::{Parameter, Supplier};

/// What expanded theories call. Not for users: anything here may change without notice.
#[doc(hidden)]
pub mod generated {
    pub use super::any::points_to_explore;
    pub use super::assumption::{Compared, Site, Skipped, reject, reject_here};
    pub use super::conclusion::Conclusion;
    pub use super::exhaustive::Exhaustive;
    pub use super::expression::{Show, ShowDebug, ShowNothing};
    pub use super::fuzzed::{FuzzedTheory, fuzz};
    pub use super::held::{Held, IntoHeld};
    pub use super::item::{
        StaticByClone, StaticByReference, StaticPoint, one, several, type_of_one, type_of_several,
    };
    pub use super::parameter::{Ask, Parameter, Theory};
    pub use super::provider::Provider;
    pub use super::registry::{Entry, Import, ValueType};
    pub use super::run::Run;
    pub use super::shape::{ByExhaustion, ByRegistry, Lent, Own, Probe};
    pub use super::source::Source;
    pub use super::stub::{
        Answers, Guess, GuessDefault, GuessExhaustive, GuessKnown, GuessOk, GuessRegistered,
        Guesses, Hints, StubCore, Stubbed, bare, boxed, leaked, leaked_slice, lent,
    };
    pub use super::supplier::{
        ByAttentiveFunction, ByFunction, BySupplier, Supply, hold, hold_any, hold_boxed, only,
        values,
    };
    pub use super::trial::{Fate, attempt, attempt_answered};
    pub use crate::executor::block_on;
    pub use inventory;
    pub use std::{borrow::ToOwned, boxed::Box, string::String, vec::Vec};
}
