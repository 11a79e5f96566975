//! Calls for which a surviving mutant and the original differ: the inputs that the tests miss.

use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Result of the search for an input that distinguishes a mutant from the original. Only mutants
/// that survive, or that no test reaches, are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Search {
    /// A call for which original and mutant differ.
    Killed(Box<KillingCall>),
    /// This many executions reached the changed code with varied inputs, and none differed.
    ProbablyEquivalent {
        /// Executions with the mutant switched on.
        executions: u64,
    },
    /// The search found no distinguishing call, and too little evidence for equivalence.
    Open {
        /// Reason for the missing verdict.
        reason: OpenReason,
    },
}

/// Reason why a search ends without a verdict on a mutant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpenReason {
    /// The function around the mutant cannot be called, for this reason, and no other call reached
    /// the mutant.
    NotCallable(String),
    /// Calls were made, and none reached the changed code.
    NotReached,
    /// This many executions reached the changed code, too few to call the mutant equivalent.
    FewExecutions(u64),
    /// A differing call was found that cannot be written as Rust.
    NotWritable,
    /// The mutant is outside of every function that the search knows.
    NoFunction,
    /// The crate could not be built for the search.
    NotBuilt,
}

impl std::fmt::Display for OpenReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OpenReason::NotCallable(why) => write!(f, "the function cannot be called: {why}"),
            OpenReason::NotReached => f.write_str("no call reached the changed code"),
            OpenReason::FewExecutions(executions) => write!(
                f,
                "{executions} executions reached the changed code, and none differed"
            ),
            OpenReason::NotWritable => {
                f.write_str("a differing call was found, and could not be written as Rust")
            }
            OpenReason::NoFunction => f.write_str("it stands in no function"),
            OpenReason::NotBuilt => f.write_str("the crate could not be built for the search"),
        }
    }
}

/// A verified call for which original and mutant differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KillingCall {
    /// The number of the mutant, as in `Judged::id`.
    pub mutant: u32,
    /// The path of the called function below its crate: `units::Size::parse`.
    pub function: String,
    /// The file of the called function, relative to the workspace.
    pub file: PathBuf,
    /// The line of the called function.
    pub line: usize,
    /// The module below the crate in which the call compiles with `use super::*` in a child module; empty for the root.
    pub module: String,
    /// The root file of the target that holds the function, relative to the workspace.
    pub root: PathBuf,
    /// Whether code outside of the crate can call the function.
    pub is_public: bool,
    /// Expression whose value, or whose panic, differs between original and mutant.
    pub call: String,
    /// Receiver, if the function has one, followed by the arguments, as Rust expressions.
    pub arguments: Vec<String>,
    /// Part of the outcome that differs.
    pub difference: Difference,
    /// Outcome of the call in the original program.
    pub original: Outcome,
    /// Outcome of the call with the mutant switched on.
    pub mutated: Outcome,
}

/// Part of an outcome in which original and mutant differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Difference {
    /// The returned value.
    Result,
    /// The receiver after the call.
    Receiver,
    /// An argument passed by `&mut`, counted from zero without the receiver.
    Argument(usize),
    /// A panic: only one side panics, or both do with different messages.
    Panic,
    /// The mutant does not end, or ends the process.
    End,
}

/// Outcome of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Outcome {
    /// The call returned a value.
    Value {
        /// The expression that gives an equal value in the module of the call, if there is one.
        expression: Option<String>,
        /// The value as text for people: the expression, or what `Debug` writes.
        shown: String,
    },
    /// The call panicked with this message.
    Panic(String),
    /// The call does not end, or ends the process; the string says which.
    End(String),
}

impl Outcome {
    /// Returns the outcome on one line, for people.
    pub fn shown(&self) -> String {
        match self {
            Outcome::Value { shown, .. } => shown.clone(),
            Outcome::Panic(message) => format!("panics: {message}"),
            Outcome::End(how) => how.clone(),
        }
    }
}

impl Search {
    /// Returns the keys that the search adds to a mutant's line of JSON.
    pub fn keys(&self) -> Map<String, Value> {
        let keys = match self {
            Search::Killed(call) => json!({
                "killing_call": call.call,
                "original": call.original.shown(),
                "mutant": call.mutated.shown(),
            }),
            Search::ProbablyEquivalent { executions } => {
                json!({ "verdict": "probably equivalent", "executions": executions })
            }
            Search::Open { reason } => json!({ "verdict": "open", "reason": reason.to_string() }),
        };
        match keys {
            Value::Object(keys) => keys,
            _ => Map::new(),
        }
    }
}
