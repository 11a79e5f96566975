//! Compiles all candidates together, and drops what the compiler does not accept until it accepts the rest.

use super::argument_log::MAX_REJECTIONS;
use super::copies::Writing;
use super::mirror_file::{Dropped, MirrorFile, Owner};
use crate::base::diagnostics::{Diagnostic, Span};
use crate::generate::generalize::pair::candidate::{Candidates, Material};
use crate::programs::program::Program;
use crate::trial::compile::{Build, Tests, build_tests};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// After so many rounds of errors everything in a file with errors is given up.
const MAX_ROUNDS: usize = 12;
/// The folder of the mirror, below Situ's own.
pub(crate) const FOLDER: &str = "generalize";

/// A mirror that compiles.
pub(crate) struct Settled {
    /// Its test programs.
    pub programs: Vec<Program>,
    /// What is not in it.
    pub dropped: Dropped,
}

/// Settles. Rows that the compiler rejects are marked in the tables.
pub(crate) fn settle(
    material: &Material<'_>,
    made: &mut Candidates,
    step: &dyn Fn(&str),
) -> Result<Settled> {
    let mut dropped = Dropped::default();
    for round in 1.. {
        step(&format!("compiling the candidates, round {round}"));
        let files = Writing {
            material,
            made,
            dropped: &dropped,
        }
        .files();
        let texts: Vec<(PathBuf, String)> = files
            .iter()
            .map(|file| (file.path.clone(), file.text.clone()))
            .collect();
        let mirror = material.workspace.mirror(FOLDER, &texts)?;
        let Build {
            errors, programs, ..
        } = build_tests(&mirror, Tests::All)?;
        if errors.is_empty() {
            return Ok(Settled { programs, dropped });
        }
        let mut changed = false;
        let (unheeded, noted_before) = (dropped.lints.clone(), dropped.notes.clone());
        for error in &errors {
            if let Some(lint) = denied_lint(error).filter(|lint| !unheeded.contains(*lint)) {
                changed |= dropped.lints.insert(lint.to_owned());
            } else if let Some(owner) = culprit(error, &files) {
                changed |= match owner {
                    Owner::Candidate(candidate) if is_unfit(material, made, candidate, error) => {
                        dropped.unfit.insert(candidate)
                    }
                    // Several errors in one round are about the same way of writing it.
                    Owner::Note(target) => {
                        let before = noted_before.get(&target).copied().unwrap_or(0);
                        dropped.notes.insert(target, before + 1);
                        before < MAX_REJECTIONS
                    }
                    _ => drop_owner(owner, &error.message, made, &mut dropped),
                };
            }
        }
        if !changed || round >= MAX_ROUNDS {
            changed |= give_up_files(&errors, &files, made, &mut dropped);
        }
        if !changed {
            let first = errors
                .into_iter()
                .find_map(|error| error.rendered)
                .unwrap_or_default();
            bail!("an error in the copy with candidates belongs to none of them:\n{first}");
        }
    }
    bail!("the candidates do not settle")
}

/// The lint that an error comes from: the crate denies it.
fn denied_lint(error: &Diagnostic) -> Option<&str> {
    let code = error.code.as_ref()?.code.as_str();
    code.starts_with(char::is_lowercase).then_some(code)
}

/// Whether a call of a generic function wants other types than those that were seen.
fn is_unfit(
    material: &Material<'_>,
    made: &Candidates,
    candidate: usize,
    error: &Diagnostic,
) -> bool {
    let is_of_type = error
        .code
        .as_ref()
        .is_some_and(|code| matches!(code.code.as_str(), "E0308" | "E0277"));
    is_of_type
        && material
            .function(made, &made.targets[made.all[candidate].target])
            .function
            .is_generic
}

/// The smallest part that an error points into, its own place first.
fn culprit(error: &Diagnostic, files: &[MirrorFile]) -> Option<Owner> {
    let spans = error.all_spans();
    let (primary, rest): (Vec<&Span>, Vec<&Span>) =
        spans.into_iter().partition(|span| span.is_primary);
    primary.into_iter().chain(rest).find_map(|span| {
        let file = files.iter().find(|file| is_file(span, &file.path))?;
        let around = file
            .parts
            .iter()
            .filter(|(range, _)| range.start <= span.byte_start && span.byte_end <= range.end);
        around
            .min_by_key(|(range, _)| range.len())
            .map(|(_, owner)| *owner)
    })
}

fn is_file(span: &Span, file: &Path) -> bool {
    Path::new(&span.file_name).ends_with(file)
}

/// Says whether something was dropped that was there before.
fn drop_owner(owner: Owner, reason: &str, made: &mut Candidates, dropped: &mut Dropped) -> bool {
    let said = || format!("the compiler rejects it: {reason}");
    match owner {
        Owner::Row(table, row) => {
            let table = &mut made.tables[table];
            let is_new = table.rows[row].refused.is_none();
            table.rows[row].refused.get_or_insert_with(said);
            is_new
        }
        Owner::Table(table) => dropped.tables.insert(table, said()).is_none(),
        Owner::Candidate(candidate) => dropped.candidates.insert(candidate, said()).is_none(),
        Owner::Note(_) => false,
        Owner::Notes(number) => dropped.noted.insert(number),
    }
}

fn give_up_files(
    errors: &[Diagnostic],
    files: &[MirrorFile],
    made: &Candidates,
    dropped: &mut Dropped,
) -> bool {
    let mut changed = false;
    for file in files {
        let is_named = |error: &&Diagnostic| {
            error
                .all_spans()
                .iter()
                .any(|span| is_file(span, &file.path))
        };
        let Some(error) = errors.iter().find(is_named) else {
            continue;
        };
        let own = made
            .tables
            .iter()
            .enumerate()
            .filter(|(_, table)| table.place.file == file.path);
        for (number, _) in own {
            let reason = format!(
                "an error in its file cannot be told apart: {}",
                error.message
            );
            changed |= dropped.tables.insert(number, reason).is_none();
        }
        let of_notes = file.parts.iter().filter_map(|(_, owner)| match owner {
            Owner::Notes(number) => Some(*number),
            _ => None,
        });
        for number in of_notes {
            changed |= dropped.noted.insert(number);
        }
    }
    changed
}
