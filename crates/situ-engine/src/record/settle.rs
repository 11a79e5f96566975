//! From an error of the compiler to the pieces that caused it.

use super::plan::{Piece, Plan, Woven, is_dropped};
use crate::base::diagnostics::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The woven files of a unit, by the names that the compiler uses for them.
pub(crate) type WovenFiles = BTreeMap<String, Woven>;

/// Finds the pieces to drop for a round of errors, each with the code of its error. Empty where no error has to do with
/// what was inserted.
pub(crate) fn rejected_pieces(
    plan: &Plan,
    woven: &WovenFiles,
    dropped: &BTreeSet<usize>,
    errors: &[Diagnostic],
    round: usize,
) -> BTreeMap<usize, String> {
    let mut rejected = BTreeMap::new();
    for error in errors.iter().filter(|error| error.is_error()) {
        let spans = error.all_spans();
        let found = tightest(plan, woven, &spans);
        let pieces = match found {
            Some(piece) if round > 1 => with_later_captures(plan, woven, piece),
            Some(piece) => vec![piece],
            None => match surrounding(woven, &spans) {
                Some(piece) => vec![piece],
                None => whole_function(plan, woven, &spans),
            },
        };
        for piece in pieces
            .into_iter()
            .filter(|piece| !is_dropped(*piece, &plan.pieces, dropped))
        {
            rejected
                .entry(piece)
                .or_insert_with(|| error.code().to_owned());
        }
    }
    rejected
}

/// The smallest inserted text that a span of the error touches; captures go before the probes that hold them.
fn tightest(plan: &Plan, woven: &WovenFiles, spans: &[&Span]) -> Option<usize> {
    let mut best: Option<(bool, usize, usize)> = None;
    for span in spans {
        let Some(file) = woven.get(&span.file_name) else {
            continue;
        };
        for (region, piece) in &file.regions {
            let touches = span.byte_start < region.end
                && region.start < span.byte_end.max(span.byte_start + 1);
            // A span that holds far more than the piece says nothing about it.
            if touches && span.byte_end - span.byte_start <= 4 * region.len() {
                let rank = (plan.pieces[*piece].slot.is_none(), region.len(), *piece);
                best = Some(best.map_or(rank, |best| best.min(rank)));
            }
        }
    }
    best.map(|(_, _, piece)| piece)
}

/// The innermost piece that stands on both sides of the error: something in what it wraps does not like it.
fn surrounding(woven: &WovenFiles, spans: &[&Span]) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    for span in spans {
        let Some(file) = woven.get(&span.file_name) else {
            continue;
        };
        let behind: BTreeSet<usize> = file
            .regions
            .iter()
            .filter(|(region, _)| region.start >= span.byte_end)
            .map(|(_, piece)| *piece)
            .collect();
        let before = file
            .regions
            .iter()
            .filter(|(region, _)| region.end <= span.byte_start);
        let innermost = before
            .filter(|(_, piece)| behind.contains(piece))
            .max_by_key(|(region, _)| region.end);
        if let Some((region, piece)) = innermost {
            let distance = span.byte_start - region.end;
            best = Some(best.map_or((distance, *piece), |best| best.min((distance, *piece))));
        }
    }
    best.map(|(_, piece)| piece)
}

/// rustc reports one use of a moved variable at a time: all later captures of it in the function would follow.
fn with_later_captures(plan: &Plan, woven: &WovenFiles, piece: usize) -> Vec<usize> {
    let Piece {
        variable: Some(variable),
        function,
        ..
    } = &plan.pieces[piece]
    else {
        return vec![piece];
    };
    let is_same =
        |other: &Piece| other.variable.as_ref() == Some(variable) && other.function == *function;
    if plan.pieces[piece].is_after() {
        // It was moved by what ends there. Elsewhere it may still be there.
        let beside = captures_beside(woven, piece).into_iter();
        return beside
            .filter(|number| is_same(&plan.pieces[*number]))
            .collect();
    }
    let later = plan
        .pieces
        .iter()
        .enumerate()
        .filter(|(number, other)| *number >= piece && is_same(other));
    later.map(|(number, _)| number).collect()
}

/// The pieces with nothing of the user's between them and this one, and itself.
fn captures_beside(woven: &WovenFiles, piece: usize) -> BTreeSet<usize> {
    let mut beside = BTreeSet::from([piece]);
    for file in woven.values() {
        let mut regions: Vec<&(Range<usize>, usize)> = file.regions.iter().collect();
        regions.sort_by_key(|(region, _)| region.start);
        let runs = regions.chunk_by(|(one, _), (next, _)| next.start <= one.end);
        for run in runs.filter(|run| run.iter().any(|(_, other)| *other == piece)) {
            beside.extend(run.iter().map(|(_, other)| *other));
        }
    }
    beside
}

/// All probes of the function that the error stands in: the last resort.
fn whole_function(plan: &Plan, woven: &WovenFiles, spans: &[&Span]) -> Vec<usize> {
    for span in spans {
        let Some(file) = woven.get(&span.file_name) else {
            continue;
        };
        let mut before = file
            .regions
            .iter()
            .filter(|(region, _)| region.start <= span.byte_start);
        let nearest = before.rfind(|(_, piece)| plan.pieces[*piece].function.is_some());
        if let Some((_, piece)) = nearest {
            let function = plan.pieces[*piece].function;
            let inside = plan
                .pieces
                .iter()
                .enumerate()
                .filter(|(_, other)| other.function == function);
            return inside
                .filter(|(_, other)| other.parent.is_none())
                .map(|(number, _)| number)
                .collect();
        }
    }
    Vec::new()
}
