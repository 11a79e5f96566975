//! The stages of a generalization.

use super::emit::verify::{Verified, verify};
use super::emit::{Emitting, Style};
use super::find::arguments::{Source, union};
use super::find::functions::{aliases, functions, looking_methods};
use super::find::selection::Selection;
use super::find::test_code::{TestCode, effects};
use super::find::unit_tests::{UnitTest, find};
use super::pair::candidate::{Candidates, Material, StudiedTest};
use super::report::report_builder::Telling;
use super::report::{Report, Summary};
use super::scope::scopes::scopes_of;
use super::trial::classify::classify;
use super::trial::mutants;
use super::trial::settle::{FOLDER, settle};
use super::trial::trials;
use crate::base::user_error;
use crate::cargo::manifest::Dependency;
use crate::cargo::workspace::Workspace;
use crate::programs::failing::FailingTests;
use crate::record::close::close_all;
use crate::record::read::open;
use crate::record::{self, recording_folder, recordings_folder};
use anyhow::Result;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

/// The options of a generalization.
#[derive(Clone, Debug)]
pub struct Request {
    /// How the tests are recorded.
    pub tests: record::Options,
    /// A command to record too.
    pub workload: Option<record::Options>,
    /// Existing recordings, by name.
    pub from: Vec<String>,
    /// The selected tests.
    pub asked: Selection,
    /// How parameterized tests are written.
    pub style: Style,
    /// Whether arguments that falsify an assertion become tests too.
    pub falsifying: bool,
    /// The dependency of the new tests.
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
        *self
            .phases
            .borrow_mut()
            .entry(phase.to_owned())
            .or_default() += started.elapsed().as_secs_f64();
        result
    }

    fn finished(self, summary: Summary, started: Instant) -> Summary {
        Summary {
            seconds: started.elapsed().as_secs_f64(),
            phases: self.phases.into_inner(),
            ..summary
        }
    }
}

/// Generalizes the selected tests. `step` receives the name of each stage.
pub fn generalize(workspace: &Workspace, request: &Request, step: &dyn Fn(&str)) -> Result<Report> {
    let started = Instant::now();
    let clock = Clock {
        phases: RefCell::new(BTreeMap::new()),
    };
    let mut found = find(workspace);
    let everybody: BTreeSet<String> = found
        .tests
        .iter()
        .chain(found.left.iter().map(|(test, _)| test))
        .map(UnitTest::path)
        .collect();
    request.asked.choose(&mut found)?;
    let sources = clock.time("recording", || record_all(workspace, request, step))?;
    step("finding candidates");
    let functions = functions(workspace);
    let called = union(&sources, &functions, &everybody);
    let (tests, code) = studied(workspace, found.tests);
    let looking = looking_methods(&functions);
    let material = Material {
        workspace,
        tests: &tests,
        functions: &called.functions,
        looking,
        aliases: aliases(workspace),
        code,
    };
    let made = material.candidates();
    let mut telling = Telling::new(&material);
    let mut report = match made.all.is_empty() {
        true => Report {
            without: telling.without(&made, &BTreeSet::new()),
            ..Report::default()
        },
        false => tried(&material, made, request, &clock, &mut telling, step)?,
    };
    report.summary = clock.finished(telling.summary, started);
    report.lost = called.lost;
    Ok(report)
}

/// Parses the bodies of the tests.
fn studied(
    workspace: &Workspace,
    tests: Vec<UnitTest>,
) -> (Vec<StudiedTest>, BTreeMap<PathBuf, TestCode>) {
    let effects = Rc::new(effects(workspace));
    let mut code: BTreeMap<PathBuf, TestCode> = BTreeMap::new();
    let studied = tests.into_iter().map(|test| {
        let krate = &test.file.krate;
        let own = code
            .entry(krate.root.clone())
            .or_insert_with(|| TestCode::of(krate, &effects));
        StudiedTest {
            scopes: scopes_of(&test, own),
            test,
        }
    });
    (studied.collect(), code)
}

/// Tries the candidates, and builds tests from those that hold for more arguments.
fn tried(
    material: &Material<'_>,
    mut made: Candidates,
    request: &Request,
    clock: &Clock,
    telling: &mut Telling<'_>,
    step: &dyn Fn(&str),
) -> Result<Report> {
    let settled = clock.time("compilation", || settle(material, &mut made, step))?;
    telling.leave_out_what_is_not_built(&trials::listed(&settled.programs)?);
    step("trying the candidates");
    let folder = material.workspace.situ_folder().join(FOLDER).join("trials");
    let trials = clock.time("trials", || trials::run(&settled.programs, &folder))?;
    let mut classified = classify(material, &made, &settled.dropped, &trials);
    step("judging with mutants");
    clock.time("mutants", || {
        mutants::judge(
            material,
            &made,
            &mut classified,
            &settled.dropped,
            &request.program,
        )
    })?;
    let emitting = Emitting {
        material,
        made: &made,
        style: request.style,
    };
    let tests = emitting.tests(&classified, request.falsifying);
    let Verified {
        shown,
        changes,
        left_out,
    } = clock.time("verification", || {
        verify(
            material.workspace,
            &emitting,
            tests,
            &request.dependency,
            step,
        )
    })?;
    telling.summary.left_out = left_out;
    telling.count(&made, &classified, &settled.dropped, &trials, &shown);
    let candidates = telling.candidates(&made, &classified, &settled.dropped);
    let with: BTreeSet<usize> = telling.tests_with(&made, &classified, &settled.dropped);
    Ok(Report {
        tests: telling.emitted(&emitting, &shown),
        functions: telling.functions(&made, &candidates),
        packages: telling.packages(&made, &classified),
        without: telling.without(&made, &with),
        candidates,
        changes,
        ..Report::default()
    })
}

/// Records the tests, and the command where there is one.
fn record_all(
    workspace: &Workspace,
    request: &Request,
    step: &dyn Fn(&str),
) -> Result<Vec<Source>> {
    let folder = recordings_folder(workspace);
    let mut sources = Vec::new();
    for name in &request.from {
        let named = recording_folder(workspace, name)?;
        if !named.exists() {
            let text = format!(
                "there is no recording `{name}`; make one with `cargo situ record --functions`"
            );
            return Err(user_error::input(text));
        }
        // An unreadable recording would silently contribute nothing.
        open(&named)?;
        sources.push(Source {
            folder: named,
            workload: Some(name.clone()),
        });
    }
    let report = record::record(workspace, &request.tests, step)?;
    if !report.failing.is_empty() {
        return Err(user_error::user_code(
            FailingTests(report.failing).to_string(),
        ));
    }
    sources.push(Source {
        folder: folder.join(&request.tests.name),
        workload: None,
    });
    if let Some(options) = &request.workload {
        record::record(workspace, options, step)?;
        sources.push(Source {
            folder: folder.join(&options.name),
            workload: Some("workload".to_owned()),
        });
    }
    // A secret of the workload is one in the tests too, and the other way round.
    let folders: Vec<&Path> = sources
        .iter()
        .map(|source| source.folder.as_path())
        .collect();
    close_all(&folders)?;
    Ok(sources)
}
