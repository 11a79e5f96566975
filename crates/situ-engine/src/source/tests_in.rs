//! The in-situ tests of a text.

use super::parse;
use situ_syntax::{TestFound, inspect};

/// The in-situ tests of a text, in order; none where it, or one of them, cannot be read.
pub fn tests_in(text: &str) -> Vec<TestFound> {
    parse(text)
        .ok()
        .and_then(|tree| inspect(&tree).ok())
        .unwrap_or_default()
}
