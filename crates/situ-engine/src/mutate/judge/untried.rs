//! Kinds of tests that were not run with a mutant: after the first kill no other test is.

use serde::{Deserialize, Serialize};

/// Kinds of tests that reach a mutant but have not been run with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Untried {
    /// Whether unit tests, integration tests or doctests were not run.
    pub unit: bool,
    /// Whether in-situ tests were not run.
    pub in_situ: bool,
}

impl Untried {
    /// Value for verdicts of which it is not known which tests were run.
    pub const UNKNOWN: Untried = Untried {
        unit: true,
        in_situ: true,
    };
    /// All tests were run.
    pub const NONE: Untried = Untried {
        unit: false,
        in_situ: false,
    };

    pub(super) fn unknown() -> Untried {
        Untried::UNKNOWN
    }

    /// Returns the kinds of tests with these names.
    pub fn of<'n>(names: impl Iterator<Item = &'n str>) -> Untried {
        names.fold(Untried::NONE, |untried, name| {
            let in_situ = is_in_situ(name);
            Untried {
                unit: untried.unit || !in_situ,
                in_situ: untried.in_situ || in_situ,
            }
        })
    }
}

/// Returns whether the test of this name is an in-situ test.
pub fn is_in_situ(test: &str) -> bool {
    test.split("::")
        .any(|part| part.trim_start().starts_with("situ_"))
}
