//! In-situ tests under the tools that people run ordinary tests with: coverage, Miri. A tool that is not here is skipped,
//! and the test says so.

mod coverage;
mod miri;

use std::io::Write;

/// Says past the runner's capture why a test has looked at nothing.
fn skipped(why: &str) {
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    // Nothing depends on this line; a closed standard error must not fail a test.
    let _ = writeln!(std::io::stderr(), "skipped {name}: {why}");
}
