//! Groups of rows: all candidates of a statement that say the same things of other values, as one test.

use super::candidate::{Candidate, Claim};
use super::clauses::{Comparison, Writing, args, generic_givens};
use super::locate::Target;
use crate::mutate::judges::ROWS_NAME;
use crate::render::Style;
use std::ops::Range;

/// Candidates that one test can hold.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its number, which no other group has.
    pub number: usize,
    /// The statement, by its place in the list of statements.
    pub statement: usize,
    /// Its rows, as places in the statement's list of candidates.
    pub rows: Vec<usize>,
    /// How each claim is compared, in the order of the claims.
    pub comparisons: Vec<Comparison>,
    /// Generic parameters that its test has to say.
    pub generics: Vec<String>,
    /// Why no test can be made of it, once that is known.
    pub refused: Option<String>,
}

/// The test of a group, and where in its text each row stands.
#[derive(Clone, Debug)]
pub struct RowsTest {
    /// The text.
    pub text: String,
    /// The bytes of each row, beside its place in the group.
    pub rows: Vec<(Range<usize>, usize)>,
    /// The bytes of the oracles of each claim.
    pub claims: Vec<Range<usize>>,
}

/// What rows of one test have in common: the places that are given, and what is claimed of which place.
fn shape(candidate: &Candidate, writing: &Writing<'_>) -> String {
    let givens: Vec<&str> = candidate.givens.iter().map(|(name, _)| name.as_str()).collect();
    let claims: Vec<String> = candidate.claims.iter().map(|claim| writing.compared(claim)).collect();
    let mocks: Vec<String> = candidate.mocks.iter().map(|mock| format!("{mock:?}")).collect();
    format!("{givens:?} {claims:?} {:?} {mocks:?}", candidate.generics)
}

/// The groups of a statement's candidates, those with most rows first.
pub fn groups(statement: usize, candidates: &[Candidate], writing: &Writing<'_>, next: &mut usize) -> Vec<Group> {
    let mut shapes: Vec<(String, Vec<usize>)> = Vec::new();
    for (at, candidate) in candidates.iter().enumerate() {
        let shape = shape(candidate, writing);
        match shapes.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, rows)) => rows.push(at),
            None => shapes.push((shape, vec![at])),
        }
    }
    shapes.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
    let groups = shapes.into_iter().map(|(_, rows)| {
        *next += 1;
        // All types are written where rows of one column must agree on theirs.
        let comparisons = vec![Comparison::EqualTyped; candidates[rows[0]].claims.len()];
        Group { number: *next, statement, rows, comparisons, generics: Vec::new(), refused: None }
    });
    groups.collect()
}

impl Group {
    /// The test's name.
    pub fn name(&self) -> String {
        format!("{ROWS_NAME}{}_of_{}", self.number, self.rows.len())
    }

    /// Claims that compare by parts say what they say of each row apart: such a group is split by its rows.
    pub fn split_by_parts(&self, candidates: &[Candidate], writing: &Writing<'_>, next: &mut usize) -> Vec<Group> {
        let mut shapes: Vec<(String, Vec<usize>)> = Vec::new();
        for row in &self.rows {
            let parts: Vec<_> = candidates[*row]
                .claims
                .iter()
                .zip(&self.comparisons)
                .filter(|(_, comparison)| comparison.holds_values())
                .map(|(claim, comparison)| writing.oracles(claim, *comparison))
                .collect();
            let shape = format!("{parts:?}");
            match shapes.iter_mut().find(|(known, _)| *known == shape) {
                Some((_, rows)) => rows.push(*row),
                None => shapes.push((shape, vec![*row])),
            }
        }
        let groups = shapes.into_iter().map(|(_, rows)| {
            *next += 1;
            Group { number: *next, rows, ..self.clone() }
        });
        groups.collect()
    }

    /// The test that holds the rows; nothing where it could claim nothing.
    pub fn test(&self, candidates: &[Candidate], writing: &Writing<'_>) -> Option<RowsTest> {
        let first = &candidates[*self.rows.first()?];
        let mut test = RowsTest { text: String::new(), rows: Vec::new(), claims: Vec::new() };
        let claims: Vec<(usize, &Claim)> = first.claims.iter().enumerate().collect();
        let is_column = |(at, claim): &(usize, &Claim)| self.comparisons[*at].has_column() && claim.value().is_some();
        let columns: Vec<usize> = claims.iter().filter(|claim| is_column(claim)).map(|(at, _)| *at).collect();
        let names: Vec<String> = (0..first.givens.len())
            .map(|at| format!("situ_g{at},"))
            .chain((0..first.arguments.len()).map(|at| format!("situ_a{at},")))
            .chain(columns.iter().map(|at| format!("situ_e{at},")))
            .collect();
        let macro_name = macro_name(writing);
        test.text = format!(
            "{macro_name}!(\"{}\", ignore(\"rows\"), each(({}), [match ::situ::rt::rows::row() {{ ",
            self.name(),
            names.concat()
        );
        for (number, row) in self.rows.iter().enumerate() {
            let Some(values) = row_values(&candidates[*row], &columns, writing) else { continue };
            let start = test.text.len();
            test.text.push_str(&format!("{number} => ({values}), "));
            test.rows.push((start..test.text.len(), number));
        }
        if test.rows.is_empty() {
            return None;
        }
        test.text.push_str("_ => ::situ::rt::rows::none() }])");
        for (at, (name, _)) in first.givens.iter().enumerate() {
            test.text.push_str(&format!(", given({name} = situ_g{at})"));
        }
        for (name, of_type) in generic_givens(&self.generics, first, writing) {
            test.text.push_str(&format!(", given({name} = {of_type})"));
        }
        let arguments: Vec<String> = (0..first.arguments.len()).map(|at| format!("situ_a{at}")).collect();
        for clause in writing.scope(first, &self.comparisons).into_iter().chain(args(&arguments)) {
            test.text.push_str(&format!(", {clause}"));
        }
        for clause in writing.mocks(first, Style::default())? {
            test.text.push_str(&format!(", {clause}"));
        }
        let mut is_empty = true;
        for (at, claim) in claims {
            let start = test.text.len();
            let oracles = match is_column(&(at, claim)) {
                true => Some(vec![writing.equality(claim, self.comparisons[at], &format!("situ_e{at}"))]),
                false => writing.oracles(claim, self.comparisons[at]),
            };
            for oracle in oracles.unwrap_or_default() {
                test.text.push_str(&format!(", {oracle}"));
                is_empty = false;
            }
            test.claims.push(start..test.text.len());
        }
        test.text.push_str(");");
        (!is_empty).then_some(test)
    }
}

fn row_values(candidate: &Candidate, columns: &[usize], writing: &Writing<'_>) -> Option<String> {
    let style = Style { keeper: Some("::situ::rt::rows::kept"), ..Style::default() };
    let mut text = String::new();
    for (name, value) in &candidate.givens {
        text.push_str(&writing.given(name, value, style)?);
        text.push_str(", ");
    }
    for value in &candidate.arguments {
        text.push_str(&writing.expression(value, style)?);
        text.push_str(", ");
    }
    for at in columns {
        let expected = writing.expected(&candidate.claims[*at])?;
        text.push_str(&writing.expression(&expected, style)?);
        text.push_str(", ");
    }
    Some(text)
}

/// Tails are fragments of their own; everything else says itself what it is.
pub fn macro_name(writing: &Writing<'_>) -> &'static str {
    match writing.spot.target {
        Target::Statement => "itest",
        Target::Tail | Target::Fragment(_) => "blocktest",
        Target::Closure { .. } => "closuretest",
    }
}
