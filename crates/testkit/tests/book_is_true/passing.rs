//! Blocks without a mark pass, and their tests do run.

use crate::listing::{Claim, Listing, project};

#[test]
fn each_listing_compiles_without_a_warning_and_its_tests_pass() {
    let listings = Listing::all(Claim::Passes);
    let project = project("book-passing", &listings);
    let tests = project.cargo(&["test", "--lib"]).expect_success().stdout;
    for listing in &listings {
        let ran = tests
            .lines()
            .any(|line| line.starts_with(&format!("test {}::", listing.module)));
        let has_tests = [
            "itest!(",
            "blocktest!(",
            "closuretest!(",
            "#[theory",
            "#[test]",
        ];
        let expected = has_tests
            .iter()
            .any(|mark| listing.code.code.contains(mark));
        assert_eq!(
            ran, expected,
            "{}, line {}: did its tests run?",
            listing.page, listing.code.line
        );
    }
    // A reader's normal build takes the same code, and finds nothing to warn about either.
    project.cargo(&["build"]).expect_success();
}
