//! Restrictions of a recording, because instrumented programs behaved differently from the original
//! ones.

use std::fmt;

/// Part of the recording that is disabled.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Restriction {
    /// Code of this type is not executed, because it did not return.
    HangingType(String),
    /// Code of this type is not executed, because a signal killed a program in it.
    CrashingType(String),
    /// Values with memory managed by hand are not captured in the crate that declares their type,
    /// because a signal killed a program.
    MemoryByHand,
    /// No code of other crates' types is executed, because tests ended differently with it.
    ForeignCode,
}

impl Restriction {
    /// Returns the restriction's name in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Restriction::HangingType(_) => "hanging_type",
            Restriction::CrashingType(_) => "crashing_type",
            Restriction::MemoryByHand => "memory_by_hand",
            Restriction::ForeignCode => "foreign_code",
        }
    }

    /// Returns the type that the restriction is about.
    pub fn type_name(&self) -> Option<&str> {
        match self {
            Restriction::HangingType(name) | Restriction::CrashingType(name) => Some(name),
            Restriction::MemoryByHand | Restriction::ForeignCode => None,
        }
    }
}

impl fmt::Display for Restriction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Restriction::HangingType(name) => write!(
                formatter,
                "the code of `{name}` did not return while a value was captured, so values of this \
                 type are opaque; to exclude it from the start, pass --opaque '{name}'"
            ),
            Restriction::CrashingType(name) => write!(
                formatter,
                "a program was killed by a signal in the code of `{name}` while a value was \
                 captured, so values of this type are opaque; to exclude it from the start, pass \
                 --opaque '{name}'"
            ),
            Restriction::MemoryByHand => formatter.write_str(
                "a recorded program was killed by a signal; values whose memory is managed by hand \
                 were not captured in the crate that declares their type",
            ),
            Restriction::ForeignCode => formatter.write_str(
                "tests ended differently when the recorder executed code of other crates' types, \
                 such as `Debug`; that code was not executed",
            ),
        }
    }
}
