//! A generalization from its beginning to its end.

use super::arguments::{CalledFunction, Source, union};
use super::asked::Asked;
use super::candidate::{Candidates, Material, StudiedTest};
use super::classify::{Class, Classified, classify};
use super::copies::{Dropped, Writing};
use super::emit::{Emitting, Style};
use super::functions::{functions, looking_methods};
use super::mutants;
use super::report::{ClassesOfPackage, Emitted, OfCandidate, Report, Summary, TargetFunction, Without};
use super::scope::scopes_of;
use super::settle::{FOLDER, settle};
use super::trials::{self, Trials};
use super::unit_tests::{find, shown};
use super::verify::{Shown, Verified, verify};
use crate::edit::manifest::Dependency;
use crate::fault;
use crate::record::{self, recordings_folder};
use crate::workspace::Workspace;
use anyhow::Result;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

/// What a user asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// How the tests are recorded.
    pub tests: record::Options,
    /// A command that is recorded too.
    pub workload: Option<record::Options>,
    /// Recordings that are there, by name.
    pub from: Vec<String>,
    /// Which tests.
    pub asked: Asked,
    /// How parameterized tests are written.
    pub style: Style,
    /// Whether arguments that falsify an assertion become tests too.
    pub falsifying: bool,
    /// What the new tests need.
    pub dependency: Dependency,
    /// The command `cargo-situ`.
    pub program: PathBuf,
}

struct Clock {
    phases: RefCell<BTreeMap<String, f64>>,
}

impl Clock {
    fn time<T>(&self, phase: &str, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let result = work();
        *self.phases.borrow_mut().entry(phase.to_owned()).or_default() += started.elapsed().as_secs_f64();
        result
    }
}

/// Generalizes. `step` is told what is going on.
pub fn generalize(workspace: &Workspace, request: &Request, step: &dyn Fn(&str)) -> Result<Report> {
    let started = Instant::now();
    let clock = Clock { phases: RefCell::new(BTreeMap::new()) };
    let mut found = find(workspace);
    request.asked.choose(&mut found)?;
    let sources = clock.time("recording", || record_all(workspace, request, step))?;
    step("finding candidates");
    let functions = functions(workspace);
    let called = union(&sources, &functions);
    let tests: Vec<StudiedTest> =
        found.tests.into_iter().map(|test| StudiedTest { scopes: scopes_of(&test), test }).collect();
    let material = Material { workspace, tests: &tests, functions: &called, looking: looking_methods(&functions) };
    let mut made = material.candidates();
    let mut telling = Telling { material: &material, summary: Summary::default() };
    telling.summary.tests_considered = tests.len();
    let mut report = Report::default();
    if made.all.is_empty() {
        report.without = telling.without(&made, &BTreeSet::new());
        report.summary = telling.finished(started, clock);
        return Ok(report);
    }
    let settled = clock.time("compilation", || settle(&material, &mut made, step))?;
    step("trying the candidates");
    let folder = workspace.situ_folder().join(FOLDER).join("trials");
    let trials = clock.time("trials", || trials::run(&settled.programs, &folder))?;
    let mut classified = classify(&material, &made, &trials);
    step("judging with mutants");
    clock.time("mutants", || {
        let files = Writing { material: &material, made: &made, dropped: &settled.dropped }.files();
        mutants::judge(&material, &made, &mut classified, &settled.mirror, &files, &request.program)
    })?;
    let emitting = Emitting { material: &material, made: &made, style: request.style };
    let tests = emitting.tests(&classified, request.falsifying);
    let Verified { shown, changes, left_out } =
        clock.time("verification", || verify(workspace, &emitting, tests, &request.dependency, step))?;
    telling.summary.left_out = left_out;
    telling.count(&made, &classified, &settled.dropped, &trials, &shown);
    report.tests = telling.emitted(&made, &shown);
    report.candidates = telling.candidates(&made, &classified, &settled.dropped);
    report.functions = telling.functions(&made, &report.candidates);
    report.packages = telling.packages(&made, &classified);
    let with: BTreeSet<usize> = telling.tests_with(&made, &classified, &settled.dropped);
    report.without = telling.without(&made, &with);
    report.changes = changes;
    report.summary = telling.finished(started, clock);
    Ok(report)
}

/// Records the tests, and the command where there is one.
fn record_all(workspace: &Workspace, request: &Request, step: &dyn Fn(&str)) -> Result<Vec<Source>> {
    let folder = recordings_folder(workspace);
    let mut sources = Vec::new();
    for name in &request.from {
        if !folder.join(name).exists() {
            let text = format!("there is no recording `{name}`; make one with `cargo situ record --functions`");
            return Err(fault::input(text));
        }
        sources.push(Source { folder: folder.join(name), workload: Some(name.clone()) });
    }
    let report = record::record(workspace, &request.tests, step)?;
    if !report.failing.is_empty() {
        let failing = report.failing.join("\n  ");
        return Err(fault::user_code(format!("these tests fail before anything is changed:\n  {failing}")));
    }
    sources.push(Source { folder: folder.join(&request.tests.name), workload: None });
    if let Some(options) = &request.workload {
        record::record(workspace, options, step)?;
        sources.push(Source { folder: folder.join(&options.name), workload: Some("workload".to_owned()) });
    }
    Ok(sources)
}

/// Makes the report.
struct Telling<'t> {
    material: &'t Material<'t>,
    summary: Summary,
}

impl Telling<'_> {
    fn finished(self, started: Instant, clock: Clock) -> Summary {
        Summary { seconds: started.elapsed().as_secs_f64(), phases: clock.phases.into_inner(), ..self.summary }
    }

    fn function_of(&self, made: &Candidates, candidate: usize) -> &CalledFunction {
        self.material.function(made, &made.targets[made.all[candidate].target])
    }

    fn tests_with(&self, made: &Candidates, classified: &[Classified], dropped: &Dropped) -> BTreeSet<usize> {
        let all = classified.iter().map(|one| one.candidate).chain(dropped.candidates.keys().copied());
        all.map(|candidate| made.targets[made.all[candidate].target].test).collect()
    }

    fn count(
        &mut self,
        made: &Candidates,
        classified: &[Classified],
        dropped: &Dropped,
        trials: &Trials,
        shown: &[Shown],
    ) {
        let with = self.tests_with(made, classified, dropped).len();
        let of_class = |class: Class| classified.iter().filter(|one| one.class == class).count();
        let summary = &mut self.summary;
        summary.tests_with_candidates = with;
        summary.not_compiling = dropped.candidates.len();
        summary.candidates = classified.len() + dropped.candidates.len();
        summary.strongly_coupled = of_class(Class::StronglyCoupled);
        summary.falsifiably_coupled = of_class(Class::FalsifiablyCoupled);
        summary.decoupled = of_class(Class::Decoupled);
        summary.general = classified.iter().filter(|one| one.class == Class::Decoupled && one.is_general).count();
        summary.independent = summary.decoupled - summary.general;
        summary.ill_formed = of_class(Class::IllFormed) + dropped.candidates.len();
        summary.emitted = shown.len();
        summary.cases = shown.iter().map(|one| one.test.rows.len()).sum();
        summary.trials = trials.of_candidates.values().map(|trial| trial.outcomes.len()).sum();
        let positive = shown.iter().filter(|one| !one.test.is_negative);
        let generalized: BTreeSet<usize> = positive.map(|one| made.targets[one.test.target].test).collect();
        summary.tests_generalized = generalized.len();
        for reason in dropped.candidates.values() {
            *summary.ill_formed_because.entry(reason.clone()).or_default() += 1;
        }
        let fails = "it fails with the test's own arguments".to_owned();
        if of_class(Class::IllFormed) > 0 {
            summary.ill_formed_because.insert(fails, of_class(Class::IllFormed));
        }
    }

    fn emitted(&self, made: &Candidates, shown_tests: &[Shown]) -> Vec<Emitted> {
        let emitted = shown_tests.iter().map(|one| {
            let target = &made.targets[one.test.target];
            let test = &self.material.tests[target.test].test;
            Emitted {
                file: shown(&one.item.file),
                line: test.line(),
                name: one.test.name.clone(),
                test: test.path(),
                function: self.material.function(made, target).path.clone(),
                cases: one.test.rows.len(),
                valid: one.test.valid,
                assertions: one.test.candidates.len(),
                negative: one.test.is_negative,
                text: one.item.text.clone(),
                item: one.item.clone(),
            }
        });
        emitted.collect()
    }

    fn candidates(&self, made: &Candidates, classified: &[Classified], dropped: &Dropped) -> Vec<OfCandidate> {
        let of = |candidate: usize, class: Class| {
            let target = &made.targets[made.all[candidate].target];
            let studied = &self.material.tests[target.test];
            let text = studied.test.text();
            let assertion = &self.material.scope(target).body.assertions[made.all[candidate].assertion];
            OfCandidate {
                file: shown(&studied.test.file.path),
                line: 1 + text[..assertion.range.start].matches('\n').count(),
                test: studied.test.path(),
                function: self.function_of(made, candidate).path.clone(),
                call: one_line(&text[self.material.call(target).range.clone()]),
                assertion: one_line(&text[assertion.range.clone()]),
                class,
                general: false,
                original: 0,
                valid: 0,
                falsifying: 0,
                panicking: 0,
                reason: None,
            }
        };
        let mut all: Vec<OfCandidate> = classified
            .iter()
            .map(|one| OfCandidate {
                general: one.class == Class::Decoupled && one.is_general,
                original: one.original.len(),
                valid: one.valid.len(),
                falsifying: one.falsifying.len(),
                panicking: self.panicking(made, one),
                ..of(one.candidate, one.class)
            })
            .collect();
        all.extend(dropped.candidates.iter().map(|(candidate, reason)| OfCandidate {
            reason: Some(reason.clone()),
            ..of(*candidate, Class::IllFormed)
        }));
        all.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        all
    }

    fn panicking(&self, made: &Candidates, one: &Classified) -> usize {
        let table = &made.tables[made.targets[made.all[one.candidate].target].table];
        let sets = &self.material.functions[table.function].sets;
        one.valid.iter().chain(&one.falsifying).filter(|row| sets[table.rows[**row].set].panics).count()
    }

    /// Table II.
    fn functions(&mut self, made: &Candidates, candidates: &[OfCandidate]) -> Vec<TargetFunction> {
        let used: BTreeSet<usize> = made.tables.iter().map(|table| table.function).collect();
        let mut functions = Vec::new();
        for at in used {
            let called = &self.material.functions[at];
            let own: Vec<&OfCandidate> = candidates.iter().filter(|one| one.function == called.path).collect();
            let tests: BTreeSet<&str> = own.iter().map(|one| one.test.as_str()).collect();
            if own.is_empty() {
                continue;
            }
            let is_original =
                |set: &&super::arguments::ArgumentSet| set.direct.iter().any(|test| tests.contains(test.as_str()));
            let function = TargetFunction {
                package: called.package.clone(),
                function: called.path.clone(),
                tests: tests.len(),
                original_arguments: called.sets.iter().filter(is_original).count(),
                candidates: own.len(),
                captured_arguments: called.sets.len(),
            };
            self.summary.original_arguments += function.original_arguments;
            self.summary.captured_arguments += function.captured_arguments;
            functions.push(function);
        }
        self.summary.target_functions = functions.len();
        functions.sort_by_key(|function| std::cmp::Reverse(function.captured_arguments));
        functions
    }

    /// Table III.
    fn packages(&self, made: &Candidates, classified: &[Classified]) -> Vec<ClassesOfPackage> {
        let mut packages: BTreeMap<&str, ClassesOfPackage> = BTreeMap::new();
        for one in classified.iter().filter(|one| one.class != Class::IllFormed) {
            let package = &self.function_of(made, one.candidate).package;
            let classes = packages.entry(package).or_default();
            classes.package = package.clone();
            classes.candidates += 1;
            match one.class {
                Class::StronglyCoupled => classes.strongly_coupled += 1,
                Class::FalsifiablyCoupled => classes.falsifiably_coupled += 1,
                _ => classes.decoupled += 1,
            }
            classes.general += usize::from(one.class == Class::Decoupled && one.is_general);
        }
        packages.into_values().collect()
    }

    fn without(&mut self, made: &Candidates, with: &BTreeSet<usize>) -> Vec<Without> {
        let tests = self.material.tests.iter().enumerate().filter(|(number, _)| !with.contains(number));
        let without = tests.map(|(number, studied)| {
            let unknown = || "its own arguments cannot be rebuilt, or no others were seen".to_owned();
            Without {
                file: shown(&studied.test.file.path),
                line: studied.test.line(),
                test: studied.test.path(),
                reason: made.without.get(&number).cloned().unwrap_or_else(unknown),
            }
        });
        let without: Vec<Without> = without.collect();
        for one in &without {
            *self.summary.tests_without.entry(one.reason.clone()).or_default() += 1;
        }
        without
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
