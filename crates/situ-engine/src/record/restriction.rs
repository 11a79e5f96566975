//! What a recording goes without, because programs did not do with it what they do by themselves.

use std::fmt;

/// Something that is not done any more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Restriction {
    /// Code of this type is not run: it did not return.
    HangingType(String),
    /// Code of this type is not run: a program was killed by a signal in it.
    CrashingType(String),
    /// Values whose memory is managed by hand are not looked at in the crate that declares their type: a program was killed by
    /// a signal.
    MemoryByHand,
    /// No code of types of other crates is run: tests ended in another way with it.
    ForeignCode,
}

impl Restriction {
    /// What it is called in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Restriction::HangingType(_) => "hanging_type",
            Restriction::CrashingType(_) => "crashing_type",
            Restriction::MemoryByHand => "memory_by_hand",
            Restriction::ForeignCode => "foreign_code",
        }
    }

    /// The type that it is about.
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
            Restriction::HangingType(name) => {
                write!(formatter, "the code that shows `{name}` did not return; values of it are opaque, \
                                   from the start with --opaque '{name}'")
            }
            Restriction::CrashingType(name) => {
                write!(formatter, "a program was killed by a signal in the code that shows `{name}`; values of it are \
                                   opaque, from the start with --opaque '{name}'")
            }
            Restriction::MemoryByHand => formatter.write_str(
                "a recorded program was killed by a signal; values whose memory is managed by hand were not looked at in \
                 the crate that declares their type",
            ),
            Restriction::ForeignCode => formatter.write_str(
                "tests ended in another way when the recorder ran code of other crates' types, such as Debug; it was not run",
            ),
        }
    }
}
