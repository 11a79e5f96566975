//! The reasons why no test is carved from a call, and why a test does not check an argument, with
//! their messages.

use crate::generate::refusal::Refusal;
use crate::trial::ways::Instability;
use crate::values::NoExpression;
use crate::values::capture_loss::CaptureLoss;
use std::fmt;

/// The reason why no test is carved from a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum CarveRefusal {
    /// No call of the behaviour was tried.
    #[default]
    NotTried,
    /// The function is declared where no test can name it: in another function, a macro or a test.
    Unnameable,
    /// The function is the program's `main`.
    Main,
    /// The recording has no value of the function.
    NotRecorded,
    /// A function that it calls interacts with the outside world, and no probe recorded the call.
    ReachesOutside,
    /// The function is `unsafe`.
    Unsafe,
    /// The recorder does not know how the function exited.
    UnknownExit,
    /// The recording has no receiver.
    NoReceiver,
    /// The receiver cannot be constructed.
    Receiver(UnwritableInput),
    /// The recording lacks an argument.
    NoArgument,
    /// An argument cannot be constructed.
    Argument(UnwritableInput),
    /// A value for the test of a whole body cannot be constructed.
    Given(String),
    /// The result of a double cannot be constructed.
    Answer(String),
    /// No double implements a trait.
    NoDouble {
        /// The trait.
        of_trait: String,
        /// The obstacle.
        obstacle: TraitObstacle,
    },
    /// A double is passed in a `Box` and needs statements that configure it.
    BoxedDouble,
    /// A collaborator's trait lacks a method that was called.
    NoSuchMethod,
    /// A call on a collaborator is no method call.
    NoMethodCall,
    /// A call on a collaborator was too long to be recorded whole.
    LongCall,
    /// Besides collaborators' methods, other calls would need mocks.
    OtherCalls,
    /// An outgoing call cannot be mocked.
    Mock(Refusal),
    /// The function is generic, and only an in-situ test could mock its calls.
    Generic,
    /// No outgoing call needs a mock.
    NoCallToMock,
    /// A parameter is a pattern, so that an in-situ test cannot give it a value.
    PatternParameter,
    /// The returned value cannot be compared.
    IncomparableResult,
    /// The returned value was not recorded.
    UnrecordedResult,
    /// The function neither returns nor changes anything that was recorded.
    NoEffect,
    /// The test would be longer than anybody reads.
    TooLong,
    /// The compiler rejects the test.
    DoesNotCompile,
    /// The compiler warns about the test.
    GivesWarning,
    /// `#[situ]` does not reach the function.
    NoInSituPlace,
    /// The test fails in some environment.
    Unstable(Instability),
}

impl fmt::Display for CarveRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            CarveRefusal::NotTried => "",
            CarveRefusal::Unnameable => {
                "no test outside can name it: it is declared in a function, a macro or a test"
            }
            CarveRefusal::Main => "it is the program itself",
            CarveRefusal::NotRecorded => "nothing of it was recorded",
            CarveRefusal::ReachesOutside => {
                "a function that it calls interacts with the outside world"
            }
            CarveRefusal::Unsafe => "it is unsafe to call",
            CarveRefusal::UnknownExit => "it exited in a way that was not recorded",
            CarveRefusal::NoReceiver => "the receiver was not recorded",
            CarveRefusal::Receiver(reason) => {
                return write!(formatter, "cannot construct the receiver: {reason}");
            }
            CarveRefusal::NoArgument => "an argument was not recorded",
            CarveRefusal::Argument(reason) => {
                return write!(formatter, "cannot construct an argument: {reason}");
            }
            CarveRefusal::Given(reason) => {
                return write!(
                    formatter,
                    "cannot construct a value that it needs: {reason}"
                );
            }
            CarveRefusal::Answer(reason) => {
                return write!(
                    formatter,
                    "cannot construct the result of a mocked call: {reason}"
                );
            }
            CarveRefusal::NoDouble { of_trait, obstacle } => {
                return write!(formatter, "there is no double of `{of_trait}`: {obstacle}");
            }
            CarveRefusal::BoxedDouble => "a double is passed in a `Box`",
            CarveRefusal::NoSuchMethod => "a double has no such method",
            CarveRefusal::NoMethodCall => "a call is not a method call",
            CarveRefusal::LongCall => "a call is too long to mock",
            CarveRefusal::OtherCalls => "it also makes calls that no double receives",
            CarveRefusal::Mock(refusal) => return refusal.fmt(formatter),
            CarveRefusal::Generic => "it is generic, and its calls would have to be mocked",
            CarveRefusal::NoCallToMock => "it makes no call that has to be mocked",
            CarveRefusal::PatternParameter => {
                "a parameter is a pattern, and an in-situ test needs its name"
            }
            CarveRefusal::IncomparableResult => "its result cannot be compared",
            CarveRefusal::UnrecordedResult => "its result was not recorded",
            CarveRefusal::NoEffect => "it has no result or effect that was recorded",
            CarveRefusal::TooLong => "the test would be too long to read",
            CarveRefusal::DoesNotCompile => "it does not compile",
            CarveRefusal::GivesWarning => "it would cause a warning",
            CarveRefusal::NoInSituPlace => "it cannot contain an in-situ test",
            CarveRefusal::Unstable(instability) => return instability.fmt(formatter),
        })
    }
}

impl From<Refusal> for CarveRefusal {
    fn from(refusal: Refusal) -> CarveRefusal {
        CarveRefusal::Mock(refusal)
    }
}

/// The reason why a receiver or an argument cannot be constructed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnwritableInput {
    /// It was not recorded completely.
    Lost(CaptureLoss),
    /// A `&mut str`, which has no expression.
    MutableStr,
    /// It has no expression in the module of the test.
    NoExpression(String),
}

impl fmt::Display for UnwritableInput {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnwritableInput::Lost(loss) => loss.fmt(formatter),
            UnwritableInput::MutableStr => formatter.write_str("`&mut str`"),
            UnwritableInput::NoExpression(reason) => formatter.write_str(reason),
        }
    }
}

impl From<NoExpression> for UnwritableInput {
    fn from(none: NoExpression) -> UnwritableInput {
        UnwritableInput::NoExpression(none.0)
    }
}

/// The obstacle to a double of a trait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TraitObstacle {
    /// The trait has type parameters that are not known.
    Generic,
    /// The trait has supertraits that a double does not implement.
    Supertraits,
    /// The trait has associated types or constants.
    AssociatedItems,
    /// The signature of a method cannot be written in the test module.
    Method(String),
}

impl fmt::Display for TraitObstacle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            TraitObstacle::Generic => "it is generic",
            TraitObstacle::Supertraits => "it has supertraits",
            TraitObstacle::AssociatedItems => "it has associated types or constants",
            TraitObstacle::Method(name) => return write!(formatter, "`{name}` cannot be written"),
        })
    }
}

/// The reason why a test does not check an argument of an outgoing call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentUnchecked {
    /// The argument is a closure or an `async` block.
    Closure,
    /// The argument was not recorded.
    NotRecorded,
    /// The argument was not recorded completely.
    Lost(CaptureLoss),
    /// The argument has no `==` that a test could use.
    Incomparable,
    /// The argument has no expression in the module of the test.
    NoExpression(String),
    /// The callee may change what the argument borrows.
    MutablyBorrowed,
    /// A test with an assertion on the argument failed.
    DoesNotHold,
    /// A test with an assertion on the argument was rejected by the compiler.
    DoesNotCompile,
    /// The function is called with more different arguments than a test lists.
    ManyCalls(usize),
    /// The argument mentions an input that cannot be constructed.
    MentionsLostInput,
    /// The argument contains a call whose result cannot be constructed.
    MentionsLostCall,
}

impl fmt::Display for ArgumentUnchecked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ArgumentUnchecked::Closure => "it is a closure",
            ArgumentUnchecked::NotRecorded => "its value was not recorded",
            ArgumentUnchecked::Lost(loss) => return loss.fmt(formatter),
            ArgumentUnchecked::Incomparable => "it cannot be compared",
            ArgumentUnchecked::NoExpression(reason) => reason,
            ArgumentUnchecked::MutablyBorrowed => "the borrowed value may change",
            ArgumentUnchecked::DoesNotHold => "a test that checks it fails",
            ArgumentUnchecked::DoesNotCompile => "a test that checks it does not compile",
            ArgumentUnchecked::ManyCalls(most) => {
                return write!(formatter, "it is called in more than {most} ways");
            }
            ArgumentUnchecked::MentionsLostInput => {
                "it is built from a value that cannot be constructed"
            }
            ArgumentUnchecked::MentionsLostCall => {
                "it is built by a call whose result cannot be constructed"
            }
        })
    }
}
