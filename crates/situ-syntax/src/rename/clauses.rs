//! What the clauses of a test name: givens are what the fragment starts with, oracles see what it ends with.

use super::scopes::Scopes;
use crate::inspect::TestFound;
use proc_macro2::TokenTree;

/// Clauses about the start of the fragment; all others are about its end.
const OF_THE_START: &[&str] = &[
    "given", "each", "setup", "mock", "mock_seq", "assume", "args", "of",
];

/// Adds what the tests name.
pub fn resolve(scopes: &mut Scopes, tests: &[TestFound]) {
    for (bytes, tokens) in std::mem::take(&mut scopes.tests) {
        let Some(test) = tests.iter().find(|test| test.own_bytes.0 == bytes.start) else {
            continue;
        };
        let before = scopes.seen_at(test.bytes.0);
        // A test behind its fragment sees what it would see there itself.
        let after = scopes.seen_at(test.bytes.1.max(bytes.start));
        let mut clause = String::new();
        for tree in tokens {
            match tree {
                TokenTree::Ident(name) => clause = name.to_string(),
                TokenTree::Group(group) if OF_THE_START.contains(&clause.as_str()) => {
                    scopes.tokens(group.stream(), &before);
                }
                TokenTree::Group(group) => scopes.tokens(group.stream(), &after),
                _ => {}
            }
        }
    }
}
