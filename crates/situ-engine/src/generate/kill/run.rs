//! The whole search, in order.

use super::call_text::{call_text, difference};
use super::search::{ENOUGH, Findings, Found, Search, Target};
use super::unit::{Checks, Configuration, MODE, UnitReport, contains};
use super::verify::{Check, Given, verify};
use crate::cargo::runtime;
use crate::cargo::workspace::{Workspace, rustc};
use crate::cargo::wrapper;
use crate::generate::explore::build::{Program, build_with, member_roots};
use crate::generate::explore::constants::dictionary;
use crate::generate::explore::recorded;
use crate::generate::explore::sources::with_names;
use crate::mutate::judge::Status;
use crate::mutate::killing_call::{KillingCall, OpenReason, Outcome as Told, Search as Verdict};
use crate::mutate::report::Report;
use crate::source::{SourceFile, module_files};
use crate::values::{Imports, Style, TestModule, TypeTable, styled};
use anyhow::{Context as _, Result};
use situ_recorder::kill::Outcome;
use situ_recorder::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use syn::Item;

/// What to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// How long to search, for all mutants together.
    pub time: Duration,
    /// How many processes at once; as many as there are cores where nothing is said.
    pub jobs: Option<usize>,
    /// Whether functions are called that reach outside of the program.
    pub allows_effects: bool,
    /// The command itself, which cargo calls as its compiler.
    pub program: PathBuf,
}

/// How many calls of a mutant are verified.
const MAX_CANDIDATES: usize = 3;

/// Searches a call for each mutant of a report that survives or is not reached, and notes what it finds there.
pub fn kill(
    workspace: &Workspace,
    report: &mut Report,
    request: &Request,
    tell: &(dyn Fn(crate::mutate::run::Event<'_>) + Sync),
) -> Result<()> {
    use crate::mutate::run::Event;
    let started = Instant::now();
    let targets: Vec<Target> = report
        .mutants
        .iter()
        .filter(|mutant| matches!(mutant.verdict.status, Status::Survived | Status::Unreached))
        .map(|mutant| Target {
            mutant: mutant.id,
            file: mutant.file.clone(),
            line: mutant.line,
        })
        .collect();
    let Some(mutants) = report.build.clone().filter(|_| !targets.is_empty()) else {
        return Ok(());
    };
    let folder = workspace.situ_folder().join("kill");
    fs::create_dir_all(&folder).context("making a folder for the search")?;
    let (compiler, version) = rustc()?;
    let (runtime, names) =
        runtime::build_killing(&workspace.library_folder(), &compiler, &version)?;
    let configuration = Configuration {
        mutants,
        selected: targets
            .iter()
            .map(|target| (target.file.clone(), target.mutant, target.line))
            .collect(),
        roots: member_roots(workspace, &workspace.build_root()?),
        runtime,
        names,
        allows_effects: request.allows_effects,
        checks: Checks::new(),
        tool: wrapper::version_of(&request.program),
        folder: folder.clone(),
    };
    let cores = request
        .jobs
        .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
        .max(1);
    tell(Event::Step("building calls of functions"));
    let (programs, units) = build(workspace, request, &configuration)?;
    let sources: Vec<CrateSources> = units
        .iter()
        .map(|unit| CrateSources::read(workspace.root(), unit))
        .collect();
    let dictionaries: Vec<String> = sources.iter().map(|one| dictionary(&one.files)).collect();
    fs::write(folder.join("recorded"), recorded::lines(workspace))
        .context("writing recorded values")?;
    let calls = folder.join("calls");
    let _ = fs::remove_dir_all(&calls);
    fs::create_dir_all(&calls).context("making a folder for calls")?;
    let _ = fs::copy(folder.join("recorded"), calls.join("recorded"));
    tell(Event::Step("searching calls"));
    let search = Search {
        units: &units,
        programs: &programs,
        root: workspace.root(),
        targets: &targets,
        folder: &calls,
        dictionaries: &dictionaries,
        time: request.time,
        cores,
    };
    let findings = search.run(&|found, of| {
        tell(Event::Judged {
            done: found,
            of,
            survived: of - found,
        });
    })?;
    tell(Event::Step("verifying calls"));
    let killed = verified(
        workspace,
        request,
        configuration,
        &units,
        &sources,
        &findings,
        cores,
    )?;
    for mutant in &mut report.mutants {
        if matches!(mutant.verdict.status, Status::Survived | Status::Unreached) {
            let verdict = match killed.get(&mutant.id) {
                Some(call) => Verdict::Killed(Box::new(call.clone())),
                None => without_call(mutant.id, (&mutant.file, mutant.line), &units, &findings),
            };
            mutant.search = Some(verdict);
        }
    }
    report.executions = Some(findings.total);
    report.seconds += started.elapsed().as_secs_f64();
    report.not_callable = not_callable(&units, &findings);
    Ok(())
}

/// Builds all test programs, and reads what their units say.
fn build(
    workspace: &Workspace,
    request: &Request,
    configuration: &Configuration,
) -> Result<(Vec<Program>, Vec<UnitReport>)> {
    let situ = workspace.situ_folder();
    let reports = configuration.folder.join("units");
    let wrapper = wrapper::install(&situ, &request.program, MODE, configuration)?;
    let target = configuration.folder.join("build");
    // Only tests inside of a crate can call what is private.
    let targets = ["--lib".to_owned(), "--bins".to_owned()];
    let has_library = workspace
        .packages()
        .iter()
        .any(|package| package.targets.iter().any(|target| target.is_lib()));
    let targets = if has_library {
        &targets[..]
    } else {
        &targets[1..]
    };
    let (programs, _) = build_with(workspace, &wrapper, &target, &[], targets)?;
    let mut units = Vec::new();
    for entry in fs::read_dir(&reports).into_iter().flatten().flatten() {
        let text = fs::read_to_string(entry.path()).context("reading the functions of a unit")?;
        let unit: UnitReport =
            serde_json::from_str(&text).context("understanding the functions of a unit")?;
        // Reports of other builds stay where they are.
        if programs
            .iter()
            .any(|program| program.root == workspace.root().join(&unit.root))
        {
            units.push(unit);
        }
    }
    units.sort_by(|one, other| one.root.cmp(&other.root));
    Ok((programs, units))
}

/// The sources of a unit, and what is declared there.
struct CrateSources {
    krate: String,
    files: Vec<SourceFile>,
    types: TypeTable,
}

impl CrateSources {
    fn read(root: &Path, unit: &UnitReport) -> CrateSources {
        let files = module_files(&root.join(&unit.root)).unwrap_or_default();
        let types = TypeTable::of(&unit.krate, &files);
        CrateSources {
            krate: unit.krate.clone(),
            files,
            types,
        }
    }

    /// The module below the crate, as a place for expressions.
    fn module(&self, module: &str) -> TestModule {
        let path: Vec<&str> = module.split("::").filter(|part| !part.is_empty()).collect();
        let mut items = self.files.iter().filter_map(|file| {
            let inner = path.get(file.module.len()..)?;
            let is_outer = file
                .module
                .iter()
                .zip(&path)
                .all(|(one, other)| one == other);
            is_outer
                .then(|| items_in(&file.tree.items, inner))
                .flatten()
        });
        let imports = items
            .next_back()
            .map(|items| Imports::of(items, module))
            .unwrap_or_default();
        TestModule {
            krate: self.krate.clone(),
            module: module.to_owned(),
            function: None,
            short_names: true,
            imports,
        }
    }
}

fn items_in<'i>(items: &'i [Item], path: &[&str]) -> Option<&'i [Item]> {
    let Some((first, rest)) = path.split_first() else {
        return Some(items);
    };
    items.iter().find_map(|item| match item {
        Item::Mod(inner) if inner.ident == first => items_in(&inner.content.as_ref()?.1, rest),
        _ => None,
    })
}

/// Writes the best calls of each mutant, compiles and executes them, and keeps the best that shows a difference.
fn verified(
    workspace: &Workspace,
    request: &Request,
    configuration: Configuration,
    units: &[UnitReport],
    sources: &[CrateSources],
    findings: &Findings,
    cores: usize,
) -> Result<BTreeMap<u32, KillingCall>> {
    let mut written: Vec<(u32, &Found, KillingCall)> = Vec::new();
    let mut checks = Checks::new();
    let mut list = Vec::new();
    for (mutant, found) in &findings.found {
        let mut found: Vec<&Found> = found.iter().collect();
        found.sort_by_key(|one| preference(one, units));
        let mut seen = BTreeSet::new();
        for one in found {
            let call = killing_call(*mutant, one, units, sources);
            if !seen.insert(call.call.clone()) {
                continue;
            }
            let (unit, function) = one.function;
            let number = written.len();
            checks
                .entry(units[unit].root.clone())
                .or_default()
                .entry(function)
                .or_default()
                .push((number, call.call.clone()));
            list.push(Check {
                number,
                unit,
                module: call.module.clone(),
                mutant: *mutant,
            });
            written.push((*mutant, one, call));
            if seen.len() == MAX_CANDIDATES {
                break;
            }
        }
    }
    if written.is_empty() {
        return Ok(BTreeMap::new());
    }
    let folder = configuration.folder.join("verify");
    let configuration = Configuration {
        checks,
        ..configuration
    };
    let (programs, units) = build(workspace, request, &configuration)?;
    let results = verify(&list, &units, &programs, workspace.root(), &folder, cores)?;
    let mut killed = BTreeMap::new();
    for (number, (mutant, one, call)) in written.into_iter().enumerate() {
        let Some((original, mutated)) = results.get(&number) else {
            continue;
        };
        let sources = &sources[one.function.0];
        let here = sources.module(&call.module);
        killed.entry(mutant).or_insert_with(|| KillingCall {
            original: told(original, &here, &sources.types),
            mutated: match mutated {
                Given::Outcome(outcome) => told(outcome, &here, &sources.types),
                Given::End(how) => Told::End(one.end.clone().unwrap_or_else(|| how.clone())),
            },
            ..call
        });
    }
    Ok(killed)
}

/// What is shown first: calls of public functions, of values, then the shortest.
fn preference(found: &Found, units: &[UnitReport]) -> (bool, u8, usize) {
    let function = &units[found.function.0].functions[found.function.1];
    let length = found.kill.arguments.iter().map(String::len).sum();
    (!function.is_public, found.kill.rank, length)
}

fn killing_call(
    mutant: u32,
    found: &Found,
    units: &[UnitReport],
    sources: &[CrateSources],
) -> KillingCall {
    let (unit, at) = found.function;
    let function = &units[unit].functions[at];
    let here = sources[unit].module(&function.module);
    let arguments: Vec<String> = found
        .kill
        .arguments
        .iter()
        .map(|argument| with_names(argument, &here, &sources[unit].types).replace('\u{1}', ""))
        .collect();
    let original = Outcome::read(&found.kill.original);
    let mutated = Outcome::read(&found.kill.mutated);
    let difference = match &original {
        Some(original) => difference(function, original, mutated.as_ref()),
        None => crate::mutate::killing_call::Difference::End,
    };
    KillingCall {
        mutant,
        function: function.path.clone(),
        file: function.file.clone(),
        line: function.lines.0,
        module: function.module.clone(),
        root: units[unit].root.clone(),
        is_public: function.is_public,
        call: call_text(function, &arguments, &difference),
        arguments,
        difference,
        original: Told::End(String::new()),
        mutated: Told::End(String::new()),
    }
}

/// An outcome for people, and as an expression.
fn told(outcome: &Outcome, here: &TestModule, types: &TypeTable) -> Told {
    match outcome {
        Outcome::Panic(message) => Told::Panic(message.clone()),
        Outcome::Endless => Told::End("it does not end".to_owned()),
        Outcome::Values(values) => {
            let value = values.first().map_or(&Value::Unit, |(_, value)| value);
            // What it is compared with says its type.
            let style = Style {
                typed_by_place: true,
                ..Style::default()
            };
            let written = styled(value, here, types, style).ok().map(as_compared);
            let shown = written.clone().unwrap_or_else(|| match value {
                Value::Debug { text, .. } => text.clone(),
                value => styled(value, here, &TypeTable::for_display(), style)
                    .map_or_else(|_| format!("{value:?}"), as_compared),
            });
            Told::Value {
                expression: written,
                shown,
            }
        }
    }
}

/// A value as it is written in a comparison: a `String` equals a literal.
fn as_compared(expression: String) -> String {
    let literal = expression
        .strip_prefix("String::from(")
        .and_then(|rest| rest.strip_suffix(')'));
    match literal {
        Some(literal) => literal.to_owned(),
        None => expression,
    }
}

/// The verdict on a mutant for which no call was verified.
fn without_call(
    mutant: u32,
    (file, line): (&Path, usize),
    units: &[UnitReport],
    findings: &Findings,
) -> Verdict {
    let executions = findings.executions.get(&mutant).copied().unwrap_or(0);
    let holder = units.iter().enumerate().find_map(|(unit, report)| {
        let functions = report.functions.iter().enumerate();
        let mut inside = functions.filter(|(_, one)| one.file == file && contains(one, line));
        inside.next().map(|(at, function)| ((unit, at), function))
    });
    // Inputs that were left out may tell it apart.
    let is_whole = holder.is_some_and(|(key, _)| !findings.ended.contains(&key));
    let reason = if findings.found.contains_key(&mutant) {
        OpenReason::NotWritable
    } else if executions >= ENOUGH && is_whole {
        return Verdict::ProbablyEquivalent { executions };
    } else if executions > 0 {
        OpenReason::FewExecutions(executions)
    } else if units.is_empty() {
        OpenReason::NotBuilt
    } else {
        match holder {
            None => OpenReason::NoFunction,
            Some((key, function)) => match (&function.test, findings.not_callable.get(&key)) {
                (Err(why), _) => OpenReason::NotCallable(why.clone()),
                (_, Some(why)) => OpenReason::NotCallable(why.clone()),
                _ => OpenReason::NotReached,
            },
        }
    };
    Verdict::Open { reason }
}

/// How many functions cannot be called, by reason.
fn not_callable(units: &[UnitReport], findings: &Findings) -> BTreeMap<String, usize> {
    let mut reasons = BTreeMap::new();
    for function in units.iter().flat_map(|unit| &unit.functions) {
        if let Err(why) = &function.test
            && !why.is_empty()
        {
            *reasons.entry(why.clone()).or_default() += 1;
        }
    }
    for why in findings.not_callable.values() {
        *reasons.entry(why.clone()).or_default() += 1;
    }
    reasons
}
