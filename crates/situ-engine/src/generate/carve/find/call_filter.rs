//! Selection of the calls of the workspace's own functions to record, so that a test can mock them:
//! those that leave the chosen modules, those that interact with the outside world, and methods of
//! traits.

use super::declared::Declared;
use super::selection::Selection;
use super::sources::{sources, subjects};
use super::subject::Subject;
use crate::cargo::workspace::Workspace;
use crate::generate::impure_calls::mentions_outside;
use std::collections::BTreeSet;

/// Returns the forms of recorded calls: `load`, `Catalog::parse`, or `.save` for a method.
pub fn watched(workspace: &Workspace, asked: &Selection) -> BTreeSet<String> {
    let sources = sources(workspace);
    let subjects = subjects(&sources);
    let all: Vec<&Subject> = subjects.values().collect();
    let mut watched: BTreeSet<String> = reaching(&all).into_iter().map(Subject::key).collect();
    watched.extend(
        all.iter()
            .filter(|subject| asked.leaves_out(subject))
            .map(|subject| subject.key()),
    );
    watched.extend(
        Declared::of(&sources)
            .methods()
            .map(|name| format!(".{name}")),
    );
    watched
}

/// Returns the functions that visibly interact with the outside world, directly or through others.
fn reaching<'s>(all: &[&'s Subject]) -> Vec<&'s Subject> {
    let (mut found, mut others): (Vec<&Subject>, Vec<&Subject>) = all
        .iter()
        .partition(|subject| mentions_outside(&subject.tokens));
    let mut at = 0;
    while let Some(next) = found.get(at) {
        let (callers, rest): (Vec<&Subject>, Vec<&Subject>) = others
            .into_iter()
            .partition(|other| other.calls.contains(&next.name));
        found.extend(callers);
        others = rest;
        at += 1;
    }
    found
}
