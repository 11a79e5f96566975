//! Attribution of compiler errors to candidates.

use super::settle::{Placed, PlacedTests, Settling};
use crate::base::diagnostics::{Diagnostic, Span};
use crate::base::idx::enumerated;
use crate::cargo::workspace::Workspace;
use crate::generate::extract::candidate::ClaimIdx;
use crate::generate::extract::candidate::clauses::Comparison;
use crate::generate::extract::candidate::statement::{Statement, StatementIdx};
use crate::generate::extract::find::survey::survey_all;
use crate::generate::extract::table::group_refusal::GroupRefusal;
use crate::generate::extract::table::required_clauses::Needed;
use crate::generate::extract::table::rows::{Group, GroupIdx, Part, RowIdx};
use crate::source::row_name::ROWS_NAME;
use crate::trial::owned_text::{Owners, is_in_file, primary_first};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The name of the type that implements the trait around.
const SELF: &str = "Self";

/// The part of a test that an error is about.
#[derive(Clone, Debug)]
enum Culprit {
    Row(GroupIdx, RowIdx),
    Claim(GroupIdx, ClaimIdx),
    /// A claim for some rows of a group.
    Arm(GroupIdx, ClaimIdx, BTreeSet<RowIdx>),
    Test(GroupIdx),
    Statement(StatementIdx),
}

/// All parts that the errors of one round are about.
#[derive(Default, PartialEq, Eq)]
struct Blamed {
    rows: BTreeMap<(GroupIdx, RowIdx), GroupRefusal>,
    claims: BTreeSet<(GroupIdx, ClaimIdx)>,
    /// For each claim of a group, the rows that need a weaker one.
    arms: BTreeMap<(GroupIdx, ClaimIdx), BTreeSet<RowIdx>>,
    refused: BTreeMap<GroupIdx, GroupRefusal>,
    /// The clauses that a group requires.
    needed: BTreeSet<(GroupIdx, Needed)>,
    /// Groups that must write the types of what their statement computes.
    untyped: BTreeSet<GroupIdx>,
}

impl Blamed {
    fn add(&mut self, culprit: Culprit, reason: &GroupRefusal, groups: &[Group]) {
        match culprit {
            Culprit::Row(group, row) => {
                let known = self.rows.entry((group, row));
                known.or_insert_with(|| reason.clone());
            }
            Culprit::Claim(group, claim) => {
                self.claims.insert((group, claim));
            }
            Culprit::Arm(group, claim, rows) => {
                self.arms.entry((group, claim)).or_default().extend(rows);
            }
            Culprit::Test(group) => {
                self.refused.entry(group).or_insert_with(|| reason.clone());
            }
            Culprit::Statement(statement) => {
                let own = enumerated(groups).filter(|(_, group)| group.statement == statement);
                for (at, _) in own.filter(|(_, group)| group.refused.is_none()) {
                    self.refused.entry(at).or_insert_with(|| reason.clone());
                }
            }
        }
    }
}

/// The owners of the bytes of a copy with candidates.
pub(crate) struct Blame<'b> {
    settling: &'b Settling<'b>,
    /// The tests that are in the copy.
    placed: &'b [Placed],
    /// The texts of the files that hold them.
    texts: &'b BTreeMap<PathBuf, String>,
    /// The byte ranges of tests, and of rows, claims and arms in them.
    in_tests: Owners<Culprit>,
    /// The bytes of the statements that the tests are about.
    in_statements: Owners<StatementIdx>,
    /// The byte ranges of all statements; empty for one that is not in the copy.
    statements: Vec<(PathBuf, Range<usize>)>,
}

impl<'b> Blame<'b> {
    /// Computes the owners of a copy's bytes.
    pub(crate) fn new(settling: &'b Settling<'b>, tests: &'b PlacedTests) -> Blame<'b> {
        let statements = ranges_of_statements(settling, &tests.mirror);
        let mut in_statements = Owners::default();
        for placed in &tests.placed {
            let (file, range) = &statements[placed.statement.at()];
            in_statements.add(file, range.clone(), placed.statement);
        }
        Blame {
            settling,
            placed: &tests.placed,
            texts: &tests.texts,
            in_tests: owners_of_tests(tests),
            in_statements,
            statements,
        }
    }
}

/// Returns the byte ranges of each test and its parts. The files are long, so each is scanned once.
fn owners_of_tests(tests: &PlacedTests) -> Owners<Culprit> {
    let mut starts: BTreeMap<(&Path, &str), usize> = BTreeMap::new();
    for (file, text) in &tests.texts {
        for (at, quoted) in text.match_indices(ROWS_NAME) {
            let name = text[at..].split('"').next().unwrap_or(quoted);
            starts.entry((file, name)).or_insert(at);
        }
    }
    let mut owners = Owners::default();
    for placed in &tests.placed {
        let text = &placed.test.text;
        let name_at = text.find(ROWS_NAME).unwrap_or_default();
        let name = text[name_at..].split('"').next().unwrap_or_default();
        let Some(start) = starts.get(&(placed.file.as_path(), name)) else {
            continue;
        };
        let start = start - name_at;
        owners.add(
            &placed.file,
            start..start + text.len(),
            Culprit::Test(placed.group),
        );
        for (part, owner) in &placed.test.parts {
            let culprit = match owner {
                Part::Row(row) => Culprit::Row(placed.group, *row),
                Part::Claim(claim) => Culprit::Claim(placed.group, *claim),
                Part::Arm { claim, rows } => Culprit::Arm(placed.group, *claim, rows.clone()),
            };
            owners.add(&placed.file, start + part.start..start + part.end, culprit);
        }
    }
    owners
}

/// Returns the bytes of each statement in the mirror.
fn ranges_of_statements(
    settling: &Settling<'_>,
    mirror: &Workspace,
) -> Vec<(PathBuf, Range<usize>)> {
    let survey = survey_all(mirror);
    let range = |statement: &Statement| match survey.sites.get(&statement.identity) {
        Some(site) => (PathBuf::from(&site.file), site.range()),
        None => (PathBuf::new(), 0..0),
    };
    settling.statements.iter().map(range).collect()
}

impl Blame<'_> {
    /// Drops what the errors are about; returns whether there was anything.
    pub(crate) fn apply(
        &self,
        errors: &[Diagnostic],
        groups: &mut Vec<Group>,
        next: &mut usize,
    ) -> bool {
        let mut blamed = self.blamed(errors, groups);
        let changed = blamed != Blamed::default();
        let arms = std::mem::take(&mut blamed.arms);
        blamed
            .untyped
            .iter()
            .for_each(|group| groups[*group].say_types());
        for (group, needed) in blamed.needed {
            // The compiler reports a missing `Self` type once per round, whatever the number of
            // tests without it.
            if needed == Needed::Generic(SELF.to_owned()) {
                self.say_in_all(&needed, groups[group].statement, groups);
            }
            if !needed.is_said_by(&groups[group]) {
                needed.add_to(&mut groups[group]);
            }
        }
        // A group that loses rows has other row indices in the next round.
        let losing: BTreeSet<GroupIdx> = blamed.rows.keys().map(|(group, _)| *group).collect();
        self.weaken_arms(
            arms.into_iter()
                .filter(|((group, _), _)| !losing.contains(group)),
            groups,
            next,
        );
        // In reverse order, so that the indices of the remaining rows stay valid.
        for ((group, row), reason) in blamed.rows.into_iter().rev() {
            groups[group].drop_row(row, reason);
        }
        for (group, claim) in blamed.claims {
            let candidates = &self.settling.statements[groups[group].statement].candidates;
            groups[group].weaken(claim, candidates);
        }
        for (group, reason) in blamed.refused {
            groups[group].refused = Some(reason);
        }
        changed
    }

    /// Makes all tests of a statement give a generic parameter, if it is known.
    fn say_in_all(&self, needed: &Needed, statement: StatementIdx, groups: &mut [Group]) {
        let is_asked = |group: &&mut Group| group.statement == statement && group.refused.is_none();
        for group in groups.iter_mut().filter(is_asked) {
            let is_unsaid = self
                .unsaid_generics(group)
                .any(|unsaid| Needed::Generic(unsaid) == *needed);
            if is_unsaid {
                needed.clone().add_to(group);
            }
        }
    }

    /// Moves rows for which a claim is rejected to a group of their own, with a weaker claim.
    fn weaken_arms(
        &self,
        arms: impl Iterator<Item = ((GroupIdx, ClaimIdx), BTreeSet<RowIdx>)>,
        groups: &mut Vec<Group>,
        next: &mut usize,
    ) {
        let mut split: BTreeSet<GroupIdx> = BTreeSet::new();
        for ((group, claim), rows) in arms {
            // The second claim of a split group is reported again in the next round.
            if !split.insert(group) {
                continue;
            }
            let candidates = &self.settling.statements[groups[group].statement].candidates;
            if rows.len() == groups[group].rows.len() {
                groups[group].weaken(claim, candidates);
                continue;
            }
            let mut weaker = groups[group].split_off(&rows, next);
            weaker.weaken(claim, candidates);
            groups.push(weaker);
        }
    }

    /// Returns what all the errors are about.
    fn blamed(&self, errors: &[Diagnostic], groups: &[Group]) -> Blamed {
        let mut blamed = Blamed::default();
        for error in errors {
            if let Some(needed) = Needed::of(error) {
                let of = self.groups_of(error, groups);
                let is_new = |at: &GroupIdx| !needed.is_said_by(&groups[*at]);
                // Each of nested fragments has its own copy of the erroneous code.
                let of = match of.iter().any(is_new) {
                    true => of,
                    false => self.groups_around(error, groups),
                };
                // The compiler may report it twice.
                let new: Vec<GroupIdx> = of.into_iter().filter(is_new).collect();
                blamed
                    .needed
                    .extend(new.iter().map(|at| (*at, needed.clone())));
                if !new.is_empty() {
                    continue;
                }
            }
            if is_open_type(error) {
                let of = self.groups_of(error, groups);
                // Giving generic parameters may determine it.
                let standing = of
                    .iter()
                    .copied()
                    .filter(|at| groups[*at].refused.is_none());
                let unsaid: Vec<(GroupIdx, Needed)> = standing
                    .flat_map(|at| {
                        self.unsaid_generics(&groups[at])
                            .map(move |generic| (at, Needed::Generic(generic)))
                    })
                    .collect();
                if !unsaid.is_empty() {
                    blamed.needed.extend(unsaid);
                    continue;
                }
                let open: Vec<GroupIdx> = of
                    .iter()
                    .copied()
                    .filter(|at| self.can_say_types(&groups[*at]))
                    .collect();
                if !open.is_empty() {
                    blamed.untyped.extend(open);
                    continue;
                }
                // Groups that write their types are not meant: a row that exits early cannot have
                // them.
                let (typed, silent): (Vec<GroupIdx>, Vec<GroupIdx>) =
                    of.into_iter().partition(|at| says_types(&groups[*at]));
                if !typed.is_empty() && !silent.is_empty() {
                    for at in silent {
                        blamed.add(Culprit::Test(at), &GroupRefusal::rejected(error), groups);
                    }
                    continue;
                }
            }
            if let Some(culprit) = self.culprit(error) {
                blamed.add(culprit, &GroupRefusal::rejected(error), groups);
            }
        }
        blamed
    }

    /// Returns the generic parameters that the test of a group could give and does not.
    fn unsaid_generics<'g>(&'g self, group: &'g Group) -> impl Iterator<Item = String> + 'g {
        let candidates = &self.settling.statements[group.statement].candidates;
        let known = group
            .rows
            .first()
            .map(|row| candidates[*row].generics.as_slice())
            .unwrap_or_default();
        known
            .iter()
            .map(|(name, _)| name.clone())
            .filter(|name| !group.generics.contains(name))
    }

    /// Returns whether a test can write the types of what its statement computes, and does not yet.
    fn can_say_types(&self, group: &Group) -> bool {
        let statement = &self.settling.statements[group.statement];
        let Some(first) = group.rows.first().map(|row| &statement.candidates[*row]) else {
            return false;
        };
        let writing = self.settling.writing(statement);
        let mut claims = first.claims.iter().zip(&group.comparisons);
        group.refused.is_none()
            && claims.any(|(claim, comparison)| {
                *comparison < Comparison::EqualAs && writing.type_of(claim).is_some()
            })
    }

    /// Returns the groups of all statements that contain an error.
    fn groups_around(&self, error: &Diagnostic, groups: &[Group]) -> Vec<GroupIdx> {
        let around = self.in_statements.pointed_into(error);
        let holds =
            |placed: &&Placed| groups[placed.group].stands() && around.contains(&&placed.statement);
        self.placed
            .iter()
            .filter(holds)
            .map(|placed| placed.group)
            .collect()
    }

    /// Returns the groups that an error is about.
    fn groups_of(&self, error: &Diagnostic, groups: &[Group]) -> Vec<GroupIdx> {
        match self.culprit(error) {
            Some(
                Culprit::Row(group, _)
                | Culprit::Claim(group, _)
                | Culprit::Arm(group, ..)
                | Culprit::Test(group),
            ) => vec![group],
            Some(Culprit::Statement(statement)) => {
                let own = enumerated(groups).filter(|(_, group)| group.statement == statement);
                own.map(|(at, _)| at).collect()
            }
            None => Vec::new(),
        }
    }

    fn culprit(&self, error: &Diagnostic) -> Option<Culprit> {
        let spans = primary_first(error);
        let in_tests = |is_name: bool| {
            let spans = spans.iter().filter(|span| self.is_name(span) == is_name);
            spans
                .filter_map(|span| self.in_tests.innermost(span))
                .next()
                .cloned()
        };
        // Of nested fragments, the inner one knows least of its surroundings.
        let in_statement = || self.in_statements.culprit(error).copied();
        in_tests(false)
            .or_else(|| in_tests(true))
            .or_else(|| in_statement().map(Culprit::Statement))
    }

    /// Returns whether a span is the name of a test: its whole expansion has that span, so other
    /// spans are more precise.
    fn is_name(&self, span: &Span) -> bool {
        let text = self
            .texts
            .iter()
            .find(|(file, _)| is_in_file(span, file))
            .map_or("", |(_, text)| text);
        let name = text.get(span.byte_start..span.byte_end).unwrap_or_default();
        name.trim_start_matches('"').starts_with(ROWS_NAME)
    }

    /// Returns the suspects of an error without a known owner: everything in the nearest function.
    pub(crate) fn suspects(
        &self,
        errors: &[Diagnostic],
        groups: &[Group],
    ) -> Vec<(GroupIdx, GroupRefusal)> {
        let function = |placed: &Placed| &self.settling.statements[placed.statement].site.function;
        let standing = || {
            self.placed
                .iter()
                .filter(|placed| groups[placed.group].stands())
        };
        let mut suspects: BTreeMap<GroupIdx, GroupRefusal> = BTreeMap::new();
        for error in errors {
            let Some(span) = error.all_spans().into_iter().find(|span| span.is_primary) else {
                continue;
            };
            let beside = standing().filter(|placed| is_in_file(span, &placed.file));
            let distance = |placed: &&Placed| {
                let range = &self.statements[placed.statement.at()].1;
                if range.contains(&span.byte_start) {
                    0
                } else {
                    range.start.abs_diff(span.byte_start)
                }
            };
            let Some(nearest) = beside.clone().min_by_key(distance).map(function) else {
                continue;
            };
            let inside: Vec<&Placed> = beside
                .filter(|placed| function(placed) == nearest)
                .collect();
            // An error at a binding comes from a test that gives the variable, if there is one.
            let words = self.words_at(span);
            let giving: Vec<&Placed> = inside
                .iter()
                .filter(|placed| self.gives_any(placed, &words))
                .copied()
                .collect();
            for placed in if giving.is_empty() { inside } else { giving } {
                suspects
                    .entry(placed.group)
                    .or_insert_with(|| GroupRefusal::rejected(error));
            }
        }
        suspects.into_iter().collect()
    }

    /// Returns whether no error is in a file that holds tests.
    pub(crate) fn all_are_elsewhere(&self, errors: &[Diagnostic]) -> bool {
        let files: BTreeSet<&Path> = self
            .placed
            .iter()
            .map(|placed| placed.file.as_path())
            .collect();
        let spans: Vec<&Span> = errors.iter().flat_map(Diagnostic::all_spans).collect();
        !files
            .iter()
            .any(|file| spans.iter().any(|span| is_in_file(span, file)))
    }

    /// Returns the identifiers of a span's first line.
    fn words_at(&self, span: &Span) -> BTreeSet<&str> {
        let text = self
            .texts
            .iter()
            .find(|(file, _)| is_in_file(span, file))
            .map_or("", |(_, text)| text);
        let line = text
            .lines()
            .nth(span.line_start.saturating_sub(1))
            .unwrap_or_default();
        line.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .filter(|word| !word.is_empty())
            .collect()
    }

    /// Returns whether a test gives one of these variables a value.
    fn gives_any(&self, placed: &Placed, names: &BTreeSet<&str>) -> bool {
        let candidates = &self.settling.statements[placed.statement].candidates;
        candidates.iter().any(|candidate| {
            candidate
                .givens
                .iter()
                .any(|(name, _)| names.contains(name.as_str()))
        })
    }
}

/// Returns whether a test writes the types of what its statement computes.
fn says_types(group: &Group) -> bool {
    group.comparisons.contains(&Comparison::EqualAs)
}

/// Returns whether the compiler lacks a type that only the surroundings of a statement determine.
fn is_open_type(error: &Diagnostic) -> bool {
    // If a statement may exit, an undetermined type falls back to `!`, before edition 2024 to `()`.
    let is_taken_for_nothing = ["the trait bound `!: ", "the trait bound `(): "]
        .iter()
        .any(|text| error.message.starts_with(text));
    matches!(error.code(), "E0282" | "E0283" | "E0284") || is_taken_for_nothing
}
