//! The stages of an extraction.

use super::candidate::reach::Reach;
use super::candidate::statement::{Statement, StatementIdx, WithoutTest, statements};
use super::choose::rank;
use super::choose::reduce::Algorithm;
use super::choose::shortlist::Shortlist;
use super::choose::{Choice, Keep, Passing, by_group, choose, kills};
use super::compile::settle::{Copies, Settled, Settling};
use super::compile::verify::{self, ShownTest, Verified};
use super::find::selection::{Selection, check_operators};
use super::find::survey::survey;
use super::improve::Search;
use super::improve::iterator_items::go_through;
use super::judge::matrix::{self, Judgement};
use super::judge::rerun::{Rerun, Rows};
use super::report::branches::count_branches;
use super::report::existing_branches::Existing;
use super::report::setbacks::{Judged, Phase, Setback, of_verification};
use super::report::summary::{Numbers, begin, counted};
use super::report::worth::{Valued, Valuing};
use super::report::{Extracted, Level, Report};
use super::table::case_names::case_names;
use super::table::rows::Group;
use super::table::test_text::{Wording, is_readable_table};
use super::update::{self, Outdated};
use crate::base::idx::enumerated;
use crate::base::shortened::shortened;
use crate::base::user_error;
use crate::cargo::manifest::SituSource;
use crate::cargo::prebuilt::Lending;
use crate::cargo::runtime::{self, Effort, Plan};
use crate::cargo::workspace::{Workspace, rustc};
use crate::edit::{ChangeSet, marked};
use crate::generate::worth::{Budget, Worth};
use crate::programs::failing::FailingTests;
use crate::record::masking::masked;
use crate::record::plan::Wanted;
use crate::record::read::Recording;
use crate::record::{self, Workload};
use crate::source::tests_in;
use anyhow::Result;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum length of a setback's reason, in chars.
const LONGEST_REASON: usize = 400;

/// Where the values come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// An existing recording.
    Recording(String),
    /// A new recording.
    Record(Box<record::Options>),
}

/// The options of an extraction.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where the values come from.
    pub source: Source,
    /// What tests are about.
    pub level: Level,
    /// What is recorded.
    pub wanted: Wanted,
    /// Which statements get tests.
    pub asked: Selection,
    /// The maximum number of fragments, those with the most untaken branches first.
    pub top_fragments: Option<usize>,
    /// Whether failing tests are replaced.
    pub update: bool,
    /// How far candidates are reduced.
    pub keep: Keep,
    /// The set-cover algorithm.
    pub algorithm: Algorithm,
    /// Whether only recorded inputs are used, even if mutants survive.
    pub recorded_only: bool,
    /// Operators whose mutants the reduction does not see.
    pub held_back: BTreeSet<String>,
    /// How much of what holds is shown.
    pub budget: Budget,
    /// Where the dependency comes from.
    pub situ: SituSource,
    /// The command `cargo-situ`.
    pub program: PathBuf,
}

/// Extracts tests. `step` receives the name of each stage.
pub fn extract(workspace: &Workspace, request: &Request, step: &dyn Fn(&str)) -> Result<Report> {
    if !request.update {
        return extract_from(workspace, request, &Outdated::default(), step);
    }
    let outdated = update::take_out(workspace, step)?;
    let Some(rest) = &outdated.rest else {
        return extract_from(workspace, request, &outdated, step);
    };
    let mut report = extract_from(rest, request, &outdated, step)?;
    report.summary.tests_taken_out = outdated.tests;
    report
        .summary
        .specified_failing
        .clone_from(&outdated.failing);
    outdated.add_to(&mut report.changes);
    report.outdated = outdated;
    Ok(report)
}

fn extract_from(
    workspace: &Workspace,
    request: &Request,
    outdated: &Outdated,
    step: &dyn Fn(&str),
) -> Result<Report> {
    let started = Instant::now();
    let clock = Clock {
        phases: RefCell::new(BTreeMap::new()),
    };
    let survey = survey(workspace, &request.wanted);
    let chosen = request.asked.choose(&survey, request.level)?;
    check_operators(&request.held_back)?;
    let (recording, lending) = clock.time("recording", || {
        recording_and_library(workspace, request, step)
    });
    let (
        Recorded {
            mut recording,
            tests_took,
        },
        lending,
    ) = (recording?, lending?);
    recording.adopt(&survey.sites);
    let lost = std::mem::take(&mut recording.lost);
    let mut found = statements(workspace, &survey, &recording, &|site| {
        chosen.contains(&site.id)
    });
    let reach = Reach::of(workspace);
    reach.take_out(&mut found);
    if let Some(top) = request.top_fragments {
        rank::keep_top(top, &mut found.all, &survey);
    }
    let types = std::mem::take(&mut found.types);
    let copies = Copies {
        workspace,
        types: &types,
        situ: &request.situ,
        lending: lending.as_ref(),
    };
    let (wanted, program) = (&request.wanted, request.program.as_path());
    let existing = |open: &BTreeSet<u32>| Existing::of(copies, &survey, open, wanted, program);
    clock.time("candidates", || {
        go_through(&mut found, copies, wanted, program, step)
    });
    let settling = copies.settling(&found.all);
    let mut summary = begin(
        survey
            .sites
            .values()
            .filter(|site| chosen.contains(&site.id)),
        &found,
    );
    if found.all.is_empty() {
        if request.level == Level::Block {
            count_branches(&mut summary, &found, &survey, &[], &existing);
        }
        summary.seconds = started.elapsed().as_secs_f64();
        summary.phases = clock.phases.into_inner();
        return Ok(Report {
            tests: Vec::new(),
            without: found.without,
            summary,
            changes: ChangeSet::default(),
            lost,
            outdated: Outdated::default(),
        });
    }
    let Settled {
        mirror, mut groups, ..
    } = clock.time("candidates", || settling.settle(step))?;
    let mut judgement = clock.time("mutants", || {
        matrix::judge(
            &mirror,
            &found.all,
            &groups,
            &request.program,
            tests_took,
            step,
        )
    })?;
    let mut choices = choose(
        &found.all,
        &groups,
        &judgement,
        request.keep,
        request.algorithm,
        &request.held_back,
    );
    let judged = Judged {
        statements: &found.all,
        groups: &groups,
        judgement: &judgement,
    };
    summary.setbacks.extend(judged.setbacks(&choices));
    let rerun = Rerun {
        settling: &settling,
        groups: &groups,
        judgement: &judgement,
        wanted,
        program,
    };
    if request.keep == Keep::Mutants {
        let Request {
            held_back,
            recorded_only,
            ..
        } = request;
        let search = Search {
            rerun: &rerun,
            choices: &choices,
            held_back,
            recorded_only: *recorded_only,
            reach: &reach,
        };
        match clock.time("other values", || search.improvements(step)) {
            Ok(better) => {
                let mut rows = Rows {
                    statements: &mut found.all,
                    groups: &mut groups,
                    judgement: &mut judgement,
                };
                (summary.rows_shortened, summary.rows_nearby) =
                    better.take_in(&mut rows, &mut choices);
            }
            // The recorded rows are still there.
            Err(error) => {
                let reason = shortened(&format!("{error:#}"), LONGEST_REASON);
                summary.setbacks.push(Setback {
                    phase: Phase::OtherValues,
                    file: None,
                    tried: 0,
                    reason,
                });
            }
        }
    }
    let settling = copies.settling(&found.all);
    let is_replaced = |statement: &Statement| {
        outdated.is_replaced(&statement.site.file, &statement.site.function)
    };
    let shortlist = Shortlist {
        statements: &found.all,
        groups: &groups,
        judgement: &judgement,
        stays: &is_replaced,
    };
    let all_tests = shown_tests(&settling, &choices, &groups);
    let (tests, all_tests) = match request.budget.is_all() {
        true => (all_tests.clone(), all_tests.len()),
        false => {
            let short = shown_tests(&settling, &shortlist.of(&choices), &groups);
            (named(&settling, short), all_tests.len())
        }
    };
    let tried = tests.len();
    let (changes, verified) = clock.time("verification", || verified(&settling, tests, step))?;
    summary.setbacks.extend(of_verification(tried, &verified));
    let Verified { tests, left_out } = verified;
    let Valued {
        tests,
        worth,
        changes,
    } = match request.budget.is_all() {
        true => Valued::without_worth(tests, changes),
        false => clock.time("worth", || {
            let valuing = Valuing {
                settling: &settling,
                budget: request.budget,
                stays: &is_replaced,
                program,
            };
            valuing.valued(tests, changes, step)
        })?,
    };
    summary.others = all_tests.saturating_sub(tests.len());
    let mut without = found.without.clone();
    let with_tests: BTreeSet<StatementIdx> = match request.budget.is_all() {
        true => tests.iter().map(|test| test.statement).collect(),
        // What holds and is not shown has a test all the same.
        false => choices
            .iter()
            .enumerate()
            .filter(|(_, choice)| !choice.kept.is_empty())
            .map(|(at, _)| StatementIdx::new(at))
            .collect(),
    };
    without.extend(without_test(&found.all, &groups, &judgement, &with_tests));
    without.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
    summary.statements_refused = counted(&without);
    let numbers = Numbers {
        statements: &found.all,
        groups: &groups,
        judgement: &judgement,
        held_back: &request.held_back,
    };
    numbers.count(&mut summary, &choices, &tests, left_out);
    if request.level == Level::Block {
        clock.time("branches", || {
            count_branches(&mut summary, &found, &survey, &tests, &existing)
        });
    }
    summary.seconds = started.elapsed().as_secs_f64();
    summary.phases = clock.phases.into_inner();
    let tests = extracted(
        &settling,
        request.level,
        &tests,
        &worth,
        &groups,
        &judgement,
    );
    Ok(Report {
        tests,
        without,
        summary,
        changes,
        lost,
        outdated: Outdated::default(),
    })
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
}

/// Returns the recording, and the prebuilt library that candidates are compiled with.
fn recording_and_library(
    workspace: &Workspace,
    request: &Request,
    step: &dyn Fn(&str),
) -> (Result<Recorded>, Result<Option<Lending>>) {
    thread::scope(|scope| {
        // Nearly all test runs are short, and then this library is needed next; otherwise it was
        // built for nothing.
        scope.spawn(|| {
            let is_of_tests =
                matches!(&request.source, Source::Record(options) if matches!(options.workload, Workload::Tests));
            if let (true, Ok((rustc, version))) = (is_of_tests, rustc()) {
                let plan = Plan::recording_to(&workspace.library_folder(), &version, None, Effort::Little);
                let _ = plan.build(&rustc);
            }
        });
        let lending = scope.spawn(|| {
            let lending = Lending::to(workspace, &request.situ, &request.program)?;
            // It is needed later; a failure is reported then.
            let (rustc, version) = rustc()?;
            let _ = runtime::build_judging(&workspace.library_folder(), &rustc, &version);
            Ok(lending)
        });
        let recording = recording(workspace, request, step);
        (
            recording,
            lending.join().unwrap_or_else(|panic| resume_unwind(panic)),
        )
    })
}

struct Recorded {
    recording: Recording,
    /// The time of all tests without mutants, if it is known.
    tests_took: Option<Duration>,
}

fn recording(workspace: &Workspace, request: &Request, step: &dyn Fn(&str)) -> Result<Recorded> {
    match &request.source {
        Source::Record(options) => {
            let report = record::record(workspace, options, step)?;
            if !report.failing.is_empty() {
                return Err(user_error::user_code(
                    FailingTests(report.failing).to_string(),
                ));
            }
            let is_of_tests = matches!(options.workload, Workload::Tests);
            let tests_took =
                is_of_tests.then(|| Duration::from_secs_f64(report.times.plain.max(0.0)));
            Ok(Recorded {
                recording: report.recording,
                tests_took,
            })
        }
        Source::Recording(name) => {
            let folder = record::recording_folder(workspace, name)?;
            if !folder.exists() {
                let text =
                    format!("there is no recording `{name}`; make one with `cargo situ record`");
                return Err(user_error::input(text));
            }
            Ok(Recorded {
                recording: record::read::open(&folder)?,
                tests_took: None,
            })
        }
    }
}

/// Returns the statements without a test, with the reason.
fn without_test(
    statements: &[Statement],
    groups: &[Group],
    judgement: &Judgement,
    with_tests: &BTreeSet<StatementIdx>,
) -> Vec<WithoutTest> {
    let without = enumerated(statements).filter(|(at, _)| !with_tests.contains(at));
    let told = without.map(|(at, statement)| {
        let own = || groups.iter().filter(|group| group.statement == at);
        let refused = own().find_map(|group| Some(group.refused.as_ref()?.to_string()));
        let failure =
            || own().find_map(|group| judgement.of_groups.get(&group.number)?.failure.clone());
        let unjudged = || {
            own()
                .find_map(|group| judgement.unjudged.get(&group.number))
                .map(ToString::to_string)
        };
        let refused = refused.or_else(unjudged);
        let reason = refused
            .or_else(|| failure().map(|said| format!("its candidates fail: {}", complaint(&said))));
        let reason = reason.unwrap_or_else(|| "no candidate is stable".to_owned());
        WithoutTest::new(&statement.site, reason)
    });
    told.collect()
}

/// Returns the reason of a failure message, without the statement that it begins with.
fn complaint(said: &str) -> String {
    const LETTERS: usize = 120;
    let wrong = said.find(" expected ").map_or(said, |at| &said[at + 1..]);
    shortened(&masked(wrong), LETTERS)
}

/// Returns the kept rows of each group as one test, or as several if one would be hard to read.
fn shown_tests(settling: &Settling<'_>, choices: &[Choice], groups: &[Group]) -> Vec<ShownTest> {
    let mut tests = Vec::new();
    for (at, choice) in choices.iter().enumerate() {
        let statement = &settling.statements[at];
        let candidate = |row: &Passing| &statement.candidates[row.candidate];
        for (group, rows) in by_group(&choice.kept) {
            let group = &groups[group];
            let mut tables: BTreeMap<String, Vec<Passing>> = BTreeMap::new();
            for row in rows {
                let said = group.said_in_words(candidate(&row), &settling.writing(statement));
                tables.entry(said).or_default().push(row);
            }
            let writing = settling.writing(statement);
            let is_readable = |rows: &[Passing]| {
                is_readable_table(&rows.iter().map(candidate).collect::<Vec<_>>(), &writing)
            };
            let test = |rows| ShownTest {
                statement: StatementIdx::new(at),
                rows,
                group: group.clone(),
                wording: Wording::default(),
                name: None,
            };
            for rows in tables.into_values() {
                if is_readable(&rows) {
                    tests.push(test(rows));
                    continue;
                }
                let (near, recorded): (Vec<Passing>, Vec<Passing>) =
                    rows.into_iter().partition(|row| candidate(row).is_near);
                for rows in [recorded, near].into_iter().filter(|rows| !rows.is_empty()) {
                    match is_readable(&rows) {
                        true => tests.push(test(rows)),
                        false => tests.extend(test(rows).one_by_one()),
                    }
                }
            }
        }
    }
    tests
}

/// The tests with names that say their cases, no two of one function the same.
fn named(settling: &Settling<'_>, tests: Vec<ShownTest>) -> Vec<ShownTest> {
    let mut taken: BTreeSet<(&str, &str, String)> = BTreeSet::new();
    let mut in_files: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let with_name = |test: ShownTest| {
        let statement = &settling.statements[test.statement];
        let (file, function) = (
            statement.site.file.as_str(),
            statement.site.function.as_str(),
        );
        let existing = in_files.entry(file).or_insert_with(|| {
            let text = settling.workspace.read(Path::new(file)).unwrap_or_default();
            tests_in(&text).into_iter().map(|test| test.name).collect()
        });
        let candidates: Vec<_> = test
            .rows
            .iter()
            .map(|row| &statement.candidates[row.candidate])
            .collect();
        let name = case_names(statement, &candidates).into_iter().find(|name| {
            let own = as_identifier(name);
            !existing.iter().any(|other| other.ends_with(&own))
                && taken.insert((file, function, own))
        });
        ShownTest { name, ..test }
    };
    tests.into_iter().map(with_name).collect()
}

/// The part of a name that tells it apart from others.
fn as_identifier(name: &str) -> String {
    name.chars()
        .map(|letter| {
            if letter.is_alphanumeric() {
                letter
            } else {
                '_'
            }
        })
        .collect()
}

/// Returns the formatted change with the tests that pass, verified in its final form.
fn verified(
    settling: &Settling<'_>,
    tests: Vec<ShownTest>,
    step: &dyn Fn(&str),
) -> Result<(ChangeSet, Verified)> {
    if tests.is_empty() {
        return Ok((
            ChangeSet::default(),
            Verified {
                tests,
                left_out: BTreeMap::new(),
            },
        ));
    }
    let (changes, verified) = match verify::verify_at_once(settling, &tests, step)? {
        Some(changes) => (
            changes,
            Verified {
                tests,
                left_out: BTreeMap::new(),
            },
        ),
        None => verified_one_by_one(settling, tests, step)?,
    };
    // A copy compiled with the prebuilt library has no dependency on it yet.
    let names_it_later = settling.lending.is_some() && !verified.tests.is_empty();
    let changes = if names_it_later {
        changes.resolved_to_show(settling.workspace)?
    } else {
        changes
    };
    Ok((changes, verified))
}

/// Returns the change with the tests that pass, if some have to be dropped or reworded.
fn verified_one_by_one(
    settling: &Settling<'_>,
    tests: Vec<ShownTest>,
    step: &dyn Fn(&str),
) -> Result<(ChangeSet, Verified)> {
    let verified = verify::verify(settling, tests, step)?;
    step("formatting and verifying");
    verify::confirm(settling, verified)
}

fn extracted(
    settling: &Settling<'_>,
    level: Level,
    tests: &[ShownTest],
    worth: &[Worth],
    groups: &[Group],
    judgement: &Judgement,
) -> Vec<Extracted> {
    let made = tests.iter().zip(worth).filter_map(|(test, worth)| {
        let proposal = verify::proposal(settling, test, None)?;
        let statement = &settling.statements[test.statement];
        let only_here: BTreeSet<u32> = test
            .rows
            .iter()
            .flat_map(|row| kills(row, groups, judgement))
            .filter(|id| {
                !judgement.killed_by_unit.contains(id) && !judgement.open_by_unit.contains(id)
            })
            .collect();
        Some(Extracted {
            file: statement.site.file.clone(),
            line: statement.site.line,
            text: marked(&proposal.text),
            function: statement.site.function.clone(),
            kind: statement.site.kind.clone(),
            level,
            rows: test.rows.len(),
            kills_only_here: only_here.len(),
            worth: worth.clone(),
            proposal,
        })
    });
    made.collect()
}
