//! Executes written calls, on the original and with the mutant on.

use super::search::lock;
use super::unit::UnitReport;
use crate::generate::explore::build::Program;
use crate::generate::explore::child::{Child, End, Message};
use crate::generate::explore::plan::VERIFIED;
use anyhow::Result;
use situ_recorder::kill::Outcome;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// How long one call may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// A written call.
pub(super) struct Check {
    pub number: usize,
    pub unit: usize,
    pub module: String,
    pub mutant: u32,
}

/// What a call gives; an end is how the process ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Given {
    Outcome(Outcome),
    End(String),
}

/// What original and mutant give, for each call that compiles, whose original gives the same twice and whose mutant
/// differs.
pub(super) fn verify(
    checks: &[Check],
    units: &[UnitReport],
    programs: &[Program],
    root: &Path,
    folder: &Path,
    cores: usize,
) -> Result<BTreeMap<usize, (Outcome, Given)>> {
    let verified = Mutex::new(BTreeMap::new());
    let failure: Mutex<Option<anyhow::Error>> = Mutex::new(None);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for worker in 0..cores {
            let (verified, failure, next) = (&verified, &failure, &next);
            scope.spawn(move || {
                while let Some(check) = checks.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let unit = &units[check.unit];
                    let program = programs
                        .iter()
                        .find(|program| program.root == root.join(&unit.root));
                    let Some(program) =
                        program.filter(|_| !unit.rejected_checks.contains(&check.number))
                    else {
                        continue;
                    };
                    let folder = folder.join(format!("worker-{worker}"));
                    match one(check, program, &folder) {
                        Ok(Some(result)) => {
                            lock(verified).insert(check.number, result);
                        }
                        Ok(None) => {}
                        Err(error) => *lock(failure) = Some(error),
                    }
                }
            });
        }
    });
    match lock(&failure).take() {
        Some(error) => Err(error),
        None => Ok(verified
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner)),
    }
}

fn one(check: &Check, program: &Program, folder: &Path) -> Result<Option<(Outcome, Given)>> {
    let first = execute(check, program, folder, None)?;
    let (Given::Outcome(original), true) =
        (&first, first == execute(check, program, folder, None)?)
    else {
        return Ok(None);
    };
    let mutated = execute(check, program, folder, Some(check.mutant))?;
    Ok((mutated != first).then(|| (original.clone(), mutated)))
}

fn execute(check: &Check, program: &Program, folder: &Path, mutant: Option<u32>) -> Result<Given> {
    let name = format!("{VERIFIED}{}::call", check.number);
    let test = if check.module.is_empty() {
        name
    } else {
        format!("{}::{name}", check.module)
    };
    let job = mutant
        .map(|mutant| format!("mutant {mutant}\n"))
        .unwrap_or_default();
    let child = Child {
        program,
        test,
        folder: folder.to_path_buf(),
        corpus: None,
        job,
        patience: PATIENCE,
    };
    let (messages, end) = child.run(&mut |_| {})?;
    let outcome = messages.into_iter().find_map(|message| match message {
        Message::Outcome(bytes) => Outcome::read(&bytes),
        _ => None,
    });
    Ok(match (outcome, end) {
        (Some(Outcome::Endless), _) => Given::End("it does not end".to_owned()),
        (Some(outcome), _) => Given::Outcome(outcome),
        (None, End::Unexplained(said)) if said.contains("overflowed its stack") => {
            Given::End("the stack overflows".to_owned())
        }
        (None, _) => Given::End("it ends the process".to_owned()),
    })
}
