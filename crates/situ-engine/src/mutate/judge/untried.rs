//! Which kinds of tests have not been asked about a mutant: after the first kill no other test is.

use serde::{Deserialize, Serialize};

/// Whether tests that reach a mutant have not been run with it, by their kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Untried {
    /// Whether unit tests, integration tests or doctests have not.
    pub unit: bool,
    /// Whether in-situ tests have not.
    pub in_situ: bool,
}

impl Untried {
    /// Nothing is known of the tests that were run.
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

    /// The kinds of tests that have not been run, by the names of these tests.
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

/// Whether the test of this name stands in the code that it checks.
pub fn is_in_situ(test: &str) -> bool {
    test.split("::")
        .any(|part| part.trim_start().starts_with("situ_"))
}
