//! A search for inputs that cover branches which no run took: thousands of runs, in few processes
//! and with one compilation.

mod holes;
mod runs;
mod search;

use super::boundary_values::{Edges, Pool};
use super::nearby_inputs::{Input, inputs};
use crate::cargo::workspace::Workspace;
use crate::generate::extract::candidate::clauses::Writing;
use crate::generate::extract::candidate::statement::Statement;
use crate::generate::extract::candidate::{Candidate, CandidateIdx};
use crate::generate::extract::choose::Passing;
use crate::generate::extract::compile::settle::Settling;
use crate::generate::extract::find::survey::survey_all;
use crate::generate::extract::judge::observer_tests::Told;
use crate::generate::extract::judge::rerun::{Rerun, highest};
use crate::generate::extract::table::rows::Group;
use crate::mutate::rows::is_safe;
use crate::programs::outcomes::TestProgram;
use crate::record::observe;
use crate::record::plan::BODY;
use crate::source::literals;
use anyhow::Result;
use holes::{Fillings, Template, is_plain_or_list};
use proc_macro2::TokenStream;
use search::Search;
use situ_recorder::bytes::checksum;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};
use syn::{FnArg, Lit, Pat, Safety};

/// The number of generations.
const GENERATIONS: usize = 24;

/// The number of final generations, which only remove what is not needed.
const LAST_GENERATIONS: usize = 4;

/// The time limit of the search, without the time to detect that a run hangs.
const LONGEST: Duration = Duration::from_secs(30);

/// The number of processes of one search that may hang or die.
const PATIENCE: usize = 8;

/// The maximum length of a literal from elsewhere in the sources, in chars.
const LONGEST_WORD: usize = 16;

/// A row from which a search begins.
#[derive(Debug)]
pub(crate) struct Start {
    pub row: Passing,
    /// The branches of its statement that no row covers.
    pub open: BTreeSet<u32>,
    /// The inputs that may vary.
    pub scope: Scope,
}

/// Which inputs a search may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All of them.
    Everything,
    /// Plain values of these parameters. Only the author of `unsafe` code knows its preconditions;
    /// but a safe function must accept any arguments.
    Parameters(BTreeSet<String>),
}

impl Scope {
    /// Returns the inputs of a statement that may vary, if there are any.
    pub(crate) fn of(statement: &Statement) -> Option<Scope> {
        if is_safe(&statement.tokens().to_string()) {
            return Some(Scope::Everything);
        }
        let signature = statement.spot.signatures.last()?;
        if statement.site.kind != BODY || matches!(signature.safety, Safety::Unsafe(_)) {
            return None;
        }
        let name = |input: &FnArg| match input {
            FnArg::Receiver(_) => Some("self".to_owned()),
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) => Some(name.ident.to_string()),
                _ => None,
            },
        };
        Some(Scope::Parameters(
            signature.inputs.iter().filter_map(name).collect(),
        ))
    }

    /// Returns whether an input may vary.
    fn holds(&self, input: Input, candidate: &Candidate) -> bool {
        match (self, input) {
            (Scope::Everything, _) => true,
            (Scope::Parameters(names), Input::Given(at)) => {
                let (name, value) = &candidate.givens[at];
                names.contains(name) && is_plain_or_list(value)
            }
            (Scope::Parameters(_), _) => false,
        }
    }
}

/// Searches for inputs near those of rows that cover open branches. Returns the findings for each
/// row, with the row's own claims.
pub(crate) fn seek(
    rerun: &Rerun<'_>,
    starts: &[Start],
    pool: &Pool,
) -> Result<Vec<Vec<Candidate>>> {
    let mut found = vec![Vec::new(); starts.len()];
    let words = words(rerun.settling.workspace);
    let mut batch = Batch {
        statements: rerun.settling.statements.to_vec(),
        words: &words,
        searches: BTreeMap::new(),
    };
    let mut groups = Vec::new();
    let mut next = highest(rerun.groups);
    for (at, start) in starts.iter().enumerate() {
        next += 1;
        let group = Group {
            number: next,
            ..rerun.groups[start.row.group].clone()
        };
        groups.push(batch.add(at, start, group, pool));
    }
    let settling = Settling {
        statements: &batch.statements,
        ..*rerun.settling
    };
    let written = |told: Told| {
        move |group: &Group, candidates: &[Candidate], writing: &Writing<'_>| {
            group.seeking(candidates, writing, told)
        }
    };
    let mut groups = settling
        .settle_groups(groups, next, &written(Told::Nobody), &|_| {})?
        .groups;
    groups.retain(|group| group.refused.is_none());
    if groups.is_empty() {
        return Ok(found);
    }
    let mirror = settling.mirror_with(&mut groups, &written(Told::Recorder))?;
    let Some(programs) = observe::build(&mirror, rerun.wanted, rerun.program)? else {
        return Ok(found);
    };
    let stands: BTreeSet<usize> = groups.iter().map(|group| group.number).collect();
    batch.searches.retain(|number, _| stands.contains(number));
    batch.search(&programs, &mirror.situ_folder().join("sought"))?;
    for (at, search) in batch.searches.into_values() {
        found[at] = search.found();
    }
    Ok(found)
}

/// Returns the short strings in the sources of a workspace: what one function names, another often
/// searches for.
fn words(workspace: &Workspace) -> Vec<String> {
    let mut words = BTreeSet::new();
    for file in survey_all(workspace).files.values() {
        let tokens: TokenStream = file.0.parse().unwrap_or_default();
        for literal in literals(&tokens) {
            if let Lit::Str(text) = literal
                && (1..=LONGEST_WORD).contains(&text.value().len())
            {
                words.insert(text.value());
            }
        }
    }
    words.into_iter().collect()
}

/// Templates as candidates of their statements.
struct Batch<'b> {
    statements: Vec<Statement>,
    /// Texts that the crate names.
    words: &'b [String],
    /// For each group number, the start that it belongs to, and its search.
    searches: BTreeMap<usize, (usize, Search<'b>)>,
}

impl<'b> Batch<'b> {
    /// Adds the template of a row. Gives its group.
    fn add(&mut self, at: usize, start: &Start, group: Group, pool: &'b Pool) -> Group {
        let statement = &mut self.statements[group.statement];
        let own = &statement.candidates[start.row.candidate];
        let mut edges = Edges::of(&statement.tokens(), pool);
        inputs(own).for_each(|value| edges.collect_lengths(value));
        edges.collect_equalizing(&statement.comparisons(), own);
        let template = Template::of(own, &edges, pool, &start.scope);
        let seed = checksum(format!("{}{:?}", statement.identity, own.givens).as_bytes());
        statement.candidates.push(template.candidate.clone());
        let row = CandidateIdx::new(statement.candidates.len() - 1);
        let search = Search::new(template, edges, self.words, start.open.clone(), seed);
        self.searches.insert(group.number, (at, search));
        Group {
            rows: vec![row],
            ..group
        }
    }

    /// Runs all tests again and again with the fillings that their searches request.
    fn search(&mut self, programs: &[TestProgram], folder: &Path) -> Result<()> {
        let (mut patience, mut spent) = (PATIENCE, Duration::ZERO);
        let mut last_ones = 0;
        for generation in 0..GENERATIONS {
            let is_late =
                last_ones > 0 || generation + LAST_GENERATIONS >= GENERATIONS || spent > LONGEST;
            last_ones += usize::from(is_late);
            let mut plans: BTreeMap<usize, Vec<Fillings>> = BTreeMap::new();
            for (number, (_, search)) in &mut self.searches {
                let runs = search.next(is_late);
                if !runs.is_empty() {
                    plans.insert(*number, runs);
                }
            }
            if plans.is_empty() || patience == 0 || last_ones > LAST_GENERATIONS {
                break;
            }
            let (started, before) = (Instant::now(), patience);
            let journals = runs::run(programs, folder, &plans, &mut patience)?;
            if patience == before {
                spent += started.elapsed();
            }
            for (number, journal) in journals {
                if let (Some((_, search)), Some(runs)) =
                    (self.searches.get_mut(&number), plans.remove(&number))
                {
                    search.take_in(runs, journal.outcomes, journal.has_ended);
                }
            }
        }
        Ok(())
    }
}
