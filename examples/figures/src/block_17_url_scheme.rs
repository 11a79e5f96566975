//! Block tests, Fig. 17: an inserted `continue` that the paper's block tests let live. Here, leaving is behaviour.

use situ::prelude::*;

/// What the parser expects next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum State {
    /// The scheme, up to its colon.
    Scheme,
    /// The host of a file.
    FileHost,
    /// Slashes, however many.
    AuthorityIgnoreSlashes,
}

/// The state after the scheme, and how many characters were read.
#[situ]
pub fn after_scheme(url: &str) -> (State, usize) {
    let mut state = State::Scheme;
    let mut read = 0;
    while state == State::Scheme {
        let Some((scheme, _)) = url.split_once(':') else {
            break;
        };
        blocktest!(
            "a file",
            given(scheme = "file"),
            check_eq(state, State::FileHost)
        );
        blocktest!(
            "anything else",
            given(scheme = "http"),
            check_eq(state, State::AuthorityIgnoreSlashes)
        );
        if scheme == "file" {
            state = State::FileHost;
        } else {
            state = State::AuthorityIgnoreSlashes;
        }
        read += scheme.len() + 1;
    }
    (state, read)
}

/// The mutant: one branch goes on with the loop before the rest of its body has run.
pub mod mutant {
    use super::*;

    /// Forgets what it read.
    #[situ]
    pub fn after_scheme(url: &str) -> (State, usize) {
        let mut state = State::Scheme;
        let mut read = 0;
        while state == State::Scheme {
            let Some((scheme, _)) = url.split_once(':') else {
                break;
            };
            blocktest!(
                "a file",
                given(scheme = "file"),
                check_eq(state, State::FileHost)
            );
            blocktest!(
                "anything else",
                given(scheme = "http"),
                check_eq(state, State::AuthorityIgnoreSlashes),
                ignore("a mutant"),
            );
            if scheme == "file" {
                state = State::FileHost;
            } else {
                state = State::AuthorityIgnoreSlashes;
                continue;
            }
            read += scheme.len() + 1;
        }
        (state, read)
    }
}

#[test]
fn the_block_test_kills_the_inserted_continue() {
    crate::failing::assert_fails(
        "block_17_url_scheme::mutant::situ_after_scheme::anything_else",
        &["continue"],
    );
}
