//! The executed functions of a run: their callers, and their interaction with the outside world.

use super::callee::callees;
use super::sources::Subjects;
use super::subject::Subject;
use crate::generate::impure_calls::reaches_out;
use crate::record::plan::Position;
use crate::record::read::{RecordedCall, RecordedSite, Recording};
use situ_recorder::recording::ValueSet;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// An executed function.
#[derive(Clone, Debug)]
pub struct Seen<'s> {
    /// What was recorded of it.
    pub recorded: &'s RecordedSite,
    /// The function in the sources; `None` if no test can name it.
    pub subject: Option<&'s Subject>,
    /// The functions that called it, by their sites.
    pub callers: BTreeSet<u64>,
    /// A function that it calls, directly or through others, and that interacts with the outside
    /// world.
    pub reaches_out_through: Option<String>,
    /// Whether it interacts with the outside world, directly or through others.
    pub reaches_out: bool,
}

/// Returns the functions of a recording, in the order of their places.
pub(crate) fn seen<'s>(recording: &'s Recording, subjects: &'s Subjects) -> Vec<Seen<'s>> {
    let functions = recording
        .sites
        .values()
        .filter(|site| site.site.position == Position::Function);
    let mut seen: Vec<Seen<'_>> = functions
        .map(|recorded| {
            let key = (PathBuf::from(&recorded.site.file), recorded.site.bytes.0);
            let callers = recorded
                .sets
                .iter()
                .map(|set| set.caller)
                .filter(|caller| *caller != 0)
                .collect();
            Seen {
                recorded,
                subject: subjects.get(&key),
                callers,
                reaches_out_through: None,
                reaches_out: false,
            }
        })
        .collect();
    seen.sort_by(|one, other| {
        let place = |seen: &Seen<'_>| (seen.recorded.site.file.clone(), seen.recorded.site.line);
        place(one).cmp(&place(other))
    });
    tell_reaching(recording, &mut seen);
    seen
}

/// Returns whether the function itself makes a call that interacts with the outside world.
pub(crate) fn reaches_out_itself(recording: &Recording, recorded: &RecordedSite) -> bool {
    recorded.sets.iter().any(|set| {
        recording
            .calls(set)
            .iter()
            .any(|call| reaches_out(call.site))
    })
}

/// Sets for each function whether one that it calls interacts with the outside world. The caller of
/// a repeated call is not recorded again, so calls in the source count too.
fn tell_reaching(recording: &Recording, seen: &mut [Seen<'_>]) {
    let names: Vec<String> = seen
        .iter()
        .map(|one| last_word(&one.recorded.site.function).to_owned())
        .collect();
    let number: BTreeMap<u64, usize> = seen
        .iter()
        .enumerate()
        .map(|(at, one)| (one.recorded.site.id, at))
        .collect();
    let mut reaching: Vec<usize> = (0..seen.len())
        .filter(|at| reaches_out_itself(recording, seen[*at].recorded))
        .collect();
    let mut known: BTreeSet<usize> = reaching.iter().copied().collect();
    known.iter().for_each(|at| seen[*at].reaches_out = true);
    while let Some(at) = reaching.pop() {
        let mut callers: BTreeSet<usize> = seen[at]
            .callers
            .iter()
            .filter_map(|caller| number.get(caller).copied())
            .collect();
        let names_it = |other: &usize| {
            seen[*other]
                .subject
                .is_some_and(|subject| subject.calls.contains(&names[at]))
        };
        callers.extend((0..seen.len()).filter(names_it));
        callers.remove(&at);
        for caller in callers {
            let function = seen[at].recorded.site.function.clone();
            seen[caller].reaches_out_through.get_or_insert(function);
            seen[caller].reaches_out = true;
            if known.insert(caller) {
                reaching.push(caller);
            }
        }
    }
}

/// Returns the last word of a path.
pub(crate) fn last_word(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// The executed functions, and which of them are chosen.
pub(crate) struct Scenario<'a, 's> {
    pub recording: &'s Recording,
    /// All functions.
    pub all: &'a [Seen<'s>],
    /// The sites of those that are chosen.
    pub chosen: &'a BTreeSet<u64>,
}

/// The reason why a call is a leaf, which a test does not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// It interacts with the outside world, itself or in a function of the workspace that it calls.
    ReachesOut,
    /// It leaves the chosen modules.
    OtherModule,
}

/// A call that a function made.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing<'s> {
    /// What was recorded of it.
    pub call: RecordedCall<'s>,
    /// Why it is a leaf, if it is one.
    pub leaf: Option<Leaf>,
}

impl<'s> Scenario<'_, 's> {
    /// Returns whether calls of the workspace's own functions were recorded.
    pub(crate) fn watches_own_calls(&self) -> bool {
        let mut sets = self.all.iter().flat_map(|seen| {
            seen.recorded
                .sets
                .iter()
                .map(move |set| (seen.recorded, set))
        });
        sets.any(|(caller, set)| {
            self.recording
                .calls(set)
                .iter()
                .any(|call| !callees(self.all, &caller.site, call).is_empty())
        })
    }

    /// Returns the calls that a function made in one of its own calls.
    pub(crate) fn outgoing(&self, caller: &RecordedSite, set: &'s ValueSet) -> Vec<Outgoing<'s>> {
        let calls = self.recording.calls(set).into_iter();
        calls
            .map(|call| Outgoing {
                leaf: self.leaf(caller, &call),
                call,
            })
            .collect()
    }

    fn leaf(&self, caller: &RecordedSite, call: &RecordedCall<'_>) -> Option<Leaf> {
        if reaches_out(call.site) {
            return Some(Leaf::ReachesOut);
        }
        let callees = callees(self.all, &caller.site, call);
        if callees.iter().any(|seen| seen.reaches_out) {
            return Some(Leaf::ReachesOut);
        }
        let is_elsewhere = !callees.is_empty()
            && callees
                .iter()
                .all(|seen| !self.chosen.contains(&seen.recorded.site.id));
        is_elsewhere.then_some(Leaf::OtherModule)
    }

    /// Returns a function that interacts with the outside world and that another one called without
    /// naming it in a call: it was passed on, so no probe recorded its results.
    pub(crate) fn reached_unnamed(&self, caller: &Seen<'_>, subject: &Subject) -> Option<String> {
        let is_it = |seen: &&Seen<'_>| {
            let name = last_word(&seen.recorded.site.function);
            let is_called = seen.callers.contains(&caller.recorded.site.id);
            seen.reaches_out && is_called && !subject.calls.contains(name) && name != subject.name
        };
        self.all
            .iter()
            .find(is_it)
            .map(|seen| seen.recorded.site.function.clone())
    }

    /// Returns the names of the functions that interact with the outside world and that a
    /// function's source calls.
    pub(crate) fn reaching_names(&self, subject: &Subject) -> Vec<&'s str> {
        let reaching = self.all.iter().filter(|seen| seen.reaches_out);
        let names = reaching.map(|seen| last_word(&seen.recorded.site.function));
        let names: BTreeSet<&str> = names
            .filter(|name| subject.calls.contains(*name) && *name != subject.name)
            .collect();
        names.into_iter().collect()
    }
}

/// One call of a function.
#[derive(Clone, Debug)]
pub(crate) struct Call<'s> {
    /// The function.
    pub subject: &'s Subject,
    /// What was recorded of it.
    pub recorded: &'s RecordedSite,
    /// This call.
    pub set: &'s ValueSet,
    /// The recorded calls that it made.
    pub outgoing: Vec<Outgoing<'s>>,
    /// The functions that its source calls and that interact with the outside world.
    pub reaching: Vec<&'s str>,
}
