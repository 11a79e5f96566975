//! The stages of an exploration.

use super::build;
use super::import;
use super::points;
use super::recorded;
use super::report::{Report, Summary};
use super::report_builder::Telling;
use super::sources::Sources;
use super::theories::{self, Theory};
use super::workers::Workers;
use crate::base::user_error;
use crate::cargo::workspace::Workspace;
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The limit of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A time limit for all theories together.
    Time(Duration),
    /// A number of executions of each theory.
    Runs(u64),
    /// Until no new code is covered, with a time limit.
    Covered(Duration),
}

/// The options of an exploration.
#[derive(Clone, Debug)]
pub struct Request {
    /// The theories by name; all where there are none.
    pub theories: Vec<String>,
    /// How far.
    pub bound: Bound,
    /// The seed of the random numbers; with one, inputs kept by earlier searches are not used.
    pub seed: Option<u64>,
    /// Whether to report inputs that pass on new paths.
    pub passing: bool,
    /// How long one input may take.
    pub patience: Duration,
    /// How many bytes one process may use.
    pub memory: u64,
    /// The number of processes at once; by default the number of cores.
    pub jobs: Option<usize>,
    /// The part of the search for this machine: k of n.
    pub shard: Option<(usize, usize)>,
    /// Findings of fuzzers, to be tried instead of a search.
    pub imports: Vec<PathBuf>,
    /// Arguments for cargo.
    pub cargo_arguments: Vec<String>,
    /// The command itself, which is the compiler's wrapper too.
    pub program: PathBuf,
}

/// A progress event.
pub enum Event<'e> {
    /// A new step.
    Step(&'e str),
    /// The numbers of finished theories, of all, and of violated ones.
    Progress(usize, usize, usize),
}

/// Explores the selected theories.
pub fn explore(
    workspace: &Workspace,
    request: &Request,
    tell: &(dyn Fn(Event<'_>) + Sync),
) -> Result<Report> {
    tell(Event::Step("looking for theories"));
    let theories = theories::asked_for(theories::theories(workspace)?, &request.theories)?;
    check_dependency(workspace, &theories)?;
    tell(Event::Step("building with coverage"));
    let (programs, took) = build::build(
        workspace,
        &request.program,
        &request.cargo_arguments,
        &targets_of(workspace, &theories),
    )?;
    let sources = Sources::of(&theories);
    let imports = import::files_for(&request.imports, &theories)?;
    let folder = workspace.situ_folder().join("explore");
    fs::create_dir_all(&folder).context("making a folder for explorations")?;
    fs::write(folder.join("recorded"), recorded::lines(workspace))
        .context("writing recorded values")?;
    let workers = Workers {
        request,
        programs: &programs,
        sources: &sources,
        folder: &folder,
        imports: &imports,
    };
    let started = Instant::now();
    let explored = workers.all(&theories, tell)?;
    let mut report = Report::default();
    let mut telling = Telling::new(&sources);
    for (theory, explored) in theories.iter().zip(explored) {
        telling.add(&mut report, theory, explored);
    }
    report.summary = Summary {
        theories: report
            .theories
            .iter()
            .filter(|one| one.not_explored.is_none() || one.executions > 0)
            .count(),
        violated: report
            .violations
            .iter()
            .map(|violation| &violation.theory)
            .collect::<BTreeSet<_>>()
            .len(),
        executions: report.theories.iter().map(|theory| theory.executions).sum(),
        seconds: started.elapsed().as_secs_f64(),
        build_seconds: took.as_secs_f64(),
        seed: request.seed.unwrap_or(0),
    };
    report.changes = points::changes(workspace, &report.proposals)?;
    Ok(report)
}

/// Checks that the packages of the theories depend on `situ`.
fn check_dependency(workspace: &Workspace, theories: &[Theory]) -> Result<()> {
    for package in workspace.packages() {
        let has_situ = package
            .dependencies
            .iter()
            .any(|dependency| dependency.name == "situ");
        let has_theories = package.targets.iter().any(|target| {
            theories
                .iter()
                .any(|one| one.root == target.src_path.as_std_path())
        });
        if has_theories && !has_situ {
            let text = format!(
                "{} does not depend on `situ`; `cargo situ init --write` adds it",
                package.name
            );
            return Err(user_error::input(text));
        }
    }
    Ok(())
}

/// Returns cargo's options that build only targets with theories.
pub(super) fn targets_of(workspace: &Workspace, theories: &[Theory]) -> Vec<String> {
    let mut options = BTreeSet::new();
    for package in workspace.packages() {
        for target in &package.targets {
            let has_theories = theories
                .iter()
                .any(|theory| theory.root == target.src_path.as_std_path());
            if !has_theories {
                continue;
            }
            let option = match target.kind.first().map(ToString::to_string).as_deref() {
                Some("test") => format!("--test={}", target.name),
                Some("bin") => format!("--bin={}", target.name),
                _ => "--lib".to_owned(),
            };
            options.insert(option);
        }
    }
    options.into_iter().collect()
}
