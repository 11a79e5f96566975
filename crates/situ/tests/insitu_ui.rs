//! Every misuse of the in-situ macros is one error on the user's own token; see `ui/*.stderr`.
#![cfg(feature = "test")]

#[test]
fn misuses_are_errors_on_the_users_own_tokens() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
