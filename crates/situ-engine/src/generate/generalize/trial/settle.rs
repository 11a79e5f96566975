//! Compilation of all candidates together, dropping what the compiler rejects until it accepts the
//! rest.

use super::argument_log::MAX_REJECTIONS;
use super::copies::Writing;
use super::mirror_file::{Dropped, MirrorFile, Owner};
use crate::base::diagnostics::Diagnostic;
use crate::generate::generalize::pair::candidate::{Candidates, Material};
use crate::programs::program::Program;
use crate::trial::compile::{Tests, build_tests};
use crate::trial::owned_text::{Owners, is_about_file};
use crate::trial::settle::{self, Round, Settle};
use anyhow::{Result, bail};
use std::path::PathBuf;

/// The number of rounds after which everything in a file with errors is dropped.
const MAX_ROUNDS: usize = 12;
/// The folder of the mirror, below Situ's own.
pub(crate) const FOLDER: &str = "generalize";

/// A mirror that compiles.
pub(crate) struct Settled {
    /// Its test programs.
    pub programs: Vec<Program>,
    /// The dropped parts.
    pub dropped: Dropped,
}

/// Compiles until the rest is accepted. Rejected rows are marked in the tables.
pub(crate) fn settle(
    material: &Material<'_>,
    made: &mut Candidates,
    step: &dyn Fn(&str),
) -> Result<Settled> {
    let mut settling = Settling {
        material,
        made,
        step,
        dropped: Dropped::default(),
        files: Vec::new(),
    };
    match settle::settle(&mut settling)? {
        Ok(programs) => Ok(Settled {
            programs,
            dropped: settling.dropped,
        }),
        Err(unsettled) => bail!(
            "an error in the copy with candidates is in none of them:\n{}",
            unsettled.first()
        ),
    }
}

struct Settling<'s> {
    material: &'s Material<'s>,
    made: &'s mut Candidates,
    step: &'s dyn Fn(&str),
    dropped: Dropped,
    /// The files of the current round.
    files: Vec<MirrorFile>,
}

impl Settle for Settling<'_> {
    type Accepted = Vec<Program>;

    fn attempt(&mut self, round: usize) -> Result<Round<Vec<Program>>> {
        (self.step)(&format!("compiling the candidates, round {round}"));
        self.files = Writing {
            material: self.material,
            made: self.made,
            dropped: &self.dropped,
        }
        .files();
        let texts: Vec<(PathBuf, String)> = self
            .files
            .iter()
            .map(|file| (file.path.clone(), file.owned.text.clone()))
            .collect();
        let mirror = self.material.workspace.mirror(FOLDER, &texts)?;
        let build = build_tests(&mirror, Tests::All)?;
        Ok(match build.errors.is_empty() {
            true => Round::Accepted(build.programs),
            false => Round::Rejected(build.errors),
        })
    }

    fn blame(&mut self, errors: &[Diagnostic], _: usize) -> Result<bool> {
        let owners = self.owners();
        let mut changed = false;
        let (unheeded, noted_before) = (self.dropped.lints.clone(), self.dropped.notes.clone());
        for error in errors {
            if let Some(lint) = denied_lint(error).filter(|lint| !unheeded.contains(*lint)) {
                changed |= self.dropped.lints.insert(lint.to_owned());
            } else if let Some(owner) = owners.culprit(error) {
                changed |= match *owner {
                    Owner::Candidate(candidate)
                        if is_unfit(self.material, self.made, candidate, error) =>
                    {
                        self.dropped.unfit.insert(candidate)
                    }
                    // Several errors in one round are about the same form of it.
                    Owner::Note(target) => {
                        let before = noted_before.get(&target).copied().unwrap_or(0);
                        self.dropped.notes.insert(target, before + 1);
                        before < MAX_REJECTIONS
                    }
                    owner => drop_owner(owner, &error.message, self.made, &mut self.dropped),
                };
            }
        }
        Ok(changed)
    }

    fn give_up(&mut self, errors: &[Diagnostic]) -> Result<bool> {
        Ok(give_up_files(
            errors,
            &self.files,
            self.made,
            &mut self.dropped,
        ))
    }

    fn patience(&self) -> usize {
        MAX_ROUNDS
    }
}

impl Settling<'_> {
    fn owners(&self) -> Owners<Owner> {
        let mut owners = Owners::default();
        for file in &self.files {
            for (range, owner) in &file.owned.parts {
                owners.add(&file.path, range.clone(), *owner);
            }
        }
        owners
    }
}

/// Returns the lint that an error comes from, because the crate denies it.
fn denied_lint(error: &Diagnostic) -> Option<&str> {
    let code = error.code.as_ref()?.code.as_str();
    code.starts_with(char::is_lowercase).then_some(code)
}

/// Returns whether a call of a generic function has other types than the recorded arguments.
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

/// Drops a part; returns whether it was still there.
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
        let is_named = |error: &&Diagnostic| is_about_file(error, &file.path);
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
                "an error in its file cannot be attributed: {}",
                error.message
            );
            changed |= dropped.tables.insert(number, reason).is_none();
        }
        let of_notes = file
            .owned
            .parts
            .iter()
            .filter_map(|(_, owner)| match owner {
                Owner::Notes(number) => Some(*number),
                _ => None,
            });
        for number in of_notes {
            changed |= dropped.noted.insert(number);
        }
    }
    changed
}
