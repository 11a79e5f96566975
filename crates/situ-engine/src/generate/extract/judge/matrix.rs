//! The kill matrix: which rows, and which of the crate's own tests, kill which mutants of the
//! statements.

use super::unit_kills;
use crate::base::parallel::in_parallel;
use crate::cargo::workspace::Workspace;
use crate::generate::extract::candidate::statement::Statement;
use crate::generate::extract::find::survey::{Survey, survey_all};
use crate::generate::extract::table::rows::Group;
use crate::mutate::build::{Builder, Built};
use crate::mutate::inventory::{Inventory, ONLY_JUDGES};
use crate::mutate::mutant::Mutant;
use crate::mutate::operators::body;
use crate::mutate::row_harness::JUDGE_NAME;
use crate::mutate::rows::{self, Matrix, StatementMutants, is_safe};
use crate::programs::program::Program;
use crate::programs::test_list::list_tests;
use crate::record::plan::Site;
use crate::source::row_name::number_and_rows;
use anyhow::{Context as _, Result};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// A mutant of a target statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TargetMutant {
    /// The number that activates it.
    pub id: u32,
    /// The operator that made it.
    pub operator: String,
    /// Its place and replacement, for people.
    pub shown: String,
    /// Its number among the mutants of its statement with the same description.
    pub nth: usize,
}

/// Everything that was found out with mutants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judgement {
    /// The mutants of each statement.
    pub mutants: Vec<Vec<TargetMutant>>,
    /// The matrix of each group, by number.
    pub of_groups: BTreeMap<usize, Matrix>,
    /// The reason why the rows of a group were not judged, by number.
    pub unjudged: BTreeMap<usize, Unjudged>,
    /// The mutants that the crate's own tests kill.
    pub killed_by_unit: BTreeSet<u32>,
    /// Mutants that only slow tests could judge.
    pub open_by_unit: BTreeSet<u32>,
}

/// The reason why the rows of a group were not judged; the rows themselves are fine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unjudged {
    /// The copy with mutants does not compile there.
    Rejected(String),
    /// No test program contains its test.
    LeftOutOfBuild,
    /// The test that runs them did not finish.
    Broken(String),
}

impl fmt::Display for Unjudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unjudged::Rejected(error) => {
                write!(f, "the copy with mutants does not compile here: {error}")
            }
            Unjudged::LeftOutOfBuild => {
                f.write_str("the place of its test is not compiled in this build")
            }
            Unjudged::Broken(error) => write!(f, "its candidates could not be tried: {error}"),
        }
    }
}

/// The matrix of each group, or why it was not judged.
type OfGroups = BTreeMap<usize, Result<Matrix, Unjudged>>;

/// A mirror with mutants.
struct Prepared {
    built: Built,
    survey: Survey,
    /// The mutants of each statement.
    mutants: Vec<Vec<TargetMutant>>,
    folder: PathBuf,
}

impl Prepared {
    /// Builds with the mutants of the selected statements.
    fn build(
        mirror: &Workspace,
        statements: &[Statement],
        is_asked: &dyn Fn(usize) -> bool,
        program: &Path,
    ) -> Result<Prepared> {
        let folder = mirror.situ_folder().join("mutants");
        fs::create_dir_all(&folder).context("making the mutants' folder")?;
        let mut inventory = Inventory::take(mirror, &folder.join("numbers.json"))?;
        inventory.additions = ONLY_JUDGES;
        let survey = survey_all(mirror);
        let asked = statements
            .iter()
            .enumerate()
            .filter(|(at, _)| is_asked(*at));
        let mut inside: BTreeMap<&Path, Vec<Range<usize>>> = BTreeMap::new();
        for site in asked.filter_map(|(_, statement)| survey.sites.get(&statement.identity)) {
            inside
                .entry(Path::new(&site.file))
                .or_default()
                .push(site.range());
        }
        // The others are never activated, and each would be compiled wherever its code is.
        inventory.keep(&folder.join("asked.txt"), &inside)?;
        let built = Builder::prepare(mirror, &inventory, program)?.build(mirror)?;
        let mutants = mutants_of(&survey, statements, &inventory, &built);
        Ok(Prepared {
            built,
            survey,
            mutants,
            folder,
        })
    }

    fn judge(&self, statements: &[Statement], groups: &[Group]) -> Result<OfGroups> {
        let unsafe_files = UnsafeFiles::of(&self.survey);
        let safe: Vec<bool> = statements
            .iter()
            .map(|statement| !unsafe_files.reach(&statement.site.file))
            .collect();
        let mut all = judge_rows(
            &self.built.programs,
            groups,
            &self.mutants,
            &|at| safe[at],
            &self.folder,
        )?;
        for group in groups.iter().filter(|group| group.refused.is_none()) {
            let file = Path::new(&statements[group.statement].site.file);
            all.entry(group.number)
                .or_insert_with(|| Err(self.why_unjudged(file)));
        }
        Ok(all)
    }

    /// Returns why the tests of a file were not judged.
    fn why_unjudged(&self, file: &Path) -> Unjudged {
        let of_file = self
            .built
            .left_out
            .iter()
            .find(|part| part.file.as_deref() == Some(file));
        let part = of_file.or_else(|| self.built.left_out.iter().find(|part| part.file.is_none()));
        part.map_or(Unjudged::LeftOutOfBuild, |part| {
            Unjudged::Rejected(part.error.clone())
        })
    }
}

/// Judges every group of the mirror with the mutants of its statement, and these mutants with the
/// crate's own tests. `tests_took` is the time of these tests without mutants, if it is known.
pub(crate) fn judge(
    mirror: &Workspace,
    statements: &[Statement],
    groups: &[Group],
    program: &Path,
    tests_took: Option<Duration>,
    step: &dyn Fn(&str),
) -> Result<Judgement> {
    step("building with mutants");
    let prepared = Prepared::build(mirror, statements, &|_| true, program)?;
    step("judging the candidates");
    let (of_groups, unjudged) = told_apart(prepared.judge(statements, groups)?);
    step("judging the crate's own tests");
    let noticed = unit_kills::judge(
        &prepared.built,
        &prepared.mutants,
        &prepared.folder,
        tests_took,
    )?;
    let (killed_by_unit, open_by_unit) = (noticed.killed, noticed.open);
    Ok(Judgement {
        mutants: prepared.mutants,
        of_groups,
        unjudged,
        killed_by_unit,
        open_by_unit,
    })
}

/// Judges other groups of the same statements, in another mirror; mutants have the names of the
/// first judgement.
pub(crate) fn judge_again(
    mirror: &Workspace,
    statements: &[Statement],
    groups: &[Group],
    first: &Judgement,
    program: &Path,
) -> Result<BTreeMap<usize, Matrix>> {
    let asked: BTreeSet<usize> = groups.iter().map(|group| group.statement.at()).collect();
    let prepared = Prepared::build(mirror, statements, &|at| asked.contains(&at), program)?;
    let (mut of_groups, _) = told_apart(prepared.judge(statements, groups)?);
    for group in groups {
        let Some(matrix) = of_groups.get_mut(&group.number) else {
            continue;
        };
        let known = &first.mutants[group.statement.at()];
        let as_first = |id: &u32| {
            let own = prepared.mutants[group.statement.at()]
                .iter()
                .find(|mutant| mutant.id == *id)?;
            let same = known
                .iter()
                .find(|mutant| (&mutant.shown, mutant.nth) == (&own.shown, own.nth))?;
            Some(same.id)
        };
        let killed_by = std::mem::take(&mut matrix.killed_by).into_iter();
        matrix.killed_by = killed_by
            .filter_map(|(id, rows)| Some((as_first(&id)?, rows)))
            .collect();
    }
    Ok(of_groups)
}

fn told_apart(all: OfGroups) -> (BTreeMap<usize, Matrix>, BTreeMap<usize, Unjudged>) {
    let (mut judged, mut unjudged) = (BTreeMap::new(), BTreeMap::new());
    for (number, found) in all {
        match found {
            Ok(matrix) => drop(judged.insert(number, matrix)),
            Err(reason) => drop(unjudged.insert(number, reason)),
        }
    }
    (judged, unjudged)
}

/// Returns the mutants inside each statement.
fn mutants_of(
    survey: &Survey,
    statements: &[Statement],
    inventory: &Inventory,
    built: &Built,
) -> Vec<Vec<TargetMutant>> {
    let of_statement = |statement: &Statement| {
        let Some(site) = survey.sites.get(&statement.identity) else {
            return Vec::new();
        };
        let text = survey
            .files
            .get(Path::new(&site.file))
            .map_or("", |file| file.0.as_str());
        let file = inventory
            .files
            .iter()
            .find(|file| file.path == Path::new(&site.file));
        // A replaced function body belongs to the function, not to its statements.
        let is_inside = |mutant: &&Mutant| {
            !mutant.is_copy
                && mutant.operator != body::OPERATOR.name
                && mutant.stands_in(&site.range())
        };
        let inside = file
            .into_iter()
            .flat_map(|file| &file.mutants)
            .filter(is_inside);
        let mut alike: BTreeMap<String, usize> = BTreeMap::new();
        let all = inside.map(|mutant| {
            let shown = shown(statement, site, mutant, text);
            let count = alike.entry(shown.clone()).or_default();
            *count += 1;
            TargetMutant {
                id: mutant.id,
                operator: mutant.operator.clone(),
                shown,
                nth: *count,
            }
        });
        all.filter(|mutant| built.alive.contains(&mutant.id))
            .collect()
    };
    statements.iter().map(of_statement).collect()
}

/// Returns the description of a mutant with the line of the user's file; in the mirror, rows change
/// the lines.
fn shown(statement: &Statement, in_mirror: &Site, mutant: &Mutant, text: &str) -> String {
    let line = statement.site.line + mutant.line.saturating_sub(in_mirror.line);
    let before = text.get(mutant.shown_range.clone()).unwrap_or_default();
    let after = if mutant.shown_text.is_empty() {
        "nothing"
    } else {
        &mutant.shown_text
    };
    format!(
        "{}:{line}: {}: {before} → {after}",
        statement.site.file, mutant.operator
    )
}

/// The files with `unsafe` code. Files with rows are long, so each is scanned once.
struct UnsafeFiles<'f>(Vec<&'f Path>);

impl UnsafeFiles<'_> {
    fn of(survey: &Survey) -> UnsafeFiles<'_> {
        let files = survey.files.iter().filter(|(_, text)| !is_safe(&text.0));
        UnsafeFiles(files.map(|(path, _)| path.as_path()).collect())
    }

    /// Returns whether statements of a file must not be judged inside one process. What is unsafe
    /// relies on the module that it stands in and on those inside that one; nothing that safe code
    /// elsewhere does can make it go wrong.
    fn reach(&self, file: &str) -> bool {
        let relies_on = |other: &Path| {
            let is_folder = matches!(
                other.file_name().and_then(OsStr::to_str),
                Some("lib.rs" | "main.rs" | "mod.rs")
            );
            let inside = if is_folder {
                other.parent().map(Path::to_path_buf)
            } else {
                Some(other.with_extension(""))
            };
            other == Path::new(file)
                || inside.is_some_and(|folder| Path::new(file).starts_with(folder))
        };
        self.0.iter().any(|other| relies_on(other))
    }
}

/// A judge: the program and test, and the groups in the order in which it knows them.
struct Judge<'p> {
    program: &'p Program,
    test: String,
    groups: Vec<usize>,
}

fn judge_rows(
    programs: &[Program],
    groups: &[Group],
    mutants: &[Vec<TargetMutant>],
    is_safe: &(dyn Fn(usize) -> bool + Sync),
    folder: &Path,
) -> Result<OfGroups> {
    let mut judges = Vec::new();
    for program in programs {
        judges.extend(judges_of(program)?);
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let results = in_parallel(cores, judges.len(), |_, at| {
        let judge = &judges[at];
        let own = |number: &usize| groups.iter().find(|group| group.number == *number);
        let plan: Vec<StatementMutants> = judge
            .groups
            .iter()
            .map(|number| StatementMutants {
                mutants: own(number)
                    .map(|group| {
                        mutants[group.statement.at()]
                            .iter()
                            .map(|mutant| mutant.id)
                            .collect()
                    })
                    .unwrap_or_default(),
            })
            .collect();
        let folder = folder.join("rows").join(at.to_string());
        let matrices = if judge
            .groups
            .iter()
            .filter_map(own)
            .all(|group| is_safe(group.statement.at()))
        {
            rows::judge(judge.program, &judge.test, &plan, &folder)
        } else {
            rows::judge_one_by_one(judge.program, &judge.test, &plan, &folder)
        };
        // Judges are independent: a failure of one says nothing about the others.
        match matrices {
            Ok(matrices) => judge
                .groups
                .iter()
                .copied()
                .zip(matrices.into_iter().map(Ok))
                .collect(),
            Err(error) => {
                let reason = Unjudged::Broken(format!("{error:#}"));
                judge
                    .groups
                    .iter()
                    .map(|number| (*number, Err(reason.clone())))
                    .collect::<Vec<_>>()
            }
        }
    });
    Ok(results.into_iter().flatten().collect())
}

fn judges_of(program: &Program) -> Result<Vec<Judge<'_>>> {
    let names = list_tests(program)?;
    let judges = names
        .iter()
        .filter_map(|name| Some((name.strip_suffix(JUDGE_NAME)?, name)));
    let judges = judges.map(|(module, name)| {
        let own = names
            .iter()
            .filter_map(|test| test.strip_prefix(module))
            .filter(|test| !test.contains("::"));
        let mut groups: Vec<usize> = own
            .filter_map(|test| Some(number_and_rows(test)?.0))
            .collect();
        groups.sort_unstable();
        Judge {
            program,
            test: name.clone(),
            groups,
        }
    });
    Ok(judges.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    #[test]
    fn only_what_stands_around_unsafe_code_is_judged_apart() {
        let file = |path: &str, text: &str| {
            (
                PathBuf::from(path),
                Rc::new((text.to_owned(), syn::parse_str(text).unwrap())),
            )
        };
        let files = [
            file("src/lib.rs", "mod a; mod b;"),
            file("src/a.rs", "fn f() { unsafe { g() } }"),
            file("src/a/inner.rs", "fn f() {}"),
            file("src/b.rs", "fn f() {}"),
        ];
        let mut survey = Survey {
            files: files.into_iter().collect(),
            ..Survey::default()
        };
        let apart = UnsafeFiles::of(&survey);
        assert!(apart.reach("src/a.rs") && apart.reach("src/a/inner.rs"));
        assert!(!apart.reach("src/b.rs") && !apart.reach("src/lib.rs"));
        survey
            .files
            .extend([file("src/lib.rs", "mod a; mod b; unsafe fn f() {}")]);
        assert!(
            UnsafeFiles::of(&survey).reach("src/b.rs"),
            "it stands inside the crate's own module"
        );
    }
}
