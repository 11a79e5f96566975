//! Reasons why a group of candidates has no test, and the words for them.

use crate::base::diagnostics::Diagnostic;
use std::fmt;

/// Reason why a group of candidates has no test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GroupRefusal {
    /// The module of the test can write no row.
    Unwritable,
    /// No claim can be compared.
    NotCompared,
    /// The compiler rejects the test with this message.
    Rejected(String),
    /// An error with this message is in the file of the test, and it is not known what it is about.
    ErrorInFile(String),
}

impl GroupRefusal {
    pub(crate) fn rejected(error: &Diagnostic) -> GroupRefusal {
        GroupRefusal::Rejected(error.message.clone())
    }
}

impl fmt::Display for GroupRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroupRefusal::Unwritable => {
                formatter.write_str("no value of it has an expression in the module of the test")
            }
            GroupRefusal::NotCompared => formatter.write_str("no output of it can be compared"),
            GroupRefusal::Rejected(message) => {
                write!(formatter, "the compiler rejects it: {message}")
            }
            GroupRefusal::ErrorInFile(message) => {
                write!(
                    formatter,
                    "an error in its file cannot be attributed: {message}"
                )
            }
        }
    }
}
