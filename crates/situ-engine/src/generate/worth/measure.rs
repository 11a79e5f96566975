//! The matrix that worth is read off: the suite as it was, the proposed tests, and the mutants that the suite leaves alive.

use super::Worth;
use super::kill::Kill;
use super::set_cover::Offer;
use crate::base::words::count;
use crate::cargo::workspace::Workspace;
use crate::mutate::build::Builder;
use crate::mutate::inventory::Inventory;
use crate::mutate::judge::{Case, Court, Status};
use crate::mutate::measured_build::{Ready, build_and_measure};
use crate::mutate::mutant::{FileMutants, Mutant};
use crate::mutate::run::Request;
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

/// What proposed tests do to the mutants that the rest of the suite leaves alive.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measured {
    /// Mutants that proposed tests reach and that nothing else kills.
    pub survivors: BTreeMap<u32, Kill>,
    /// Proposed test → those of them that it kills.
    pub kills: BTreeMap<usize, BTreeSet<u32>>,
    /// Proposed test → those that it reaches and no other test of the suite does.
    pub reaches: BTreeMap<usize, BTreeSet<u32>>,
}

impl Measured {
    /// A proposed test that takes so many lines.
    pub(crate) fn offer(&self, test: usize, lines: usize) -> Offer {
        Offer {
            kills: self.kills.get(&test).cloned().unwrap_or_default(),
            reaches: self.reaches.get(&test).cloned().unwrap_or_default(),
            lines,
            cost: 0,
        }
    }

    /// What a proposed test is worth.
    pub(crate) fn worth(&self, test: usize) -> Worth {
        let none = BTreeSet::new();
        let kills = self.kills.get(&test).unwrap_or(&none);
        let reaches = self.reaches.get(&test).unwrap_or(&none);
        let places: BTreeSet<(&Path, usize)> = reaches
            .difference(kills)
            .filter_map(|id| self.survivors.get(id))
            .map(|kill| (kill.file.as_path(), kill.line))
            .collect();
        Worth {
            reaches: places
                .into_iter()
                .map(|(file, line)| format!("{}:{line}", file.display()))
                .collect(),
            ..Worth::of_kills(kills, &self.survivors)
        }
    }
}

/// The proposed tests, and whose mutants they are measured with.
pub(crate) struct Proposed<'p> {
    /// The user's workspace, without them.
    pub workspace: &'p Workspace,
    /// A copy of it with them.
    pub mirror: &'p Workspace,
    /// The number of a proposed test, by its name in a test program; none for every other test.
    pub number: &'p dyn Fn(&str) -> Option<usize>,
    /// Whether a mutant of the user's files counts.
    pub is_asked: &'p dyn Fn(&FileMutants, &Mutant) -> bool,
    /// The command `cargo-situ`.
    pub program: &'p Path,
}

/// Builds the copy with mutants, and judges them: first with the suite as it was, doctests and in-situ tests included, then
/// what that leaves alive with every proposed test that reaches it.
pub(crate) fn measure(proposed: &Proposed<'_>, step: &dyn Fn(&str)) -> Result<Measured> {
    let mirror = proposed.mirror;
    let folder = mirror.situ_folder().join("mutants");
    fs::create_dir_all(&folder).context("making the mutants' folder")?;
    let inventory = Inventory::take(mirror, &folder.join("numbers.json"))?;
    step("building with mutants");
    let builder = Builder::prepare(mirror, &inventory, proposed.program)?;
    let request = Request {
        doctests: true,
        program: proposed.program.to_path_buf(),
        ..Request::default()
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let ready = build_and_measure(builder, mirror, &request, (cores, &folder), &|_| {})?;
    let kills = kills_of(proposed, &inventory, &ready)?;
    let measured = judge(proposed.number, kills, &ready, &folder.join("places"), step);
    let _ = fs::remove_dir_all(folder.join("places"));
    measured
}

fn judge(
    number: &dyn Fn(&str) -> Option<usize>,
    kills: BTreeMap<u32, Kill>,
    ready: &Ready,
    places: &Path,
    step: &dyn Fn(&str),
) -> Result<Measured> {
    let reached_by = ready.reached_by(&kills.keys().copied().collect());
    let numbers: Vec<Option<usize>> = ready
        .baseline
        .tests
        .iter()
        .map(|test| number(&test.name))
        .collect();
    let mut functions: HashMap<(&Path, Option<&str>), usize> = HashMap::new();
    let mut cases = Vec::new();
    for (id, kill) in &kills {
        let tests = reached_by.get(id).cloned().unwrap_or_default();
        let next = functions.len();
        let neighbourhood = *functions
            .entry((&kill.file, kill.function.as_deref()))
            .or_insert(next);
        if tests.iter().any(|test| numbers[*test].is_some()) {
            cases.push(Case {
                id: *id,
                neighbourhood,
                tests,
            });
        }
    }
    let with = |case: &Case, is_proposed: bool| Case {
        tests: case
            .tests
            .iter()
            .copied()
            .filter(|test| numbers[*test].is_some() == is_proposed)
            .collect(),
        ..case.clone()
    };
    step(&format!(
        "judging {} with the tests that were there",
        count(cases.len(), "mutant")
    ));
    let before: Vec<Case> = cases.iter().map(|case| with(case, false)).collect();
    let court = Court::new(&ready.programs, &ready.baseline, places, false);
    let verdicts = court.judge(&before, |_, _| {})?;
    let is_alive = |status: Status| matches!(status, Status::Survived | Status::Unreached);
    let alive: Vec<Case> = cases
        .iter()
        .zip(&verdicts)
        .filter(|(_, verdict)| is_alive(verdict.status) && !verdict.is_unstable)
        .map(|(case, _)| with(case, true))
        .collect();
    step(&format!(
        "judging {} with the new tests",
        count(alive.len(), "survivor")
    ));
    let court = Court::new(&ready.programs, &ready.baseline, places, true);
    let verdicts = court.judge(&alive, |_, _| {})?;
    let unreached: BTreeSet<u32> = before
        .iter()
        .filter(|case| case.tests.is_empty())
        .map(|case| case.id)
        .collect();
    let mut measured = Measured::default();
    for (case, verdict) in alive.iter().zip(&verdicts) {
        measured.survivors.insert(case.id, kills[&case.id].clone());
        // A failure that does not come every time is no worth.
        let killers = verdict.killed_by.iter().filter(|_| !verdict.is_unstable);
        for at in killers.filter_map(|test| number(test)) {
            measured.kills.entry(at).or_default().insert(case.id);
        }
        if unreached.contains(&case.id) {
            for at in case.tests.iter().filter_map(|test| numbers[*test]) {
                measured.reaches.entry(at).or_default().insert(case.id);
            }
        }
    }
    Ok(measured)
}

/// What tells mutants of a copy and of the user's own files apart: file, function, operator, and what is replaced by what.
type Identity = (PathBuf, Option<String>, String, String, String);

fn identity(file: &FileMutants, mutant: &Mutant, text: &str) -> Identity {
    (
        file.path.clone(),
        mutant
            .function
            .and_then(|at| Some(file.functions.get(at)?.name.clone())),
        mutant.operator.clone(),
        text.get(mutant.shown_range.clone())
            .unwrap_or_default()
            .to_owned(),
        mutant.shown_text.clone(),
    )
}

/// The mutants that are asked for, each with its line in the user's own file.
fn kills_of(
    proposed: &Proposed<'_>,
    inventory: &Inventory,
    ready: &Ready,
) -> Result<BTreeMap<u32, Kill>> {
    let own_folder = proposed.workspace.situ_folder().join("worth");
    fs::create_dir_all(&own_folder).context("making the folder of the mutants' numbers")?;
    let own = Inventory::take(proposed.workspace, &own_folder.join("numbers.json"))?;
    let mut places: HashMap<Identity, Vec<usize>> = HashMap::new();
    for_each_mutant(proposed.workspace, &own, |file, mutant, text| {
        places
            .entry(identity(file, mutant, text))
            .or_default()
            .push(mutant.line);
    });
    let mut seen: HashMap<Identity, usize> = HashMap::new();
    let mut kills = BTreeMap::new();
    for_each_mutant(proposed.mirror, inventory, |file, mutant, text| {
        let identity = identity(file, mutant, text);
        let nth = seen.entry(identity.clone()).or_default();
        let line = places.get(&identity).and_then(|lines| lines.get(*nth));
        *nth += 1;
        // What stands only in the copy is code of the proposed tests.
        let Some(line) = line else {
            return;
        };
        if ready.built.alive.contains(&mutant.id) && (proposed.is_asked)(file, mutant) {
            kills.insert(mutant.id, Kill::new(file, mutant, text, *line));
        }
    });
    Ok(kills)
}

/// Goes through all mutants once, those that stand in tests' copies of code left out.
fn for_each_mutant(
    workspace: &Workspace,
    inventory: &Inventory,
    mut each: impl FnMut(&FileMutants, &Mutant, &str),
) {
    for file in &inventory.files {
        let text = workspace.read(&file.path).unwrap_or_default();
        for mutant in file.mutants.iter().filter(|mutant| !mutant.is_copy) {
            each(file, mutant, &text);
        }
    }
}
