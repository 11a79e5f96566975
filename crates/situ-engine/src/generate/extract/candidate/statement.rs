//! A target statement with its recorded values.

use super::clauses::Writing;
use super::sample::{of_bearable_length, sample};
use super::verbatim_givens::{closures_at, closures_made_by, closures_read};
use super::{Candidate, candidates};
use crate::base::idx::Idx;
use crate::cargo::workspace::Workspace;
use crate::edit::{Place, admitted, tested};
use crate::generate::extract::find::comparison_sides::{Comparisons, Constants};
use crate::generate::extract::find::context::outer_branches;
use crate::generate::extract::find::locate::{InsertionPoint, Target, locate};
use crate::generate::extract::find::survey::{Survey, survey_all};
use crate::record::plan::{Phase, Position, Site};
use crate::record::read::{RecordedSite, Recording};
use crate::record::show::here;
use crate::record::{declarations_of, types_of};
use crate::source::{byte_range, tests_in};
use crate::values::{Imports, TestModule, TypeTable};
use proc_macro2::TokenStream;
use serde::Serialize;
use situ_syntax::Kind;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use syn::Item;

/// The note on a recording whose first attempt was killed.
const WAS_REPEATED: &str = "a program was killed by a signal, and recorded again without values whose memory is managed by hand";

/// Place of a statement in the list of all that have candidates.
pub(crate) type StatementIdx = Idx<Statement>;

/// A statement that was executed and has a place for a test.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// The statement as it stands in the sources now.
    pub site: Site,
    /// Its identity among all statements, in the sources and in mirrors.
    pub identity: u64,
    /// The insertion point of its tests.
    pub spot: InsertionPoint,
    /// The crate and module of its tests.
    pub here: TestModule,
    /// How many unique value sets were recorded.
    pub value_sets: usize,
    /// What tests could be made of.
    pub candidates: Vec<Candidate>,
    /// The marks of the branches in it.
    pub branches: BTreeSet<u32>,
    /// The branches that were taken while recording.
    pub taken: BTreeSet<u32>,
    /// The marks of the branches in the rest of its block.
    pub context: BTreeSet<u32>,
    /// The constants of its file.
    pub constants: Arc<Constants>,
}

impl Statement {
    /// Returns its comparisons.
    pub(crate) fn comparisons(&self) -> Comparisons {
        Comparisons::of(&self.tokens(), &self.constants)
    }

    /// Returns its tokens; empty if its source is too long to be kept.
    pub(crate) fn tokens(&self) -> TokenStream {
        match self.spot.tokens.is_empty() {
            true => self.site.text.parse().unwrap_or_default(),
            false => self.spot.tokens.clone(),
        }
    }
}

/// A statement that was executed and gets no test.
#[derive(Clone, Debug, Serialize)]
pub struct WithoutTest {
    /// The file.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The statement.
    pub statement: String,
    /// Why.
    pub reason: String,
}

impl WithoutTest {
    /// With its reason.
    pub fn new(site: &Site, reason: String) -> WithoutTest {
        WithoutTest {
            file: site.file.clone(),
            line: site.line,
            statement: site.text.clone(),
            reason,
        }
    }
}

/// Statements, and why there are no more of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statements {
    /// Those that have candidates.
    pub all: Vec<Statement>,
    /// The number of executed statements by kind.
    pub reached: BTreeMap<String, usize>,
    /// The number of executed statements with a test.
    pub tested_already: usize,
    /// Executed statements without candidates.
    pub without: Vec<WithoutTest>,
    /// The number of refused value sets by reason.
    pub refused_sets: BTreeMap<String, usize>,
    /// The branches in statements that were reached.
    pub branches: BTreeSet<u32>,
    /// Those of them that were taken.
    pub branches_taken: BTreeSet<u32>,
    /// The types of each crate that has such statements.
    pub types: BTreeMap<String, TypeTable>,
}

/// Returns insertion points with closures that callers may have passed, one after the other. All
/// closures of one set come from one caller.
fn with_closures_of_callers(
    read: &BTreeSet<(&str, &str)>,
    spot: &InsertionPoint,
    survey: &Survey,
) -> Vec<InsertionPoint> {
    let files: Vec<&(String, syn::File)> = survey.files.values().map(|file| &**file).collect();
    let mut spots = Vec::new();
    for (name, function) in read
        .iter()
        .filter(|(name, _)| !spot.closures.contains_key(*name))
    {
        for closure in closures_made_by(function, &files) {
            let mut other = spot.clone();
            other.closures.insert((*name).to_owned(), closure);
            spots.push(other);
        }
    }
    spots
}

/// Returns the statements of a recording that are in the sources.
pub(crate) fn statements(
    workspace: &Workspace,
    survey: &Survey,
    recording: &Recording,
    is_wanted: &dyn Fn(&Site) -> bool,
) -> Statements {
    let mut found = Statements::default();
    if recording.was_repeated {
        found.refused_sets.insert(WAS_REPEATED.to_owned(), 1);
    }
    let mut spots = Vec::new();
    for recorded in recording.statements() {
        let Some(site) = survey
            .sites
            .get(&recorded.site.id)
            .filter(|site| is_wanted(site))
        else {
            continue;
        };
        *found.reached.entry(site.kind.clone()).or_default() += 1;
        let branches = survey.branches_in(site);
        found.branches_taken.extend(taken_in(recorded, &branches));
        found.branches.extend(&branches);
        let file = survey.files.get(Path::new(&site.file));
        let spot = file.and_then(|file| locate(&file.1, site.position, &site.range()));
        match spot {
            Some(spot) => spots.push((recorded, site, spot)),
            None => found.without.push(WithoutTest::new(
                site,
                "there is no place for a test".to_owned(),
            )),
        }
    }
    let standings = standings(survey, &spots);
    let declared = declarations_of(workspace);
    let identities = survey.identities_in(&survey_all(workspace));
    for ((recorded, site, spot), standing) in spots.into_iter().zip(standings) {
        let file = survey.files.get(Path::new(&site.file));
        match standing {
            Standing::Free => {}
            Standing::Tested => {
                found.tested_already += 1;
                continue;
            }
            Standing::Refused => {
                found.without.push(WithoutTest::new(
                    site,
                    "there is no place for a test".to_owned(),
                ));
                continue;
            }
        }
        // The recording describes its slots; the sources have the current place of the statement.
        let passed = recorded
            .site
            .slots
            .iter()
            .filter(|slot| slot.phase == Phase::Passed);
        let streams = passed.map(|slot| slot.key.to_string()).collect();
        let read = closures_read(recorded);
        let closures = file
            .filter(|_| !read.is_empty())
            .map(|file| closures_at(&file.0, &file.1, site.range().start));
        let spot = InsertionPoint {
            streams,
            closures: closures.unwrap_or_default(),
            ..spot
        };
        let here = TestModule {
            function: Some(site.function.clone()),
            short_names: true,
            imports: file
                .map(|file| imports(&file.1.items, site))
                .unwrap_or_default(),
            ..here(&recorded.site, workspace)
        };
        let types = found
            .types
            .entry(here.krate.clone())
            .or_insert_with(|| types_of(workspace, &here.krate, &declared));
        let mut made = candidates(
            recording,
            recorded,
            &Writing {
                here: &here,
                types,
                spot: &spot,
            },
        );
        for other in with_closures_of_callers(&read, &spot, survey) {
            let more = candidates(
                recording,
                recorded,
                &Writing {
                    here: &here,
                    types,
                    spot: &other,
                },
            );
            made.all.extend(more.all);
        }
        let most = made
            .refused
            .iter()
            .max_by_key(|(_, count)| **count)
            .map(|(reason, _)| reason.to_string());
        for (reason, count) in made.refused {
            *found.refused_sets.entry(reason.to_string()).or_default() += count;
        }
        if made.all.is_empty() {
            let reason = most.unwrap_or_else(|| "no value set of it was recorded".to_owned());
            found.without.push(WithoutTest::new(site, reason));
            continue;
        }
        let branches = survey.branches_in(site);
        let taken = taken_in(recorded, &branches);
        let of_file = survey
            .branches
            .get(Path::new(&site.file))
            .map_or(&[][..], Vec::as_slice);
        let rest = site.range().start..spot.scope_end;
        let context = file
            .map(|file| outer_branches(&file.1, rest, of_file))
            .unwrap_or_default();
        let constants = survey
            .constants
            .get(Path::new(&site.file))
            .cloned()
            .unwrap_or_default();
        let is_fragment = matches!(site.position, Position::Fragment | Position::Closure);
        let candidates = match is_fragment {
            true => sample(made.all, &branches),
            false => of_bearable_length(made.all, &branches.union(&context).copied().collect()),
        };
        found.all.push(Statement {
            site: site.clone(),
            identity: identities.get(&site.id).copied().unwrap_or(site.id),
            spot,
            here,
            value_sets: recorded.sets.len(),
            candidates,
            branches,
            taken,
            context,
            constants,
        });
    }
    found.all.sort_by(|one, other| {
        (&one.site.file, one.site.range().start).cmp(&(&other.site.file, other.site.range().start))
    });
    found
}

/// Returns those of the branches that any execution took.
fn taken_in(recorded: &RecordedSite, branches: &BTreeSet<u32>) -> BTreeSet<u32> {
    recorded
        .sets
        .iter()
        .flat_map(|set| &set.target)
        .filter(|mark| branches.contains(mark))
        .copied()
        .collect()
}

/// Returns what the module of a statement imports: the file's own, or one inside it.
fn imports(items: &[Item], site: &Site) -> Imports {
    let range = site.range();
    let inner = items.iter().find_map(|item| match item {
        Item::Mod(module) if byte_range(module).contains(&range.start) => {
            Some(&module.content.as_ref()?.1)
        }
        _ => None,
    });
    match inner {
        Some(items) => imports(items, site),
        None => Imports::of(items, &site.module),
    }
}

/// Whether a test can go to a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Free,
    Tested,
    Refused,
}

/// Returns the state of each insertion point; each file is parsed once.
fn standings(survey: &Survey, spots: &[(&RecordedSite, &Site, InsertionPoint)]) -> Vec<Standing> {
    let mut by_file: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, (_, site, _)) in spots.iter().enumerate() {
        by_file.entry(&site.file).or_default().push(at);
    }
    let mut standings = vec![Standing::Refused; spots.len()];
    for (file, own) in by_file {
        let Some(file) = survey.files.get(Path::new(file)) else {
            continue;
        };
        let places: Vec<Place> = own.iter().map(|at| spots[*at].2.place).collect();
        let admitted = admitted(&file.0, &places);
        let tested = tested(&file.0, &places).unwrap_or_default();
        let fragments = tested_fragments(&file.0);
        for (number, at) in own.into_iter().enumerate() {
            let (_, site, spot) = &spots[at];
            // Tests before a fragment may be about something else, such as its first statement.
            let is_tested = match spot.target {
                Target::Fragment(_) | Target::Closure { .. } => {
                    Some(fragments.contains(&site.bytes))
                }
                Target::Statement | Target::Tail => tested.get(number).copied(),
            };
            standings[at] = match (is_tested, admitted.contains(&places[number])) {
                (Some(true), _) => Standing::Tested,
                (Some(false), true) => Standing::Free,
                _ => Standing::Refused,
            };
        }
    }
    standings
}

/// Returns the byte ranges that tests of fragments and closures are about.
fn tested_fragments(text: &str) -> BTreeSet<(usize, usize)> {
    let found = if text.contains("test!") {
        tests_in(text)
    } else {
        Vec::new()
    };
    let of_fragments = found
        .iter()
        .filter(|test| matches!(test.kind, Kind::Block | Kind::Closure));
    of_fragments.map(|test| test.bytes).collect()
}
