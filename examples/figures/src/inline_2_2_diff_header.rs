//! Inline tests, Fig. 2.2: what a regular expression matches, said right behind it instead of on a website.

use std::sync::LazyLock;

use regex::Regex;
use situ::prelude::*;

static OLD_NAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^--- (?:(?:/dev/null)|(?:a/(.*)))$").expect("a valid pattern"));

/// The names of the files that a diff changes or removes.
#[situ]
pub fn changed_files(diff: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in diff.lines() {
        let header = OLD_NAME.captures(line);
        itest!(
            given(line = "--- a/python/regex.py"),
            check_some(header),
            check_eq(
                header
                    .as_ref()
                    .and_then(|groups| groups.get(1))
                    .map(|name| name.as_str()),
                Some("python/regex.py")
            ),
        );
        itest!(
            "a new file has no old name",
            given(line = "--- /dev/null"),
            check(
                header
                    .as_ref()
                    .is_some_and(|groups| groups.get(1).is_none())
            )
        );
        itest!(
            "other lines",
            given(line = "+++ b/python/regex.py"),
            check_none(header)
        );
        if let Some(name) = header.and_then(|groups| groups.get(1)) {
            names.push(name.as_str());
        }
    }
    names
}
