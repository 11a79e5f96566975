//! All tries, several at a time where that is asked for.

use crate::tools::{Found, TOOLS, attempt};
use anyhow::{Error, Result};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

/// What each tool found of one property, for each seed.
pub type Tries = BTreeMap<&'static str, Vec<Option<Found>>>;

/// How much to try.
pub struct Plan {
    /// For each try.
    pub seconds: u64,
    /// How many tries.
    pub seeds: u64,
    /// How many at a time.
    pub lanes: u64,
}

impl Plan {
    /// Lets every tool try every property; tells each property when it is done.
    pub fn run<'p>(
        &self,
        situ: &str,
        properties: &[&'p str],
        tell: &(dyn Fn(&str, &Tries) + Sync),
    ) -> Result<BTreeMap<&'p str, Tries>> {
        let mut all = BTreeMap::new();
        for property in properties {
            let tools = Mutex::new(TOOLS.iter().copied());
            let tries: Mutex<Tries> = Mutex::default();
            let failure: Mutex<Option<Error>> = Mutex::default();
            let lane = || {
                while let Some(tool) = { tools.lock().expect("no lane panics").next() } {
                    match self.tries(situ, tool, property) {
                        Ok(found) => {
                            drop(tries.lock().expect("no lane panics").insert(tool, found))
                        }
                        Err(error) => *failure.lock().expect("no lane panics") = Some(error),
                    }
                }
            };
            thread::scope(|scope| (0..self.lanes).for_each(|_| drop(scope.spawn(lane))));
            if let Some(error) = failure.into_inner().expect("no lane panics") {
                return Err(error);
            }
            let tries = tries.into_inner().expect("no lane panics");
            tell(property, &tries);
            all.insert(*property, tries);
        }
        Ok(all)
    }

    /// A peer that has missed so often that its median is a miss does not try again.
    fn tries(&self, situ: &str, tool: &str, property: &str) -> Result<Vec<Option<Found>>> {
        let mut all = Vec::new();
        for seed in 0..self.seeds {
            let misses = all
                .iter()
                .filter(|found: &&Option<Found>| found.is_none())
                .count() as u64;
            if tool != "situ" && 2 * misses > self.seeds {
                break;
            }
            all.push(attempt(situ, tool, property, seed, self.seconds)?);
        }
        Ok(all)
    }
}
