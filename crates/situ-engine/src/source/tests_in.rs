//! In-situ tests in a text.

use super::parse;
use situ_syntax::{TestFound, inspect};

/// Returns the in-situ tests in a text, in order. Returns none if the text or one of the tests
/// cannot be parsed.
pub fn tests_in(text: &str) -> Vec<TestFound> {
    parse(text)
        .ok()
        .and_then(|tree| inspect(&tree).ok())
        .unwrap_or_default()
}
