//! The tests that a user selects.

use super::unit_tests::{Found, UnitTest};
use crate::base::user_error;
use crate::source::NamedPlace;
use anyhow::Result;

/// Files, folders, functions or tests; without them everything.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only tests in these files or folders, or with these names.
    pub places: Vec<String>,
}

impl Selection {
    /// Keeps the selected tests. A selection that names no test is the user's mistake.
    pub fn choose(&self, found: &mut Found) -> Result<()> {
        let places: Vec<NamedPlace> = self
            .places
            .iter()
            .map(|place| NamedPlace::parse(place))
            .collect();
        for (place, said) in places.iter().zip(&self.places) {
            let left = found.left.iter().map(|(test, _)| test);
            if !found
                .tests
                .iter()
                .chain(left)
                .any(|test| holds(place, test))
            {
                let what = "write a file, a folder or a test of the selected packages";
                return Err(user_error::input(format!(
                    "`--in {said}` names no test: {what}"
                )));
            }
        }
        if !places.is_empty() {
            found
                .tests
                .retain(|test| places.iter().any(|place| holds(place, test)));
            found
                .left
                .retain(|(test, _)| places.iter().any(|place| holds(place, test)));
        }
        Ok(())
    }
}

fn holds(place: &NamedPlace, test: &UnitTest) -> bool {
    let first = 1 + test.text()[..test.range.start].matches('\n').count();
    let last = first + test.text()[test.range.clone()].matches('\n').count();
    place.holds(&test.file.path, &(first..=last), Some(&test.path()))
}
