//! Worth of proposed tests: the mutants that each kills and nothing else in the suite does, then the code that it alone
//! reaches. Every generator shows the fewest tests that together have all of it.

mod budget;
mod kill;
mod measure;
mod set_cover;

pub use budget::Budget;
pub(crate) use budget::{line_count, lines_of_call};
pub use kill::Kill;
pub(crate) use measure::{Measured, Proposed, measure};
pub(crate) use set_cover::{Offer, choose};

use serde::Serialize;
use std::collections::BTreeMap;

/// What one proposed test adds to the suite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// Mutants that it kills and nothing else in the suite does.
    pub kills: Vec<Kill>,
    /// Places that it reaches and nothing else in the suite does: file and line.
    pub reaches: Vec<String>,
}

impl Worth {
    /// Whether it adds nothing.
    pub fn is_empty(&self) -> bool {
        self.kills.is_empty() && self.reaches.is_empty()
    }

    /// One line for each kill, and one for what it alone reaches.
    pub fn in_words(&self) -> Vec<String> {
        let kills = self.kills.iter().map(|kill| format!("kills: {kill}"));
        let reaches = (!self.reaches.is_empty())
            .then(|| format!("the first test to reach {}", self.reaches.join(", ")));
        kills.chain(reaches).collect()
    }

    /// The worth of a test with these kills among all mutants that were judged.
    pub(crate) fn of_kills<'k>(
        kills: impl IntoIterator<Item = &'k u32>,
        mutants: &BTreeMap<u32, Kill>,
    ) -> Worth {
        let mut kills: Vec<Kill> = kills
            .into_iter()
            .filter_map(|id| mutants.get(id).cloned())
            .collect();
        kills.sort();
        kills.dedup();
        Worth {
            kills,
            reaches: Vec::new(),
        }
    }
}
