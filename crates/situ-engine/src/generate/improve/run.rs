//! An improvement from its beginning to its end.

use super::calls::argument_lists;
use super::case_name::case_name;
use super::expected::{Call, OpenCall, observed};
use super::kept;
use super::killing::call_of;
use super::place::{Placed, TestModule};
use super::report::{Form, Improvement, Report, Summary};
use super::subject::{Subject, called_with, holder, subjects};
use super::trial_tests::{TrialTest, TrialTests, number};
use crate::base::user_error;
use crate::base::words::count;
use crate::cargo::workspace::{Selection, Workspace};
use crate::edit::{ChangeSet, FileChange, Preview, compose_insertions, formatting_of};
use crate::generate::kill;
use crate::generate::worth::{Budget, Kill, Offer, Proposed, choose, line_count, measure};
use crate::mutate::judge::Status;
use crate::mutate::killing_call::Search;
use crate::mutate::report::{Judged, Report as MutantsReport};
use crate::mutate::run::{self as mutants, Request as MutantsRequest};
use crate::source::parse;
use crate::trial::compile::{self, Build};
use crate::trial::{parts, ways};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Calls that are tried in each second of the search.
const CALLS_A_SECOND: u64 = 40;

/// What a user asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Which packages.
    pub selection: Selection,
    /// Files, folders, functions or lines; everything where there are none.
    pub places: Vec<String>,
    /// A unified diff: only survivors on lines that it changes.
    pub diff: Option<PathBuf>,
    /// How many lines may be added.
    pub budget: Budget,
    /// How long inputs are searched.
    pub time: Duration,
    /// The command `cargo-situ`.
    pub program: PathBuf,
}

/// Proposes the fewest assertions that kill what survives. Takes what an earlier run found where nothing has changed
/// since.
pub fn improve(
    workspace: &Workspace,
    request: &Request,
    step: &(dyn Fn(&str) + Sync),
) -> Result<Report> {
    let started = Instant::now();
    let diff = request.diff.as_ref().map(std::fs::read_to_string);
    let diff = diff.transpose().ok().flatten().unwrap_or_default();
    let question = format!(
        "{:?} {:?} {:?} {}",
        request.places, request.budget, request.time, diff
    );
    let key = kept::key(workspace, &question);
    if let Some((improvements, summary)) = kept::read(workspace, key) {
        let changes = changes(workspace, &improvements)?;
        return Ok(Report {
            improvements,
            summary,
            changes,
        });
    }
    let mut report = search(workspace, request, step)?;
    report.summary.seconds = started.elapsed().as_secs_f64();
    kept::write(workspace, key, &report.improvements, &report.summary)?;
    Ok(report)
}

fn search(
    workspace: &Workspace,
    request: &Request,
    step: &(dyn Fn(&str) + Sync),
) -> Result<Report> {
    let judged = judged_by_suite(request, step)?;
    let survivors: &[Judged] = &judged.mutants;
    let files: BTreeSet<&Path> = survivors.iter().map(|one| one.file.as_path()).collect();
    let mut summary = Summary {
        survivors: survivors.len(),
        source_lines: files.iter().map(|file| line_count(workspace, file)).sum(),
        ..Summary::default()
    };
    let max_lines = request.budget.lines(workspace, files.iter().copied());
    let asked: BTreeSet<Kill> = survivors.iter().map(Kill::of_judged).collect();
    let mut found = Found::of(workspace, survivors)?;
    step("calling the functions that survivors stand in");
    let most = (request.time.as_secs() * CALLS_A_SECOND) as usize;
    let calls = observed(workspace, &found.open_calls(most))?;
    let calls = calls.into_iter().map(|(_, call)| call).collect();
    let mut tried = found.tried(workspace, calls, (&request.program, &asked), step)?;
    let searched = searched(workspace, request, judged, &tried, step)?;
    let calls = found.add(workspace, &searched)?;
    tried.extend(found.tried(workspace, calls, (&request.program, &asked), step)?);
    let proposed = found.improvements(&tried, &chosen(&tried, &asked, max_lines));
    let proposed = within(proposed, max_lines);
    step("verifying the new tests");
    let (improvements, _) =
        parts::that_hold(&proposed, &mut |some: &[Proposal]| holds(workspace, some))?;
    let mut improvements: Vec<Improvement> = improvements
        .into_iter()
        .map(|proposal| proposal.improvement)
        .collect();
    let mut change_set = changes(workspace, &improvements)?;
    // The least worth goes where formatting or a new module takes more lines than were counted.
    while lines_added(&change_set) > max_lines && improvements.pop().is_some() {
        change_set = changes(workspace, &improvements)?;
    }
    let killed: BTreeSet<&Kill> = improvements.iter().flat_map(|one| &one.kills).collect();
    summary.killed_by_new = killed.len();
    let is_equivalent = |one: &&Judged| {
        matches!(one.search, Some(Search::ProbablyEquivalent { .. }))
            && !killed.contains(&Kill::of_judged(one))
    };
    summary.probably_equivalent = searched.iter().filter(is_equivalent).count();
    summary.open = (summary.survivors - summary.probably_equivalent).saturating_sub(killed.len());
    summary.tests = improvements.len();
    summary.lines_added = lines_added(&change_set);
    Ok(Report {
        improvements,
        summary,
        changes: change_set,
    })
}

/// The proposals that fit into so many lines, the best first.
fn within(proposals: Vec<Proposal>, max_lines: usize) -> Vec<Proposal> {
    let mut left = max_lines;
    let mut fits = |proposal: &Proposal| {
        let lines = match proposal.improvement.form {
            Form::Case => 1,
            // With the empty line before it.
            Form::Unit => proposal.improvement.text.lines().count() + 1,
        };
        let fits = lines <= left;
        left -= if fits { lines } else { 0 };
        fits
    };
    proposals.into_iter().filter(|one| fits(one)).collect()
}

fn lines_added(changes: &ChangeSet) -> usize {
    let added = changes.files.iter().map(|file| {
        let (after, before) = (file.after.lines().count(), file.before.lines().count());
        after.saturating_sub(before)
    });
    added.sum()
}

/// Judges mutants by the suite, and keeps those that survive.
fn judged_by_suite(request: &Request, step: &(dyn Fn(&str) + Sync)) -> Result<MutantsReport> {
    let judging = MutantsRequest {
        selection: request.selection.clone(),
        places: request.places.clone(),
        diff: request.diff.clone(),
        doctests: true,
        program: request.program.clone(),
        ..MutantsRequest::default()
    };
    let mut report = mutants::run(&judging, &|event| match event {
        mutants::Event::Step(text) => step(text),
        mutants::Event::Judged { done, of, survived } => {
            step(&format!(
                "judging mutants: {done} of {of}, {survived} survived"
            ));
        }
    })?;
    report
        .mutants
        .retain(|one| matches!(one.verdict.status, Status::Survived | Status::Unreached));
    Ok(report)
}

/// Searches calls for the survivors that no call has killed yet.
fn searched(
    workspace: &Workspace,
    request: &Request,
    mut judged: MutantsReport,
    tried: &[Tried],
    step: &(dyn Fn(&str) + Sync),
) -> Result<Vec<Judged>> {
    let killed: BTreeSet<&Kill> = tried.iter().flat_map(|one| &one.kills).collect();
    judged
        .mutants
        .retain(|one| !killed.contains(&Kill::of_judged(one)));
    let search = kill::Request {
        time: request.time,
        jobs: None,
        allows_effects: false,
        program: request.program.clone(),
    };
    kill::kill(workspace, &mut judged, &search, &|event| match event {
        mutants::Event::Step(text) => step(text),
        mutants::Event::Judged { done, of, .. } => {
            step(&format!("searching calls: found for {done} of {of}"));
        }
    })?;
    Ok(judged.mutants)
}

/// A call with the survivors that an assertion of what it gives kills.
struct Tried {
    call: Call,
    kills: BTreeSet<Kill>,
}

/// A proposal with the test that holds it.
#[derive(Clone)]
struct Proposal {
    improvement: Improvement,
    test: String,
}

/// The functions that survivors stand in, with the texts of their files.
struct Found {
    texts: BTreeMap<PathBuf, String>,
    subjects: Vec<(PathBuf, Subject)>,
}

impl Found {
    fn of(workspace: &Workspace, survivors: &[Judged]) -> Result<Found> {
        let mut texts = BTreeMap::new();
        let mut found = Vec::new();
        let files: BTreeSet<&PathBuf> = survivors.iter().map(|one| &one.file).collect();
        for file in files {
            let text = workspace.read(file)?;
            let is_wanted = |subject: &Subject| {
                survivors
                    .iter()
                    .filter(|one| one.file == *file)
                    .any(|one| lines(&text, subject).contains(&one.line))
            };
            let own = subjects(&text).into_iter().filter(is_wanted);
            found.extend(own.map(|subject| (file.clone(), subject)));
            texts.insert(file.clone(), text);
        }
        Ok(Found {
            texts,
            subjects: found,
        })
    }

    fn module(&self, at: usize) -> Option<TestModule<'_>> {
        let (file, subject) = &self.subjects[at];
        TestModule::of(file, &self.texts[file], subject)
    }

    /// Calls with arguments near what the functions and their tests name, as many for each function.
    fn open_calls(&self, most: usize) -> Vec<OpenCall> {
        let share = most / self.subjects.len().max(1);
        let mut calls = Vec::new();
        for (at, (file, subject)) in self.subjects.iter().enumerate() {
            let Some(module) = self.module(at) else {
                continue;
            };
            let used = parse(&self.texts[file])
                .map(|file| called_with(&file, &subject.name))
                .unwrap_or_default();
            let lists = argument_lists(subject, &used);
            calls.extend(
                lists
                    .into_iter()
                    .take(share.max(1))
                    .map(|arguments| OpenCall {
                        subject: at,
                        text: module.call(subject, &arguments),
                        arguments,
                        home: module.home.clone(),
                    }),
            );
        }
        calls
    }

    /// Adds the functions that a search found calls of, and gives the calls that tests here can make.
    fn add(&mut self, workspace: &Workspace, searched: &[Judged]) -> Result<Vec<Call>> {
        let mut calls: BTreeMap<(PathBuf, String), Call> = BTreeMap::new();
        for one in searched {
            let Some(Search::Killed(killing)) = &one.search else {
                continue;
            };
            let file = &killing.file;
            if !self.texts.contains_key(file) {
                self.texts.insert(file.clone(), workspace.read(file)?);
            }
            let Some(subject) = holder(&self.texts[file], killing.line) else {
                continue;
            };
            let is_known =
                |(own, known): &(PathBuf, Subject)| own == file && known.range == subject.range;
            let known = self.subjects.iter().position(is_known);
            let at = known.unwrap_or_else(|| {
                self.subjects.push((file.clone(), subject));
                self.subjects.len() - 1
            });
            let Some(module) = self.module(at) else {
                continue;
            };
            if let Some(call) = call_of(killing, at, &self.subjects[at].1, &module) {
                calls.insert((file.clone(), killing.call.clone()), call);
            }
        }
        Ok(calls.into_values().collect())
    }

    /// Makes a trial test of each call, and runs it with mutants.
    fn tried(
        &self,
        workspace: &Workspace,
        calls: Vec<Call>,
        (program, asked): (&Path, &BTreeSet<Kill>),
        step: &dyn Fn(&str),
    ) -> Result<Vec<Tried>> {
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        step(&format!("judging {}", count(calls.len(), "call")));
        let (calls, tests): (Vec<Call>, Vec<TrialTest>) = calls
            .into_iter()
            .filter_map(|call| {
                let trial = self
                    .module(call.subject)?
                    .trial(&self.subjects[call.subject].1, &call);
                Some((call, trial))
            })
            .unzip();
        let Some(built) = TrialTests::of(tests).built(workspace, "improve")? else {
            return Ok(Vec::new());
        };
        let proposed = Proposed {
            workspace,
            mirror: &built.mirror,
            number: &number,
            is_asked: &|_, _| true,
            program,
        };
        let measured = measure(&proposed, step)?;
        let kills = |at: usize| {
            let all = measured.worth(at).kills.into_iter();
            all.filter(|kill| asked.contains(kill)).collect()
        };
        let tried = calls.into_iter().enumerate().map(|(at, call)| Tried {
            call,
            kills: kills(at),
        });
        Ok(tried.collect())
    }

    fn improvements(&self, tried: &[Tried], chosen: &[usize]) -> Vec<Proposal> {
        let mut by_subject: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in chosen {
            by_subject
                .entry(tried[*at].call.subject)
                .or_default()
                .push(*at);
        }
        let mut proposals = Vec::new();
        let mut names: BTreeSet<(PathBuf, String)> = BTreeSet::new();
        for (at, mut own) in by_subject {
            // Smaller arguments first, as people list them.
            own.sort_unstable();
            let Some(module) = self.module(at) else {
                continue;
            };
            let (file, subject) = &self.subjects[at];
            names.extend(module.test_names().map(|name| (file.clone(), name)));
            let calls: Vec<&Call> = own.iter().map(|at| &tried[*at].call).collect();
            let mut name = |calls: &[&Call]| new_name(case_name(subject, calls), file, &mut names);
            for placed in module.placed(subject, &calls, &mut name) {
                let kills: BTreeSet<&Kill> = placed
                    .calls
                    .iter()
                    .flat_map(|at| &tried[own[*at]].kills)
                    .collect();
                let kills = kills.into_iter().cloned().collect();
                proposals.push(proposal(file, subject, placed, kills));
            }
        }
        proposals.sort_by_key(|one| std::cmp::Reverse(one.improvement.kills.len()));
        proposals
    }
}

/// A name that no other test of the file has.
fn new_name(wanted: String, file: &Path, names: &mut BTreeSet<(PathBuf, String)>) -> String {
    let numbered = (2..).map(|number| format!("{wanted}_{number}"));
    let mut candidates = std::iter::once(wanted.clone()).chain(numbered);
    let mut is_new = |name: &String| names.insert((file.to_path_buf(), name.clone()));
    candidates.find(|name| is_new(name)).unwrap_or(wanted)
}

fn proposal(file: &Path, subject: &Subject, placed: Placed, kills: Vec<Kill>) -> Proposal {
    let first = kills.first().map(ToString::to_string).unwrap_or_default();
    let more = match kills.len() {
        0 | 1 => String::new(),
        several => format!(" and {}", count(several - 1, "other change")),
    };
    Proposal {
        improvement: Improvement {
            file: file.display().to_string(),
            line: placed.line,
            text: placed.text,
            form: placed.form,
            why: format!("no test of {} notices {first}{more}", subject.name),
            kills,
            splices: placed.splices,
        },
        test: placed.test,
    }
}

/// The fewest calls that together kill all survivors that any kills.
fn chosen(tried: &[Tried], asked: &BTreeSet<Kill>, max_lines: usize) -> Vec<usize> {
    let numbers: BTreeMap<&Kill, u32> = asked.iter().zip(0..).collect();
    let offers: Vec<Offer> = tried
        .iter()
        .map(|Tried { call, kills }| {
            let written = match &call.written {
                Some(written) => written.len(),
                None => call.arguments.concat().len(),
            };
            Offer {
                kills: kills.iter().map(|kill| numbers[kill]).collect(),
                lines: 1,
                cost: written + call.expected.text().len(),
                ..Offer::default()
            }
        })
        .collect();
    choose(&offers, max_lines)
}

/// The lines of a function.
fn lines(text: &str, subject: &Subject) -> std::ops::RangeInclusive<usize> {
    let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
    line(subject.range.start)..=line(subject.range.end)
}

/// The change of the user's files with these improvements.
pub fn changes(workspace: &Workspace, improvements: &[Improvement]) -> Result<ChangeSet> {
    let mut by_file: BTreeMap<&str, Vec<(usize, String)>> = BTreeMap::new();
    for one in improvements {
        let own = by_file.entry(&one.file).or_default();
        own.extend(one.splices.iter().cloned());
    }
    let mut files = Vec::new();
    for (path, mut insertions) in by_file {
        insertions.sort_by_key(|(at, _)| *at);
        // Of several modules that have to be made at one place only one is made.
        let insertions = merged(insertions);
        let path = PathBuf::from(path);
        let before = workspace.read(&path)?;
        let after = compose_insertions(&before, &insertions, &formatting_of(workspace, &path))?;
        files.push(FileChange {
            path,
            before,
            after,
            is_new: false,
        });
    }
    Ok(ChangeSet { files })
}

/// Shows an improvement in its surroundings.
pub fn preview(workspace: &Workspace, improvement: &Improvement) -> Result<Preview> {
    let change = changes(workspace, std::slice::from_ref(improvement))?;
    Ok(Preview {
        line: improvement.line,
        hunk: change.patch(),
    })
}

/// The start of a new test module, as `place` writes it.
const NEW_MODULE: &str = "\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n";

fn merged(insertions: Vec<(usize, String)>) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, String)> = Vec::new();
    for (at, text) in insertions {
        let inner = text
            .strip_prefix(NEW_MODULE)
            .and_then(|rest| rest.strip_suffix("\n}\n"));
        match (all.last_mut(), inner) {
            (Some((known, whole)), Some(inner)) if *known == at && whole.ends_with("\n}\n") => {
                whole.truncate(whole.len() - "}\n".len());
                whole.push_str(&format!("\n{inner}\n}}\n"));
            }
            (Some((known, whole)), _) if *known == at => whole.push_str(&text),
            _ => all.push((at, text)),
        }
    }
    all
}

/// Whether the files as they would be written compile, and the tests that hold new assertions pass in every environment.
fn holds(workspace: &Workspace, proposals: &[Proposal]) -> Result<bool> {
    if proposals.is_empty() {
        return Ok(true);
    }
    let improvements: Vec<Improvement> = proposals
        .iter()
        .map(|one| one.improvement.clone())
        .collect();
    let files: Vec<(PathBuf, String)> = changes(workspace, &improvements)?
        .files
        .into_iter()
        .map(|file| (file.path, file.after))
        .collect();
    let mirror = workspace.mirror("improve-verify", &files)?;
    let Build {
        errors, programs, ..
    } = compile::build(&mirror)?;
    if !errors.is_empty() {
        return Ok(false);
    }
    let tests: Vec<&str> = proposals
        .iter()
        .map(|one| one.test.as_str())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    // A test of `rstest` stands behind its name, with a case each.
    let number = |name: &str| {
        tests.iter().position(|test| {
            name == *test
                || name.ends_with(&format!("::{test}"))
                || name.contains(&format!("::{test}::"))
        })
    };
    let folder = workspace.situ_folder().join("improve/runs");
    Ok(ways::unstable(&programs, tests.len(), &folder, &number)?.is_empty())
}

/// The diff of the working tree against the merge base with `reference`, in a file below Situ's own folder.
pub fn diff_since(workspace: &Workspace, reference: &str) -> Result<PathBuf> {
    use crate::base::process;
    use anyhow::Context as _;
    use std::process::Command;
    let git = |arguments: &[&str]| -> Result<String> {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(workspace.root());
        let finished = process::run(&mut command, None)?;
        match finished.status.success() {
            true => Ok(finished.stdout),
            false => Err(user_error::input(format!(
                "`--since {reference}`: git says: {}",
                finished.stderr.trim()
            ))),
        }
    };
    let base = git(&["merge-base", reference, "HEAD"])?;
    let text = git(&["diff", "--relative", "--unified=0", base.trim()])?;
    let folder = workspace.situ_folder().join("improve");
    std::fs::create_dir_all(&folder).context("making the folder of the diff")?;
    let path = folder.join("since.diff");
    std::fs::write(&path, text).context("writing the diff")?;
    Ok(path)
}
