//! Every mistake that the macros of theories know, with the words for it.
#![cfg(feature = "test")]

#[test]
fn mistakes_are_told_on_the_users_own_tokens() {
    trybuild::TestCases::new().compile_fail("tests/ui-theory/*.rs");
}
