//! An improvement from its beginning to its end.

use super::calls::argument_lists;
use super::expected::{Call, OpenCall, observed};
use super::kept;
use super::place::{Placed, TestModule};
use super::report::{Improvement, Report, Summary};
use super::subject::{Subject, called_with, subjects};
use super::trial_tests::{TrialTests, number};
use crate::base::user_error;
use crate::base::words::count;
use crate::cargo::workspace::{Selection, Workspace};
use crate::edit::{ChangeSet, FileChange, Preview, compose_insertions, formatting_of};
use crate::generate::worth::{
    Budget, Kill, Measured, Offer, Proposed, choose, line_count, measure,
};
use crate::mutate::judge::Status;
use crate::mutate::report::Judged;
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
    let survivors = survivors(request, step)?;
    let files: BTreeSet<&Path> = survivors.iter().map(|one| one.file.as_path()).collect();
    let mut summary = Summary {
        survivors: survivors.len(),
        open: survivors.len(),
        source_lines: files.iter().map(|file| line_count(workspace, file)).sum(),
        ..Summary::default()
    };
    let none = |summary| Report {
        summary,
        ..Report::default()
    };
    let found = Found::of(workspace, &survivors)?;
    step("calling the functions that survivors stand in");
    let most = (request.time.as_secs() * CALLS_A_SECOND) as usize;
    let calls: Vec<(usize, Call)> = observed(workspace, &found.open_calls(most))?;
    let calls: Vec<Call> = calls.into_iter().map(|(_, call)| call).collect();
    step(&format!("judging {}", count(calls.len(), "call")));
    let Some(measured) = found.measured(workspace, &calls, &request.program, step)? else {
        return Ok(none(summary));
    };
    let asked: BTreeSet<Kill> = survivors.iter().map(Kill::of_judged).collect();
    let max_lines = request.budget.lines(workspace, files.iter().copied());
    let chosen = chosen(&calls, &measured, &asked, max_lines);
    let proposed = found.improvements(&calls, &chosen, &measured, &asked);
    step("verifying the new tests");
    let (improvements, _) =
        parts::that_hold(&proposed, &mut |some: &[Proposal]| holds(workspace, some))?;
    let improvements: Vec<Improvement> = improvements
        .into_iter()
        .map(|proposal| proposal.improvement)
        .collect();
    let killed: BTreeSet<&Kill> = improvements.iter().flat_map(|one| &one.kills).collect();
    summary.killed_by_new = killed.len();
    summary.open = summary.survivors.saturating_sub(killed.len());
    summary.tests = improvements.len();
    let changes = changes(workspace, &improvements)?;
    summary.lines_added = changes
        .files
        .iter()
        .map(|file| {
            let (after, before) = (file.after.lines().count(), file.before.lines().count());
            after.saturating_sub(before)
        })
        .sum();
    Ok(Report {
        improvements,
        summary,
        changes,
    })
}

/// The mutants that the suite leaves alive.
fn survivors(request: &Request, step: &(dyn Fn(&str) + Sync)) -> Result<Vec<Judged>> {
    let judging = MutantsRequest {
        selection: request.selection.clone(),
        places: request.places.clone(),
        diff: request.diff.clone(),
        doctests: true,
        program: request.program.clone(),
        ..MutantsRequest::default()
    };
    let report = mutants::run(&judging, &|event| match event {
        mutants::Event::Step(text) => step(text),
        mutants::Event::Judged { done, of, survived } => {
            step(&format!(
                "judging mutants: {done} of {of}, {survived} survived"
            ));
        }
    })?;
    let alive = |one: &Judged| matches!(one.verdict.status, Status::Survived | Status::Unreached);
    Ok(report.mutants.into_iter().filter(alive).collect())
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

    /// The one source of calls: arguments near what the functions and their tests name, as many for each function.
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

    /// Which survivors each call kills, as an assertion of what it gives.
    fn measured(
        &self,
        workspace: &Workspace,
        calls: &[Call],
        program: &Path,
        step: &dyn Fn(&str),
    ) -> Result<Option<Measured>> {
        let tests = calls.iter().filter_map(|call| {
            let module = self.module(call.subject)?;
            let assertion = module.assertion(&self.subjects[call.subject].1, call);
            Some((module.home.clone(), assertion))
        });
        let Some(built) = TrialTests::of(tests.collect()).built(workspace, "improve")? else {
            return Ok(None);
        };
        let measured = measure(
            &Proposed {
                workspace,
                mirror: &built.mirror,
                number: &number,
                is_asked: &|_, _| true,
                program,
            },
            step,
        )?;
        Ok(Some(measured))
    }

    fn improvements(
        &self,
        calls: &[Call],
        chosen: &[usize],
        measured: &Measured,
        asked: &BTreeSet<Kill>,
    ) -> Vec<Proposal> {
        let mut by_subject: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in chosen {
            by_subject.entry(calls[*at].subject).or_default().push(*at);
        }
        let mut proposals = Vec::new();
        for (at, mut own) in by_subject {
            // Smaller arguments first, as people list them.
            own.sort_unstable();
            let Some(module) = self.module(at) else {
                continue;
            };
            let (file, subject) = &self.subjects[at];
            let own_calls: Vec<&Call> = own.iter().map(|at| &calls[*at]).collect();
            let placed = module.placed(subject, &own_calls, &name_of(subject, &own_calls));
            let kills = |at: usize| -> Vec<Kill> {
                let all = measured.worth(at).kills;
                all.into_iter()
                    .filter(|kill| asked.contains(kill))
                    .collect()
            };
            // A new test holds all of them, everything else one each.
            let of_each: Vec<(Placed, Vec<usize>)> = match placed.len() == own.len() {
                true => placed
                    .into_iter()
                    .zip(own.iter().map(|at| vec![*at]))
                    .collect(),
                false => placed.into_iter().map(|one| (one, own.clone())).collect(),
            };
            for (placed, calls_in_it) in of_each {
                let kills: BTreeSet<Kill> = calls_in_it.iter().flat_map(|at| kills(*at)).collect();
                proposals.push(proposal(file, subject, placed, kills.into_iter().collect()));
            }
        }
        proposals.sort_by_key(|one| std::cmp::Reverse(one.improvement.kills.len()));
        proposals
    }
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
fn chosen(
    calls: &[Call],
    measured: &Measured,
    asked: &BTreeSet<Kill>,
    max_lines: usize,
) -> Vec<usize> {
    let is_asked = |id: &u32| {
        measured
            .survivors
            .get(id)
            .is_some_and(|kill| asked.contains(kill))
    };
    let offers: Vec<Offer> = calls
        .iter()
        .enumerate()
        .map(|(at, call)| Offer {
            kills: measured.kills.get(&at).map_or_else(BTreeSet::new, |kills| {
                kills.iter().copied().filter(is_asked).collect()
            }),
            lines: 1,
            cost: call.arguments.concat().len() + call.expected.len(),
            ..Offer::default()
        })
        .collect();
    choose(&offers, max_lines)
}

/// The name of a new test: its function, and the case that the first call is.
fn name_of(subject: &Subject, calls: &[&Call]) -> String {
    let words = |text: &str| -> String {
        let plain: String = text
            .chars()
            .map(|letter| {
                if letter.is_ascii_alphanumeric() {
                    letter
                } else {
                    ' '
                }
            })
            .collect();
        plain
            .split_whitespace()
            .take(4)
            .collect::<Vec<_>>()
            .join("_")
            .to_lowercase()
    };
    let function = subject.path.replace("::", "_").to_lowercase();
    let case = calls.first().map(|call| match call.arguments.as_slice() {
        [only] if only == "\"\"" => "an_empty_string".to_owned(),
        arguments => words(&arguments.join(" ")),
    });
    match (case.filter(|case| !case.is_empty()), calls.len()) {
        (Some(case), 1) => format!("{function}_of_{case}"),
        _ => format!("{function}_at_its_boundaries"),
    }
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
