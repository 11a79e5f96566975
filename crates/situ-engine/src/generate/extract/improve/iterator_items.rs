//! Iterators that a statement evaluates to: a recording must not consume them, so their items are
//! recorded in a separate run.

use crate::base::idx::enumerated;
use crate::generate::extract::candidate::statement::{StatementIdx, Statements, WithoutTest};
use crate::generate::extract::candidate::untaken_exits::is_open;
use crate::generate::extract::candidate::{Candidate, CandidateIdx};
use crate::generate::extract::choose::Passing;
use crate::generate::extract::compile::settle::Copies;
use crate::generate::extract::judge::matrix::Judgement;
use crate::generate::extract::judge::rerun::{Rerun, Variant, highest};
use crate::generate::extract::table::rows::{Group, GroupIdx, RowIdx, groups};
use crate::record::plan::Wanted;
use std::collections::BTreeMap;
use std::path::Path;

/// The reason for a statement without a test that evaluates to nothing but an iterator.
const NOT_COMPARED: &str = "it evaluates to an iterator whose items cannot be compared";

/// Fills in the items of iterators, if candidates claim them. Candidates whose items are unknown
/// are dropped.
pub(crate) fn go_through(
    found: &mut Statements,
    copies: Copies<'_>,
    wanted: &Wanted,
    program: &Path,
    step: &dyn Fn(&str),
) {
    let settling = copies.settling(&found.all);
    let (mut open, mut variants) = (Vec::new(), Vec::new());
    for (at, statement) in enumerated(&found.all) {
        let (places, candidates): (Vec<CandidateIdx>, Vec<Candidate>) =
            enumerated(&statement.candidates)
                .filter(|(_, candidate)| is_open(candidate))
                .map(|(place, candidate)| (place, candidate.clone()))
                .unzip();
        let mut next = highest(&open);
        for group in groups(at, &candidates, &settling.writing(statement), &mut next) {
            let row = |row: &CandidateIdx| Passing {
                group: GroupIdx::new(open.len()),
                row: RowIdx::new(row.at()),
                candidate: places[row.at()],
            };
            variants.extend(
                group
                    .rows
                    .iter()
                    .map(|at| Variant::new(row(at), candidates[*at].clone())),
            );
            open.push(Group {
                rows: Vec::new(),
                ..group
            });
        }
    }
    if variants.is_empty() {
        return;
    }
    step("reading the items of iterators");
    let rerun = Rerun {
        settling: &settling,
        groups: &open,
        judgement: &Judgement::default(),
        wanted,
        program,
    };
    // The recorded values are still usable if this fails.
    let seen = rerun.seen(variants).unwrap_or_default();
    let place = |variant: &Variant| (open[variant.of.group].statement, variant.of.candidate);
    let mut seen: BTreeMap<(StatementIdx, CandidateIdx), Variant> = seen
        .into_iter()
        .map(|variant| (place(&variant), variant))
        .collect();
    for (at, statement) in found.all.iter_mut().enumerate() {
        let candidates = std::mem::take(&mut statement.candidates)
            .into_iter()
            .enumerate();
        let known = candidates.filter_map(|(number, candidate)| match is_open(&candidate) {
            true => seen
                .remove(&(StatementIdx::new(at), CandidateIdx::new(number)))
                .map(|variant| variant.candidate),
            false => Some(candidate),
        });
        statement.candidates = known.collect();
    }
    let unknown = found
        .all
        .extract_if(.., |statement| statement.candidates.is_empty());
    found.without.extend(
        unknown.map(|statement| WithoutTest::new(&statement.site, NOT_COMPARED.to_owned())),
    );
}
