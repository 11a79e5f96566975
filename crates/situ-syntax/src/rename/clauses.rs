//! The names in the clauses of a test: givens refer to the start of the fragment, oracles to its
//! end.

use super::scopes::Scopes;
use crate::inspect::TestFound;
use proc_macro2::TokenTree;

/// Clauses that refer to the start of the fragment; all others refer to its end.
const OF_THE_START: &[&str] = &[
    "given", "each", "setup", "mock", "mock_seq", "assume", "args", "of",
];

/// Adds the names in the tests.
pub fn resolve(scopes: &mut Scopes, tests: &[TestFound]) {
    for (bytes, tokens) in std::mem::take(&mut scopes.tests) {
        let Some(test) = tests.iter().find(|test| test.own_bytes.0 == bytes.start) else {
            continue;
        };
        let before = scopes.seen_at(test.bytes.0);
        // A test after its fragment sees the variables at its own place.
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
