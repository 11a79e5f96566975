//! What a run came by: the functions that were seen, who called them, and what reaches outside of the program.

use super::sources::Subjects;
use super::subject::Subject;
use crate::extract::mocks::reaches_out;
use crate::record::plan::Position;
use crate::record::read::{RecordedCall, RecordedSite, Recording};
use situ_rt::recording::ValueSet;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A function that was seen.
#[derive(Clone, Debug)]
pub struct Seen<'s> {
    /// What was recorded of it.
    pub recorded: &'s RecordedSite,
    /// The function as the sources have it; none where no test can name it.
    pub subject: Option<&'s Subject>,
    /// The functions that called it, by their sites.
    pub callers: BTreeSet<u64>,
    /// A function that it calls, itself or through others, and that reaches outside of the program.
    pub reaches_out_through: Option<String>,
}

/// The functions of a recording, in the order of their places.
pub fn seen<'s>(recording: &'s Recording, subjects: &'s Subjects) -> Vec<Seen<'s>> {
    let functions = recording.sites.values().filter(|site| site.site.position == Position::Function);
    let mut seen: Vec<Seen<'_>> = functions
        .map(|recorded| {
            let key = (PathBuf::from(&recorded.site.file), recorded.site.bytes.0);
            let callers = recorded.sets.iter().map(|set| set.caller).filter(|caller| *caller != 0).collect();
            Seen { recorded, subject: subjects.get(&key), callers, reaches_out_through: None }
        })
        .collect();
    seen.sort_by(|one, other| {
        let place = |seen: &Seen<'_>| (seen.recorded.site.file.clone(), seen.recorded.site.line);
        place(one).cmp(&place(other))
    });
    tell_reaching(recording, &mut seen);
    seen
}

/// Whether the function itself makes a call that reaches outside of the program.
pub fn reaches_out_itself(recording: &Recording, recorded: &RecordedSite) -> bool {
    recorded.sets.iter().any(|set| recording.calls(set).iter().any(|call| reaches_out(call.site)))
}

/// Says of each function whether one that it calls reaches out. Of a call that was seen before it is not known again who
/// made it, so what the source names counts too.
fn tell_reaching(recording: &Recording, seen: &mut [Seen<'_>]) {
    let names: Vec<String> = seen.iter().map(|one| last_word(&one.recorded.site.function).to_owned()).collect();
    let number: BTreeMap<u64, usize> = seen.iter().enumerate().map(|(at, one)| (one.recorded.site.id, at)).collect();
    let mut reaching: Vec<usize> =
        (0..seen.len()).filter(|at| reaches_out_itself(recording, seen[*at].recorded)).collect();
    let mut known: BTreeSet<usize> = reaching.iter().copied().collect();
    while let Some(at) = reaching.pop() {
        let mut callers: BTreeSet<usize> =
            seen[at].callers.iter().filter_map(|caller| number.get(caller).copied()).collect();
        let names_it = |other: &usize| seen[*other].subject.is_some_and(|subject| subject.calls.contains(&names[at]));
        callers.extend((0..seen.len()).filter(names_it));
        callers.remove(&at);
        for caller in callers {
            let function = seen[at].recorded.site.function.clone();
            seen[caller].reaches_out_through.get_or_insert(function);
            if known.insert(caller) {
                reaching.push(caller);
            }
        }
    }
}

/// The last word of a path.
pub fn last_word(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// One call of a function.
#[derive(Clone, Debug)]
pub struct Call<'s> {
    /// The function.
    pub subject: &'s Subject,
    /// What was recorded of it.
    pub recorded: &'s RecordedSite,
    /// This call.
    pub set: &'s ValueSet,
    /// The calls outside that it made.
    pub outgoing: Vec<RecordedCall<'s>>,
}
