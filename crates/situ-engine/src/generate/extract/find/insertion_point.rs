//! A place for tests, and what is known of it from the syntax around.

use crate::edit::Place;
use crate::generate::extract::candidate::verbatim_givens::NamedClosure;
use proc_macro2::TokenStream;
use std::collections::BTreeMap;
use syn::{Pat, Signature};

/// What the value of a tail is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TailRole {
    /// What the function or closure gives back.
    Returned,
    /// The value of an inner block.
    OfBlock,
}

/// What the tests of a spot are about, which decides how they are written.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// A statement or a header.
    Statement,
    /// A tail, or a closing `return`.
    Tail,
    /// Several statements of a block.
    Fragment(Fragment),
    /// A closure of a statement.
    Closure {
        /// The clause that says which one, where that is needed.
        which: Option<String>,
        /// Its parameters.
        inputs: Vec<Pat>,
    },
}

/// The statements of a fragment, which ends where its block does.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    /// How many there are.
    pub statements: usize,
    /// The names in the last one, where it is no tail and no `return`.
    pub last_names: Vec<String>,
}

/// A place for tests, and what they need to know of it.
#[derive(Clone, Debug)]
pub(crate) struct InsertionPoint {
    /// Where the tests go.
    pub place: Place,
    /// What they are about.
    pub target: Target,
    /// The source of what they are about.
    pub tokens: TokenStream,
    /// For tails: whose value it is.
    pub tail: TailRole,
    /// For loops: the pattern of the loop variable.
    pub pattern: Option<Pat>,
    /// Whether the loop can end before what it iterates over does.
    pub leaves_loop: bool,
    /// The parameters of the functions around, the innermost last: their types are declared.
    pub signatures: Vec<Signature>,
    /// Variables whose `let` says their type.
    pub declared: Vec<String>,
    /// Places that are known as streams only: bytes or texts stand for them.
    pub streams: Vec<String>,
    /// Closures that can be seen by a name.
    pub closures: BTreeMap<String, NamedClosure>,
    /// Where the block around ends: what runs up to there is the context.
    pub scope_end: usize,
}
