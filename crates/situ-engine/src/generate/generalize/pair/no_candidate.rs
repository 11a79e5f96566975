//! The reasons why a test has no candidate, with their messages.

use std::fmt;

/// Why no call of a test can be paired with an assertion and other arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum NoCandidate {
    /// No call of the test is one of a recorded function.
    NoCall,
    /// No assertion depends on a call, or the call depends on the variables of a loop.
    NoAssertion,
    /// A call is executed several times: in a loop over cases, or in a closure.
    RepeatedCall,
    /// Several functions of the workspace fit a call.
    AmbiguousFunction,
    /// No argument was recorded whole.
    UnknownArguments,
    /// A method takes its receiver only, and that was not recorded whole or is changed.
    UnknownReceiver,
    /// The function takes nothing that could be replaced.
    NoParameters,
    /// The module of the test cannot write the recorded arguments.
    UnwritableArguments,
    /// The function was recorded with a single set of arguments.
    NoOtherArguments,
    /// A candidate was proposed, and its own arguments could not be found again in the recording.
    #[default]
    OwnArguments,
}

impl fmt::Display for NoCandidate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            NoCandidate::NoCall => "it calls no function of the workspace",
            NoCandidate::NoAssertion => "no assertion checks its calls, or it needs a loop variable",
            NoCandidate::RepeatedCall => "its calls are in loops over cases, or in closures",
            NoCandidate::AmbiguousFunction => "a call cannot be resolved",
            NoCandidate::UnknownArguments => "cannot construct the arguments of its calls",
            NoCandidate::UnknownReceiver => {
                "cannot construct the receivers of its calls without arguments, or the calls change them"
            }
            NoCandidate::NoParameters => "the functions that it calls take no arguments",
            NoCandidate::UnwritableArguments => {
                "the arguments of its calls have no expression in its module"
            }
            NoCandidate::NoOtherArguments => {
                "the functions that it calls were recorded with no other arguments"
            }
            NoCandidate::OwnArguments => {
                "cannot construct its own arguments, or no others were recorded"
            }
        })
    }
}
