//! Puts all rows into a mirror of the workspace and drops what the compiler does not accept, until it accepts the rest.

use super::clauses::{Comparison, Writing};
use super::rows::{Group, RowsTest};
use super::statement::Statement;
use super::survey::survey_all;
use crate::diagnostics::{Diagnostic, Span};
use crate::edit::manifest::SituSource;
use crate::edit::{ChangeSet, Proposal};
use crate::lent::Lending;
use crate::render::TypeTable;
use crate::trial::compile::{self, Build};
use crate::workspace::Workspace;
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// After so many rounds of errors whatever still fails is given up by the file.
const MOST_ROUNDS: usize = 20;

/// A mirror that compiles, with the groups whose rows are in it.
pub struct Settled {
    /// The mirror.
    pub mirror: Workspace,
    /// All groups, those given up too.
    pub groups: Vec<Group>,
}

/// What settling works on.
pub struct Settling<'s> {
    /// The user's workspace.
    pub workspace: &'s Workspace,
    /// The statements.
    pub statements: &'s [Statement],
    /// The types of each crate.
    pub types: &'s BTreeMap<String, TypeTable>,
    /// Where the dependency comes from.
    pub situ: &'s SituSource,
    /// What lends it to copies, where that is possible.
    pub lending: Option<&'s Lending>,
}

struct Placed {
    group: usize,
    statement: usize,
    test: RowsTest,
    file: PathBuf,
}

impl Settling<'_> {
    /// How the expressions of a statement are written.
    pub fn writing<'w>(&'w self, statement: &'w Statement) -> Writing<'w> {
        Writing { here: &statement.here, types: &self.types[&statement.here.krate], spot: &statement.spot }
    }

    /// A copy of the workspace with these changes. Where `situ` is lent, no manifest changes.
    pub fn mirror(&self, changes: &ChangeSet) -> Result<Workspace> {
        let is_manifest = |path: &Path| path.file_name().is_some_and(|name| name == "Cargo.toml");
        let wanted = changes.files.iter().filter(|file| self.lending.is_none() || !is_manifest(&file.path));
        let files: Vec<(PathBuf, String)> = wanted.map(|file| (file.path.clone(), file.after.clone())).collect();
        let mirror = self.workspace.mirror("extract", &files)?;
        Ok(match self.lending {
            Some(lending) => mirror.with_situ(lending),
            None => mirror,
        })
    }

    /// Settles.
    pub fn settle(&self, step: &dyn Fn(&str)) -> Result<Settled> {
        let mut next = 0;
        let mut groups: Vec<Group> = Vec::new();
        for (at, statement) in self.statements.iter().enumerate() {
            groups.extend(super::rows::groups(at, &statement.candidates, &self.writing(statement), &mut next));
        }
        for round in 1.. {
            step(&format!("compiling the candidates, round {round}"));
            let (placed, mirror, texts) = self.place(&mut groups)?;
            let Build { errors, .. } = compile::build(&mirror)?;
            if errors.is_empty() {
                return Ok(Settled { mirror, groups });
            }
            let known = errors.len();
            let blame = Blame { settling: self, placed: &placed, texts: &texts, mirror: &mirror };
            let mut changed = blame.apply(&errors, &mut groups);
            if !changed {
                changed = blame.give_up_functions(&errors, &mut groups);
            }
            if !changed || round >= MOST_ROUNDS {
                changed |= blame.give_up_files(&errors, &mut groups);
            }
            if !changed {
                let first = errors.into_iter().find_map(|error| error.rendered).unwrap_or_default();
                bail!("{known} errors in the copy with candidates belong to none of them; the first is:\n{first}");
            }
            self.split_by_parts(&mut groups, &mut next);
        }
        bail!("the candidates do not settle")
    }

    fn place(&self, groups: &mut [Group]) -> Result<(Vec<Placed>, Workspace, BTreeMap<PathBuf, String>)> {
        let mut placed = Vec::new();
        let mut proposals = Vec::new();
        for (at, group) in groups.iter_mut().enumerate().filter(|(_, group)| group.refused.is_none()) {
            let statement = &self.statements[group.statement];
            match group.test(&statement.candidates, &self.writing(statement)) {
                Some(test) => {
                    let file = PathBuf::from(&statement.site.file);
                    proposals.push(Proposal {
                        file: file.clone(),
                        place: statement.spot.place,
                        text: test.text.clone(),
                    });
                    placed.push(Placed { group: at, statement: group.statement, test, file });
                }
                None => group.refused = Some("no value of it can be written where the test would stand".to_owned()),
            }
        }
        let changes = ChangeSet::verbatim(self.workspace, &proposals, self.situ)?;
        let mirror = self.mirror(&changes)?;
        let texts = changes.files.into_iter().map(|file| (file.path, file.after)).collect();
        Ok((placed, mirror, texts))
    }

    /// A test that compares by parts holds only rows with the same parts.
    fn split_by_parts(&self, groups: &mut Vec<Group>, next: &mut usize) {
        let mut all = Vec::new();
        for group in groups.drain(..) {
            let by_parts = group.comparisons.iter().any(|comparison| comparison.holds_values()) && group.rows.len() > 1;
            if group.refused.is_some() || !by_parts {
                all.push(group);
                continue;
            }
            let statement = &self.statements[group.statement];
            all.extend(group.split_by_parts(&statement.candidates, &self.writing(statement), next));
        }
        *groups = all;
    }
}

/// What of a test an error is about.
enum Culprit {
    Row(usize, usize),
    Claim(usize, usize),
    Test(usize),
    Statement(usize),
}

struct Blame<'b> {
    settling: &'b Settling<'b>,
    placed: &'b [Placed],
    texts: &'b BTreeMap<PathBuf, String>,
    mirror: &'b Workspace,
}

impl Blame<'_> {
    /// Drops what the errors are about; says whether anything was.
    fn apply(&self, errors: &[Diagnostic], groups: &mut [Group]) -> bool {
        let tests = self.ranges_of_tests();
        let statements = self.ranges_of_statements();
        let mut rows: BTreeMap<(usize, usize), String> = BTreeMap::new();
        let mut claims: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut refused: BTreeMap<usize, String> = BTreeMap::new();
        let mut needed: BTreeSet<(usize, String)> = BTreeSet::new();
        let mut untyped: BTreeSet<usize> = BTreeSet::new();
        for error in errors {
            if let Some(generic) = missing_generic(error) {
                let of = self.groups_of(error, &tests, &statements, groups);
                let new = of.into_iter().filter(|at| !groups[*at].generics.contains(&generic));
                let before = needed.len();
                needed.extend(new.map(|at| (at, generic.clone())));
                if needed.len() > before {
                    continue;
                }
            }
            if is_open_type(error) {
                let of = self.groups_of(error, &tests, &statements, groups);
                let open: Vec<usize> = of.into_iter().filter(|at| self.can_say_types(&groups[*at])).collect();
                if !open.is_empty() {
                    untyped.extend(open);
                    continue;
                }
            }
            let reason = || format!("the compiler rejects it: {}", error.message);
            match self.culprit(error, &tests, &statements) {
                Some(Culprit::Row(group, row)) => drop(rows.entry((group, row)).or_insert_with(reason)),
                Some(Culprit::Claim(group, claim)) => drop(claims.insert((group, claim))),
                Some(Culprit::Test(group)) => drop(refused.entry(group).or_insert_with(reason)),
                Some(Culprit::Statement(statement)) => {
                    let own = groups.iter().enumerate().filter(|(_, group)| group.statement == statement);
                    for (at, _) in own.filter(|(_, group)| group.refused.is_none()) {
                        refused.entry(at).or_insert_with(reason);
                    }
                }
                None => {}
            }
        }
        let nothing_else = rows.is_empty() && claims.is_empty() && refused.is_empty();
        let changed = !(nothing_else && needed.is_empty() && untyped.is_empty());
        for group in untyped {
            for comparison in &mut groups[group].comparisons {
                if *comparison < Comparison::EqualAs {
                    *comparison = Comparison::EqualAs;
                }
            }
        }
        for (group, generic) in needed {
            groups[group].generics.push(generic);
        }
        for ((group, row), reason) in rows.into_iter().rev() {
            groups[group].rows.remove(row);
            if groups[group].rows.is_empty() {
                groups[group].refused = Some(reason);
            }
        }
        for (group, claim) in claims {
            let group_statement = &self.settling.statements[groups[group].statement];
            let first = groups[group].rows.first().map(|row| &group_statement.candidates[*row].claims[claim]);
            let Some(said) = first else { continue };
            groups[group].comparisons[claim] = groups[group].comparisons[claim].weaker(said);
            if groups[group].comparisons.iter().all(|comparison| *comparison == Comparison::No) {
                groups[group].refused = Some("no output of it can be compared".to_owned());
            }
        }
        for (group, reason) in refused {
            groups[group].refused = Some(reason);
        }
        changed
    }

    /// Whether a test can say the types of what its statement makes, and does not do so yet.
    fn can_say_types(&self, group: &Group) -> bool {
        let statement = &self.settling.statements[group.statement];
        let Some(first) = group.rows.first().map(|row| &statement.candidates[*row]) else { return false };
        let writing = self.settling.writing(statement);
        let mut claims = first.claims.iter().zip(&group.comparisons);
        group.refused.is_none()
            && claims.any(|(claim, comparison)| *comparison < Comparison::EqualAs && writing.type_of(claim).is_some())
    }

    /// The groups that an error is about.
    fn groups_of(
        &self,
        error: &Diagnostic,
        tests: &[Range<usize>],
        statements: &[(PathBuf, Range<usize>)],
        groups: &[Group],
    ) -> Vec<usize> {
        match self.culprit(error, tests, statements) {
            Some(Culprit::Row(group, _) | Culprit::Claim(group, _) | Culprit::Test(group)) => vec![group],
            Some(Culprit::Statement(statement)) => {
                let own = groups.iter().enumerate().filter(|(_, group)| group.statement == statement);
                own.map(|(at, _)| at).collect()
            }
            None => Vec::new(),
        }
    }

    /// The bytes of each test in its file.
    fn ranges_of_tests(&self) -> Vec<Range<usize>> {
        let range = |placed: &Placed| {
            let start =
                self.texts.get(&placed.file).and_then(|text| text.find(&placed.test.text)).unwrap_or(usize::MAX);
            start..start.saturating_add(placed.test.text.len())
        };
        self.placed.iter().map(range).collect()
    }

    /// The bytes of each statement in the mirror.
    fn ranges_of_statements(&self) -> Vec<(PathBuf, Range<usize>)> {
        let survey = survey_all(self.mirror);
        let range = |statement: &Statement| match survey.sites.get(&statement.identity) {
            Some(site) => (PathBuf::from(&site.file), site.range()),
            None => (PathBuf::new(), 0..0),
        };
        self.settling.statements.iter().map(range).collect()
    }

    fn culprit(
        &self,
        error: &Diagnostic,
        tests: &[Range<usize>],
        statements: &[(PathBuf, Range<usize>)],
    ) -> Option<Culprit> {
        let spans = error.all_spans();
        let (first, rest): (Vec<&Span>, Vec<&Span>) = spans.into_iter().partition(|span| span.is_primary);
        let ordered = || first.iter().chain(&rest).copied();
        ordered().find_map(|span| self.in_test(span, tests)).or_else(|| {
            ordered().find_map(|span| {
                let holds = |at: &usize| {
                    let (file, range) = &statements[*at];
                    is_file(span, file) && range.start <= span.byte_start && span.byte_end <= range.end
                };
                // Of fragments that stand in one another the inner one knows least of its surroundings.
                let tried = self.placed.iter().map(|placed| placed.statement).filter(holds);
                tried.min_by_key(|at| statements[*at].1.len()).map(Culprit::Statement)
            })
        })
    }

    fn in_test(&self, span: &Span, tests: &[Range<usize>]) -> Option<Culprit> {
        let (at, range) = tests.iter().enumerate().find(|(at, range)| {
            is_file(span, &self.placed[*at].file) && range.start <= span.byte_start && span.byte_end <= range.end
        })?;
        let placed = &self.placed[at];
        let inside = |part: &Range<usize>| {
            range.start + part.start <= span.byte_start && span.byte_end <= range.start + part.end
        };
        if let Some((_, row)) = placed.test.rows.iter().find(|(part, _)| inside(part)) {
            return Some(Culprit::Row(placed.group, *row));
        }
        if let Some(claim) = placed.test.claims.iter().position(inside) {
            return Some(Culprit::Claim(placed.group, claim));
        }
        Some(Culprit::Test(placed.group))
    }

    /// Where nothing tells what an error is about: everything in the function that stands nearest to it.
    fn give_up_functions(&self, errors: &[Diagnostic], groups: &mut [Group]) -> bool {
        let ranges = self.ranges_of_statements();
        let function = |placed: &Placed| &self.settling.statements[placed.statement].site.function;
        let mut changed = false;
        for error in errors {
            let Some(span) = error.all_spans().into_iter().find(|span| span.is_primary) else { continue };
            let beside = self.placed.iter().filter(|placed| is_file(span, &placed.file));
            let distance = |placed: &&Placed| {
                let range = &ranges[placed.statement].1;
                if range.contains(&span.byte_start) { 0 } else { range.start.abs_diff(span.byte_start) }
            };
            let Some(nearest) = beside.clone().min_by_key(distance).map(function) else { continue };
            for placed in beside.filter(|placed| function(placed) == nearest) {
                let reason = || format!("an error in its function cannot be told apart: {}", error.message);
                groups[placed.group].refused.get_or_insert_with(reason);
                changed = true;
            }
        }
        changed
    }

    /// And where that tells nothing: everything in its file.
    fn give_up_files(&self, errors: &[Diagnostic], groups: &mut [Group]) -> bool {
        let mut changed = false;
        for placed in self.placed {
            let group = &mut groups[placed.group];
            let is_named = |error: &&Diagnostic| error.all_spans().iter().any(|span| is_file(span, &placed.file));
            if let (Some(error), None) = (errors.iter().find(is_named), &group.refused) {
                group.refused = Some(format!("an error in its file cannot be told apart: {}", error.message));
                changed = true;
            }
        }
        changed
    }
}

/// The generic parameter that the macro asks for, in its own words.
fn missing_generic(error: &Diagnostic) -> Option<String> {
    let (_, rest) = error.message.split_once('`')?;
    let (name, said) = rest.split_once('`')?;
    let is_missing =
        said.starts_with(" is generic and has no meaning") || said.starts_with(" can be any type in a trait");
    is_missing.then(|| name.to_owned())
}

/// Whether the compiler misses a type that only the surroundings of a statement tell.
fn is_open_type(error: &Diagnostic) -> bool {
    matches!(error.code(), "E0282" | "E0283" | "E0284")
}

/// Compilers run in the workspace's root, and say paths relative to it or whole.
fn is_file(span: &Span, file: &Path) -> bool {
    !file.as_os_str().is_empty() && Path::new(&span.file_name).ends_with(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(message: &str) -> Diagnostic {
        Diagnostic {
            message: message.to_owned(),
            code: None,
            level: "error".to_owned(),
            spans: Vec::new(),
            children: Vec::new(),
            rendered: None,
        }
    }

    #[test]
    fn the_macro_says_which_generic_parameter_it_needs() {
        let missing = "`T` is generic and has no meaning in this test; add `given(T = …)`";
        assert_eq!(missing_generic(&error(missing)).as_deref(), Some("T"));
        assert_eq!(missing_generic(&error("`x` has no value in this test")), None);
        assert_eq!(missing_generic(&error("mismatched types")), None);
    }

    #[test]
    fn files_are_known_by_relative_and_whole_paths() {
        let span = |file_name: &str| Span {
            file_name: file_name.to_owned(),
            byte_start: 0,
            byte_end: 1,
            line_start: 1,
            is_primary: true,
            expansion: None,
        };
        assert!(is_file(&span("src/lib.rs"), Path::new("src/lib.rs")));
        assert!(is_file(&span("/somewhere/src/lib.rs"), Path::new("src/lib.rs")));
        assert!(!is_file(&span("src/lib.rs"), Path::new("other/src/lib.rs")));
        assert!(!is_file(&span("src/lib.rs"), Path::new("")), "a statement that is not in the mirror");
    }
}
