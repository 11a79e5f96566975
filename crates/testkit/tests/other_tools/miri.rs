//! Miri, which sees undefined behaviour in the code that a test runs.

use testkit::project::Project;

use crate::skipped;

const LIBRARY: &str = "\
use situ::prelude::*;

#[situ]
pub fn first(bytes: &[u8]) -> Option<u8> {
    let found = if bytes.is_empty() { None } else { Some(unsafe { *bytes.as_ptr() }) };
    itest!(\"some\", given(bytes = &[7, 8]), check_eq(found, Some(7)));
    blocktest!(\"at the end\", given(found = Some(1)), check_return(Some(1)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[datapoint]
    const NONE: &[u8] = &[];
    #[datapoint]
    const TWO: &[u8] = &[1, 2];

    #[theory]
    fn the_first_is_that_of_the_iterator(bytes: &[u8]) {
        assert_eq!(first(bytes), bytes.iter().copied().next());
    }
}
";

#[test]
fn miri_runs_in_situ_tests_and_theories() {
    let project = Project::new(env!("CARGO_TARGET_TMPDIR"), "under-miri");
    project.write_manifest(
        "under-miri",
        "[dependencies]\nsitu = { path = SITU, features = [\"test\"] }\n",
    );
    project.write("src/lib.rs", LIBRARY);
    if !project.cargo(&["miri", "--version"]).success {
        return skipped(
            "there is no Miri; it comes with a nightly toolchain: `rustup component add miri`",
        );
    }
    let outcome = project.cargo(&["miri", "test", "--lib"]).expect_success();
    assert!(outcome.stdout.contains("3 passed"), "{}", outcome.stdout);
    // Miri really looks: a read outside of the slice is told of.
    project.write(
        "src/lib.rs",
        &LIBRARY.replace("*bytes.as_ptr()", "*bytes.as_ptr().add(9)"),
    );
    let outcome = project.cargo(&["miri", "test", "--lib", "situ_"]);
    assert!(
        !outcome.success && outcome.stderr.contains("Undefined Behavior"),
        "{}",
        outcome.stderr
    );
}
