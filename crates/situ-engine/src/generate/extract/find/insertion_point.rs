//! The insertion point of tests, and its syntactic context.

use crate::edit::Place;
use crate::generate::extract::candidate::verbatim_givens::NamedClosure;
use proc_macro2::TokenStream;
use std::collections::BTreeMap;
use syn::{Pat, Signature};

/// The role of a tail's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TailRole {
    /// It is returned from the function or closure.
    Returned,
    /// The value of an inner block.
    OfBlock,
}

/// The target of the tests, which decides how they are written.
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
        /// The clause that selects it, if it is needed.
        which: Option<String>,
        /// Its parameters.
        inputs: Vec<Pat>,
    },
}

/// The statements of a fragment, which ends where its block does.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    /// The number of statements.
    pub statements: usize,
    /// The identifiers of the last one, if it is no tail and no `return`.
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
    /// For tails: the role of the value.
    pub tail: TailRole,
    /// For loops: the pattern of the loop variable.
    pub pattern: Option<Pat>,
    /// Whether the loop can end before its iterator does.
    pub leaves_loop: bool,
    /// The signatures of the enclosing functions, innermost last: their parameters have declared
    /// types.
    pub signatures: Vec<Signature>,
    /// Variables whose `let` declares their type.
    pub declared: Vec<String>,
    /// Places that are known as streams only: bytes or strings replace them.
    pub streams: Vec<String>,
    /// Closures that can be named.
    pub closures: BTreeMap<String, NamedClosure>,
    /// The end of the block around: the branches up to there are the context.
    pub scope_end: usize,
}
