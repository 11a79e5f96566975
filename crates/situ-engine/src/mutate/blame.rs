//! Finds the mutants that caused errors of the compiler.

use super::weave::{FileState, Part, Woven};
use crate::base::diagnostics::{Diagnostic, Span};
use std::collections::BTreeSet;
use std::path::Path;

/// Errors that a choice itself can cause, because it ends the lifetime of a temporary value.
const TEMPORARIES: &[&str] = &["E0716", "E0515", "E0597", "E0505"];

/// File of a unit, as it was last compiled.
pub(crate) struct Compiled {
    /// The file's mutants, and which of them are woven in.
    pub state: FileState,
    /// Compiled text, and the meaning of its ranges.
    pub woven: Woven,
}

/// Drops or moves the mutants that errors blame. Returns whether anything changed.
pub(super) fn apply(files: &mut [Compiled], diagnostics: &[Diagnostic]) -> bool {
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error() && !diagnostic.spans.is_empty());
    let mut verdicts = Verdicts::default();
    let mut unexplained = Vec::new();
    for error in errors {
        if !verdicts.restore_const(files, error) && !verdicts.blame_alternative(files, error) {
            unexplained.push(error);
        }
    }
    // Errors that follow from others disappear with them. Only if no error was explained, a suspect
    // is needed.
    if verdicts.is_empty() {
        unexplained
            .iter()
            .for_each(|error| verdicts.suspect(files, error));
    }
    verdicts.carry_out(files)
}

/// Drops mutants that compile, but with an overflowing literal.
pub(super) fn drop_impossible(files: &mut [Compiled], diagnostics: &[Diagnostic]) {
    let mut verdicts = Verdicts::default();
    for warning in diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code() == "overflowing_literals")
    {
        verdicts.blame_alternative(files, warning);
    }
    verdicts.carry_out(files);
}

#[derive(Default)]
struct Verdicts {
    /// File and mutant indices.
    dropped: BTreeSet<(usize, usize)>,
    moved: BTreeSet<(usize, usize)>,
    /// File and function indices.
    constant: BTreeSet<(usize, usize)>,
}

impl Verdicts {
    fn is_empty(&self) -> bool {
        self.dropped.is_empty() && self.moved.is_empty() && self.constant.is_empty()
    }

    /// Restores the `const` of a function that is called in a constant.
    fn restore_const(&mut self, files: &[Compiled], error: &Diagnostic) -> bool {
        if error.code() != "E0015" && error.code() != "E0379" {
            return false;
        }
        let before = self.constant.len();
        let children = error.children.iter().flat_map(|child| &child.spans);
        for (file, span) in children.filter_map(|span| find(files, span)) {
            let inside = innermost(&files[file].woven, span, |part| {
                matches!(part, Part::Function(_))
            });
            if let Some(Part::Function(function)) = inside {
                self.constant.insert((file, *function));
            }
        }
        if self.constant.len() == before {
            // For a trait's method, or a function of another file without a span, search by name.
            let called = error
                .message
                .split('`')
                .nth(1)
                .unwrap_or("")
                .rsplit("::")
                .next()
                .unwrap_or("")
                .to_owned();
            for (file, compiled) in files.iter().enumerate() {
                for (at, function) in compiled.state.file.functions.iter().enumerate() {
                    let own = function.name.rsplit("::").next().unwrap_or("");
                    if function.const_token.is_some() && own == called {
                        self.constant.insert((file, at));
                    }
                }
            }
        }
        self.constant.len() > before
    }

    fn blame_alternative(&mut self, files: &[Compiled], error: &Diagnostic) -> bool {
        let (primary, others): (Vec<&Span>, Vec<&Span>) = error
            .all_spans()
            .into_iter()
            .partition(|span| span.is_primary);
        [primary, others].into_iter().any(|spans| {
            let before = self.dropped.len();
            let mut known = false;
            for (file, span) in spans.into_iter().filter_map(|span| find(files, span)) {
                let inside = innermost(&files[file].woven, span, |part| {
                    matches!(part, Part::Alternative(_))
                });
                if let Some(Part::Alternative(mutant)) = inside {
                    // A mutant that an earlier error has blamed explains this error too.
                    known |= !self.dropped.insert((file, *mutant));
                }
            }
            known || self.dropped.len() > before
        })
    }

    /// Finds suspects for an error outside all alternatives: first mutants that remove exits in
    /// that function, then the choice around the error, then everything in the function.
    fn suspect(&mut self, files: &[Compiled], error: &Diagnostic) {
        let spans: Vec<(usize, &Span)> = error
            .all_spans()
            .into_iter()
            .filter_map(|span| find(files, span))
            .collect();
        let Some(&(file, span)) = spans.first() else {
            return self.drop_everything(files);
        };
        let compiled = &files[file];
        let sites = spans.iter().filter(|(other, _)| *other == file);
        let original = sites
            .filter_map(|(_, span)| {
                innermost(&compiled.woven, span, |part| {
                    matches!(part, Part::Original(_))
                })
            })
            .next();
        // The choice itself ends the life of a temporary value, so it is made at a wider range.
        if let (true, Some(Part::Original(mutants))) =
            (TEMPORARIES.contains(&error.code()), original)
        {
            self.moved
                .extend(mutants.iter().map(|mutant| (file, *mutant)));
            return;
        }
        let function = innermost(&compiled.woven, span, |part| {
            matches!(part, Part::Function(_))
        });
        let in_function = |index: &usize| match function {
            Some(Part::Function(function)) => {
                compiled.state.file.mutants[*index].function == Some(*function)
            }
            _ => true,
        };
        let alive = (0..compiled.state.alive.len())
            .filter(|index| compiled.state.alive[*index])
            .filter(in_function);
        let alive: Vec<usize> = alive.collect();
        let exits: Vec<usize> = alive
            .iter()
            .copied()
            .filter(|index| compiled.state.file.mutants[*index].removes_exit)
            .collect();
        let between: Vec<usize> = exits
            .iter()
            .copied()
            .filter(|index| is_between(compiled, *index, &spans, file))
            .collect();
        // From the most to the least likely cause.
        let chosen = [between, exits, original_mutants(original), alive]
            .into_iter()
            .find(|chosen| !chosen.is_empty());
        match chosen {
            Some(chosen) => self
                .dropped
                .extend(chosen.into_iter().map(|mutant| (file, mutant))),
            None => self.drop_everything(files),
        }
    }

    fn drop_everything(&mut self, files: &[Compiled]) {
        for (file, compiled) in files.iter().enumerate() {
            self.dropped
                .extend((0..compiled.state.alive.len()).map(|mutant| (file, mutant)));
        }
    }

    fn carry_out(self, files: &mut [Compiled]) -> bool {
        let mut changed = false;
        for (file, function) in self.constant {
            let state = &mut files[file].state;
            changed |= state.kept_const.insert(function);
            for index in 0..state.alive.len() {
                if state.file.mutants[index].function == Some(function) {
                    state.alive[index] = false;
                }
            }
        }
        for (file, mutant) in self.moved {
            let state = &mut files[file].state;
            changed |= state.alive[mutant];
            match state.level[mutant] + 1 < state.file.mutants[mutant].levels.len() {
                true => state.level[mutant] += 1,
                false => state.alive[mutant] = false,
            }
        }
        for (file, mutant) in self.dropped {
            let state = &mut files[file].state;
            changed |= state.alive[mutant];
            state.alive[mutant] = false;
        }
        changed
    }
}

fn original_mutants(part: Option<&Part>) -> Vec<usize> {
    match part {
        Some(Part::Original(mutants)) => mutants.clone(),
        _ => Vec::new(),
    }
}

/// Returns whether a mutant's alternative is between two spans of an error.
fn is_between(compiled: &Compiled, mutant: usize, spans: &[(usize, &Span)], file: usize) -> bool {
    let here = spans.iter().filter(|(other, _)| *other == file);
    let first = here.clone().map(|(_, span)| span.byte_start).min();
    let last = here.map(|(_, span)| span.byte_end).max();
    let place = compiled
        .woven
        .parts
        .iter()
        .find(|(_, part)| *part == Part::Alternative(mutant));
    match (first, last, place) {
        (Some(first), Some(last), Some((range, _))) => first <= range.start && range.end <= last,
        _ => false,
    }
}

/// Returns the file that contains a span.
pub(super) fn find<'a>(files: &[Compiled], span: &'a Span) -> Option<(usize, &'a Span)> {
    let at = files
        .iter()
        .position(|file| file.state.file.path == Path::new(&span.file_name))?;
    Some((at, span))
}

/// Returns the innermost part of that kind around a span.
fn innermost<'a>(
    woven: &'a Woven,
    span: &Span,
    wanted: impl Fn(&Part) -> bool,
) -> Option<&'a Part> {
    let around = woven.parts.iter().filter(|(range, part)| {
        range.start <= span.byte_start && span.byte_end <= range.end && wanted(part)
    });
    around.last().map(|(_, part)| part)
}
