//! Compiles a unit with inserted pieces, and drops those that errors are about.

use super::instrumented_files;
use super::plan::{Piece, Plan, is_dropped, with_keys};
use crate::base::diagnostics::{Diagnostic, Span, parse_rustc};
use crate::base::process::Finished;
use crate::source::SourceFile;
use crate::trial::owned_text::OwnedText;
use crate::trial::settle::{Round, Settle};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// Instrumented files of a unit, by the names that the compiler uses for them. The owner of an
/// inserted part is the index of its piece.
pub(crate) type WovenFiles = BTreeMap<String, OwnedText<usize>>;

/// Unit whose pieces are compiled in rounds.
pub(crate) struct Pieces<'p> {
    /// Source files of the unit.
    pub files: &'p [SourceFile],
    /// Pieces to insert.
    pub plan: &'p Plan,
    /// Folder for the instrumented files.
    pub swap: &'p Path,
    /// Working folder of the compiler.
    pub folder: &'p Path,
    /// Calls the compiler.
    pub compile: &'p dyn Fn() -> Result<Finished>,
    /// Receives the keys of the pieces that a round rejects, each with its error code.
    pub note: &'p dyn Fn(&BTreeMap<String, String>) -> Result<()>,
    /// Maximum number of rounds. After them, the unit is compiled without instrumentation.
    pub max_rounds: usize,
    /// Keys of all rejected pieces, each with its error code.
    pub rejected: BTreeMap<String, String>,
    /// Instrumented files of the current round.
    pub woven: WovenFiles,
}

/// Unit that the compiler accepts.
pub(crate) struct AcceptedUnit {
    /// Output of the compiler.
    pub finished: Finished,
    /// Indices of the pieces that are not inserted.
    pub dropped: BTreeSet<usize>,
    /// Number of compiler runs.
    pub rounds: usize,
}

impl Pieces<'_> {
    fn dropped(&self) -> BTreeSet<usize> {
        with_keys(&self.plan.pieces, &self.rejected.keys().cloned().collect())
    }
}

impl Settle for Pieces<'_> {
    type Accepted = AcceptedUnit;

    fn attempt(&mut self, round: usize) -> Result<Round<AcceptedUnit>> {
        let dropped = self.dropped();
        self.woven =
            instrumented_files::write(self.files, self.plan, &dropped, self.swap, self.folder)?;
        let finished = (self.compile)()?;
        if !finished.status.success() {
            return Ok(Round::Rejected(parse_rustc(&finished.stderr)));
        }
        Ok(Round::Accepted(AcceptedUnit {
            finished,
            dropped,
            rounds: round,
        }))
    }

    fn blame(&mut self, errors: &[Diagnostic], round: usize) -> Result<bool> {
        let rejected = rejected_pieces(self.plan, &self.woven, &self.dropped(), errors, round);
        let keyed = rejected
            .into_iter()
            .map(|(piece, code)| (self.plan.pieces[piece].key.clone(), code));
        let keyed: BTreeMap<String, String> = keyed.collect();
        if keyed.keys().all(|key| self.rejected.contains_key(key)) {
            return Ok(false);
        }
        (self.note)(&keyed)?;
        self.rejected.extend(keyed);
        Ok(true)
    }

    fn max_rounds(&self) -> usize {
        self.max_rounds
    }
}

/// Returns the pieces to drop for a set of errors, each with its error code. Returns none if no
/// error concerns the inserted code.
fn rejected_pieces(
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
            // From the second round on, later captures of the same variable are dropped too: rustc
            // would report them one per round.
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

/// Returns the smallest inserted text that overlaps a span of the error. Prefers captures to the
/// probes that contain them.
fn tightest(plan: &Plan, woven: &WovenFiles, spans: &[&Span]) -> Option<usize> {
    let mut best: Option<(bool, usize, usize)> = None;
    for span in spans {
        let Some(file) = woven.get(&span.file_name) else {
            continue;
        };
        for (region, piece) in &file.parts {
            let touches = span.byte_start < region.end
                && region.start < span.byte_end.max(span.byte_start + 1);
            // A span that is much larger than the piece does not indicate it.
            if touches && span.byte_end - span.byte_start <= 4 * region.len() {
                let rank = (plan.pieces[*piece].slot.is_none(), region.len(), *piece);
                best = Some(best.map_or(rank, |best| best.min(rank)));
            }
        }
    }
    best.map(|(_, _, piece)| piece)
}

/// Returns the innermost piece on both sides of the error: its wrapper disturbs the code inside.
fn surrounding(woven: &WovenFiles, spans: &[&Span]) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    for span in spans {
        let Some(file) = woven.get(&span.file_name) else {
            continue;
        };
        let behind: BTreeSet<usize> = file
            .parts
            .iter()
            .filter(|(region, _)| region.start >= span.byte_end)
            .map(|(_, piece)| *piece)
            .collect();
        let before = file
            .parts
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

/// Returns a piece and all later captures of the same variable in the function. rustc reports one
/// use of a moved variable at a time, so each would need its own compiler run.
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
        // The variable was moved by the expression that ends there. Elsewhere it may still be
        // valid.
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

/// Returns a piece and the pieces adjacent to it, with no code of the user in between.
fn captures_beside(woven: &WovenFiles, piece: usize) -> BTreeSet<usize> {
    let mut beside = BTreeSet::from([piece]);
    for file in woven.values() {
        let mut regions: Vec<&(Range<usize>, usize)> = file.parts.iter().collect();
        regions.sort_by_key(|(region, _)| region.start);
        let runs = regions.chunk_by(|(one, _), (next, _)| next.start <= one.end);
        for run in runs.filter(|run| run.iter().any(|(_, other)| *other == piece)) {
            beside.extend(run.iter().map(|(_, other)| *other));
        }
    }
    beside
}

/// Returns all probes of the function that contains the error, as a last resort.
fn whole_function(plan: &Plan, woven: &WovenFiles, spans: &[&Span]) -> Vec<usize> {
    for span in spans {
        let Some(file) = woven.get(&span.file_name) else {
            continue;
        };
        let mut before = file
            .parts
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
