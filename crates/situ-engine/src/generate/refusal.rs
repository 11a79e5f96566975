//! The reasons why no test is generated from a value set, a call or a statement, with their
//! messages.

use crate::values::capture_loss::CaptureLoss;
use std::fmt;

/// The reason why no test is generated from something that was recorded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Refusal {
    /// An input of the statement cannot be constructed.
    Input(CaptureLoss),
    /// An input cannot be constructed, and the whole statement is a call on it, which a mock would replace.
    InputOfWholeStatement(CaptureLoss),
    /// An input cannot be constructed, and all that the statement does happens in calls that mocks replace.
    OnlyCallsOnInput,
    /// An argument of a closure or function cannot be constructed.
    Argument(CaptureLoss),
    /// The parameters of a closure do not bind all of an argument.
    ArgumentPattern,
    /// An item of a loop cannot be compared.
    Item(CaptureLoss),
    /// The pattern of a loop does not bind all of an item.
    ItemPattern,
    /// The loop has no pattern that the recorder knows.
    NoLoopPattern,
    /// The pattern of the loop binds nothing.
    NoLoopVariable,
    /// The loop had no iteration.
    EmptyLoop,
    /// The loop had more iterations than a recording holds.
    LongLoop,
    /// No output of the statement can be compared.
    Output(CaptureLoss),
    /// The statement changed nothing that was recorded.
    NoOutput,
    /// The returned value cannot be compared.
    Returned(CaptureLoss),
    /// The statement returned early with a value that was not recorded.
    ReturnedUnrecorded,
    /// The statement exited early, and the recorder does not know how.
    UnknownExit,
    /// Other executions panicked with as many different messages as are shown.
    AnotherPanicMessage,
    /// A stream was not recorded completely.
    Stream,
    /// An outgoing call panicked.
    CallPanics,
    /// An outgoing call changed its arguments, which a mock cannot do.
    CallChangesArguments,
    /// The result of an outgoing call was not recorded.
    CallUnrecorded,
    /// The result of an outgoing call cannot be constructed.
    CallResult(CaptureLoss),
    /// The source of an outgoing call is too long to be written as a mock.
    LongCall,
    /// More calls would have to be mocked than a reader follows.
    TooManyMocks,
    /// A value with the name of a secret is involved.
    Secret,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            Refusal::Input(loss) => return write!(formatter, "cannot construct an input: {loss}"),
            Refusal::InputOfWholeStatement(loss) => {
                return write!(
                    formatter,
                    "cannot construct an input: {loss}; the statement is a call on it"
                );
            }
            Refusal::OnlyCallsOnInput => {
                "cannot construct an input: the statement only calls methods on it"
            }
            Refusal::Argument(loss) => {
                return write!(formatter, "cannot construct an argument: {loss}");
            }
            Refusal::ArgumentPattern => {
                "cannot construct an argument: the parameters do not bind all of it"
            }
            Refusal::Item(loss) => {
                return write!(formatter, "cannot compare an item of the loop: {loss}");
            }
            Refusal::ItemPattern => {
                "cannot construct an item of the loop: its pattern does not bind all of it"
            }
            Refusal::NoLoopPattern => "the loop has no pattern",
            Refusal::NoLoopVariable => "the loop binds no variable",
            Refusal::EmptyLoop => "the loop had no iteration",
            Refusal::LongLoop => "the loop had too many iterations",
            Refusal::Output(loss) => return write!(formatter, "cannot compare an output: {loss}"),
            Refusal::NoOutput => "no output was recorded",
            Refusal::Returned(loss) => {
                return write!(formatter, "cannot compare the returned value: {loss}");
            }
            Refusal::ReturnedUnrecorded => "it returns early, and the value was not recorded",
            Refusal::UnknownExit => "it exits early, and how was not recorded",
            Refusal::AnotherPanicMessage => "it panics with a different message",
            Refusal::Stream => "not all that passed through a stream was recorded",
            Refusal::CallPanics => "an outgoing call panics",
            Refusal::CallChangesArguments => "an outgoing call changes its arguments",
            Refusal::CallUnrecorded => "the result of an outgoing call was not recorded",
            Refusal::CallResult(loss) => {
                return write!(
                    formatter,
                    "cannot construct the result of an outgoing call: {loss}"
                );
            }
            Refusal::LongCall => "an outgoing call is too long to mock",
            Refusal::TooManyMocks => "too many calls would have to be mocked",
            Refusal::Secret => "it touches a secret",
        };
        formatter.write_str(words)
    }
}
