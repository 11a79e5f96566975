//! Calls for which a surviving mutant and the original differ: the inputs that the tests miss.

use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// What a search for a distinguishing input says of a mutant that survives or that no test reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Search {
    /// A call for which original and mutant differ.
    Killed(Box<KillingCall>),
    /// This many executions reached the changed code with varied inputs, and none differed.
    ProbablyEquivalent {
        /// Executions with the mutant switched on.
        executions: u64,
    },
    /// Neither.
    Open {
        /// Why.
        reason: OpenReason,
    },
}

/// Why nothing is known of a mutant after a search.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpenReason {
    /// The function around it cannot be called, and no other call reached it: the reason.
    NotCallable(String),
    /// Calls were made, and none reached the changed code.
    NotReached,
    /// Too few executions reached it to say anything.
    FewExecutions(u64),
    /// A differing call was found that cannot be written as Rust.
    NotWritable,
    /// It stands outside of every function that the search knows.
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
    /// An expression. Its value (or its panic) is what differs.
    pub call: String,
    /// The receiver, where there is one, and the arguments, as expressions.
    pub arguments: Vec<String>,
    /// Where the difference shows.
    pub difference: Difference,
    /// What the original gives.
    pub original: Outcome,
    /// What the mutant gives.
    pub mutated: Outcome,
}

/// Where original and mutant differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Difference {
    /// In what the function returns.
    Result,
    /// In the receiver after the call.
    Receiver,
    /// In an argument passed by `&mut`, by its number without the receiver.
    Argument(usize),
    /// One of them panics, or both do with other messages.
    Panic,
    /// The mutant does not end, or ends the process.
    End,
}

/// What a call gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Outcome {
    /// A value.
    Value {
        /// The expression that gives an equal value in the module of the call, if there is one.
        expression: Option<String>,
        /// The value as text for people: the expression, or what `Debug` writes.
        shown: String,
    },
    /// A panic with this message.
    Panic(String),
    /// It does not end, or ends the process: how.
    End(String),
}

impl Outcome {
    /// The outcome on one line, for people.
    pub fn shown(&self) -> String {
        match self {
            Outcome::Value { shown, .. } => shown.clone(),
            Outcome::Panic(message) => format!("panics: {message}"),
            Outcome::End(how) => how.clone(),
        }
    }
}

impl Search {
    /// The keys that a mutant's line of JSON gets.
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
