//! The final text of tests.

use super::required_clauses::bringing;
use super::rows::{Group, macro_name};
use crate::generate::extract::candidate::clauses::{Comparison, Writing, args, generic_givens};
use crate::generate::extract::candidate::{Candidate, Claim};
use crate::generate::extract::find::locate::Target;
use crate::record::plan::bindings_of;
use crate::source::parse_part;
use crate::values::Style;
use situ_recorder::value::{SeqKind, Value};
use std::collections::BTreeSet;
use syn::Expr;

/// The wording of a test; each is tried if the compiler rejects the previous one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wording {
    /// Types are omitted if their place determines them.
    #[default]
    Short,
    /// All types are written.
    Typed,
}

/// The tag of tests with a generated input.
const NEARBY: &str = "nearby";

/// Returns the text of a test of these candidates, which differ only in values. A name identifies
/// it in a run.
pub(crate) fn text(
    candidates: &[&Candidate],
    group: &Group,
    wording: Wording,
    name: Option<&str>,
    writing: &Writing<'_>,
) -> Option<String> {
    let shown = Shown {
        candidates,
        comparisons: &group.comparisons,
        group,
        wording,
        writing,
    };
    let clauses = match candidates {
        [only] => shown.single(only)?,
        [first, ..] => shown.several(first)?,
        [] => return None,
    };
    let name = name.map(|name| format!("{name:?}"));
    let tag = candidates
        .iter()
        .any(|candidate| candidate.is_near)
        .then(|| format!("tag({NEARBY:?})"));
    let clauses: Vec<String> = name.into_iter().chain(tag).chain(clauses).collect();
    Some(format!("{}!({});", macro_name(writing), clauses.join(", ")))
}

/// The number of columns above which rows are tests of their own, unless they are short.
const MAX_COLUMNS: usize = 4;
const MAX_COLUMNS_OF_SHORT_ROWS: usize = 6;

/// The number of chars of a row that a reader takes in at once.
const SHORT_ROW: usize = 72;

/// Returns whether the candidates make a table that a reader can follow.
pub(crate) fn is_readable_table(candidates: &[&Candidate], writing: &Writing<'_>) -> bool {
    let all: Vec<Vec<Option<Value>>> = candidates
        .iter()
        .map(|candidate| columns_of(candidate))
        .collect();
    let Some(first) = all.first() else {
        return true;
    };
    if all.iter().any(|row| row.len() != first.len()) {
        return false;
    }
    let differing: Vec<usize> = (0..first.len())
        .filter(|at| all.iter().any(|row| row[*at] != first[*at]))
        .collect();
    let letters = |value: &Value| {
        writing
            .compared_with(value)
            .map_or(SHORT_ROW, |text| text.len() + ", ".len())
    };
    let length = |row: &Vec<Option<Value>>| {
        differing
            .iter()
            .filter_map(|at| row[*at].as_ref())
            .map(letters)
            .sum::<usize>()
    };
    let is_short = || all.iter().all(|row| length(row) <= SHORT_ROW);
    differing.len() <= MAX_COLUMNS || differing.len() <= MAX_COLUMNS_OF_SHORT_ROWS && is_short()
}

/// Returns all values in which the rows of a table could differ.
fn columns_of(candidate: &Candidate) -> Vec<Option<Value>> {
    let givens = candidate
        .givens
        .iter()
        .map(|(_, value)| Some(value.clone()));
    let arguments = candidate.arguments.iter().cloned().map(Some);
    let mocks = candidate.mocks.iter().map(|mock| mock.varying().cloned());
    givens
        .chain(arguments)
        .chain(mocks)
        .chain(candidate.claims.iter().map(Claim::value))
        .collect()
}

/// A column of rows: its name, and its value in each row.
type Column = (String, Vec<String>);

struct Shown<'s> {
    candidates: &'s [&'s Candidate],
    comparisons: &'s [Comparison],
    group: &'s Group,
    wording: Wording,
    writing: &'s Writing<'s>,
}

impl Shown<'_> {
    fn style(&self) -> Style {
        Style {
            typed_by_place: self.wording == Wording::Short,
            ..Style::default()
        }
    }

    /// Returns the style of a column: slices of different lengths have one type only if they are
    /// written as slices.
    fn style_of_column<'v>(&self, values: impl Iterator<Item = &'v Value>) -> Style {
        let lengths: BTreeSet<usize> = values
            .filter_map(|value| match value {
                Value::Ref { inner, .. } => match &**inner {
                    Value::Seq {
                        kind: SeqKind::Slice,
                        items,
                        ..
                    } => Some(items.len()),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        Style {
            whole_slices: lengths.len() > 1,
            ..self.style()
        }
    }

    fn comparison(&self, at: usize) -> Comparison {
        match (self.comparisons[at], self.wording) {
            (Comparison::Equal | Comparison::EqualTyped, Wording::Short) => Comparison::Equal,
            (comparison, _) => comparison,
        }
    }

    /// Returns the oracles of the claim with this number.
    fn oracles(&self, claim: &Claim, at: usize) -> Vec<String> {
        let is_typed =
            self.wording == Wording::Typed && self.comparisons[at] == Comparison::EqualAs;
        let typed = claim
            .value()
            .filter(|_| is_typed)
            .and(self.writing.expected(claim));
        match typed.and_then(|value| self.writing.expression(&value, self.style())) {
            // The type of a place does not determine that of the expected value.
            Some(expected) => vec![self.writing.equality(claim, Comparison::EqualAs, &expected)],
            None => self
                .writing
                .oracles(claim, self.comparison(at))
                .unwrap_or_default(),
        }
    }

    /// Returns the givens of generic parameters, and the clause that imports the traits of their
    /// bounds.
    fn generics(&self, candidate: &Candidate) -> Option<Vec<String>> {
        let found = generic_givens(&self.group.generics, candidate, self.writing)?;
        let givens = found
            .into_iter()
            .map(|(name, of_type)| format!("given({name} = {of_type})"));
        Some(givens.chain(bringing(&self.group.traits)).collect())
    }

    fn single(&self, candidate: &Candidate) -> Option<Vec<String>> {
        let mut clauses: Vec<String> = self
            .writing
            .scope(candidate, self.comparisons)
            .into_iter()
            .collect();
        let givens: Option<Vec<String>> = candidate
            .givens
            .iter()
            .map(|(name, value)| {
                Some(format!(
                    "{name} = {}",
                    self.writing.given(name, value, self.style())?
                ))
            })
            .collect();
        let givens = givens?;
        if !givens.is_empty() {
            clauses.push(format!("given({})", givens.join(", ")));
        }
        clauses.extend(self.generics(candidate)?);
        let arguments = candidate
            .arguments
            .iter()
            .map(|value| self.writing.expression(value, Style::default()));
        clauses.extend(args(&arguments.collect::<Option<Vec<_>>>()?));
        clauses.extend(self.writing.mocks(candidate, self.style())?);
        for (at, claim) in candidate.claims.iter().enumerate() {
            clauses.extend(self.oracles(claim, at));
        }
        Some(clauses)
    }

    /// Returns one `each` for what differs, and clauses for what does not.
    fn several(&self, first: &Candidate) -> Option<Vec<String>> {
        let mut columns: Vec<Column> = Vec::new();
        let givens = self.givens_of_several(first, &mut columns)?;
        let arguments = self.arguments_of_several(first, &mut columns)?;
        let mocks = self.mocks_of_several(first, &mut columns)?;
        let oracles = self.oracles_of_several(first, &mut columns)?;
        let mut clauses: Vec<String> = self
            .writing
            .scope(first, self.comparisons)
            .into_iter()
            .collect();
        clauses.push(each(&columns)?);
        if !givens.is_empty() {
            clauses.push(format!("given({})", givens.join(", ")));
        }
        clauses.extend(self.generics(first)?);
        clauses.extend(args(&arguments));
        clauses.extend(mocks);
        clauses.extend(oracles);
        Some(clauses)
    }

    /// Returns the givens beside the rows: values that are the same in all of them, and places that
    /// are columns.
    fn givens_of_several(
        &self,
        first: &Candidate,
        columns: &mut Vec<Column>,
    ) -> Option<Vec<String>> {
        let mut givens = Vec::new();
        for (at, (name, value)) in first.givens.iter().enumerate() {
            let same = self
                .candidates
                .iter()
                .all(|candidate| candidate.givens[at].1 == *value);
            if same {
                givens.push(format!(
                    "{name} = {}",
                    self.writing.given(name, value, self.style())?
                ));
                continue;
            }
            let style = self.style_of_column(
                self.candidates
                    .iter()
                    .map(|candidate| &candidate.givens[at].1),
            );
            let values = self
                .candidates
                .iter()
                .map(|candidate| self.writing.given(name, &candidate.givens[at].1, style));
            let is_variable = name != "self"
                && name
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || letter == '_');
            let column = if is_variable {
                name.clone()
            } else {
                column_name(name)
            };
            if !is_variable {
                givens.push(format!("{name} = {column}"));
            }
            columns.push((column, values.collect::<Option<_>>()?));
        }
        Some(givens)
    }

    /// Returns the arguments of a closure: values, or columns.
    fn arguments_of_several(
        &self,
        first: &Candidate,
        columns: &mut Vec<Column>,
    ) -> Option<Vec<String>> {
        let mut arguments = Vec::new();
        for (at, value) in first.arguments.iter().enumerate() {
            let of = |candidate: &&Candidate| {
                self.writing
                    .expression(&candidate.arguments[at], Style::default())
            };
            if self
                .candidates
                .iter()
                .all(|candidate| candidate.arguments[at] == *value)
            {
                arguments.push(of(&first)?);
                continue;
            }
            let column = argument_name(self.writing, at, columns);
            arguments.push(column.clone());
            columns.push((
                column,
                self.candidates.iter().map(of).collect::<Option<_>>()?,
            ));
        }
        Some(arguments)
    }

    /// Returns the mocks: with values that are the same in all rows, or with columns.
    fn mocks_of_several(
        &self,
        first: &Candidate,
        columns: &mut Vec<Column>,
    ) -> Option<Vec<String>> {
        let mut names: Vec<Option<String>> = Vec::new();
        for (at, mock) in first.mocks.iter().enumerate() {
            if self
                .candidates
                .iter()
                .all(|candidate| candidate.mocks[at] == *mock)
            {
                names.push(None);
                continue;
            }
            let of = |candidate: &&Candidate| {
                self.writing
                    .made(candidate.mocks[at].varying()?, self.style())
            };
            let column = answer_name(&mock.call, first, columns);
            names.push(Some(column.clone()));
            columns.push((
                column,
                self.candidates.iter().map(of).collect::<Option<_>>()?,
            ));
        }
        self.writing
            .mocks_with(first, self.style(), &|at| names[at].clone())
    }

    /// Returns the oracles, which compare with a column if rows expect different values.
    fn oracles_of_several(
        &self,
        first: &Candidate,
        columns: &mut Vec<Column>,
    ) -> Option<Vec<String>> {
        let mut oracles = Vec::new();
        let several_expected = self.differing_claims(first) > 1;
        for (at, claim) in first.claims.iter().enumerate() {
            let same = self
                .candidates
                .iter()
                .all(|candidate| candidate.claims[at] == *claim);
            let by_parts = !self.comparisons[at].has_column();
            if same || by_parts || claim.value().is_none() {
                oracles.extend(self.oracles(claim, at));
                continue;
            }
            let column = match claim {
                Claim::Place(name, _) if several_expected => {
                    format!("expected_{}", column_name(name))
                }
                Claim::Operand(number, _) if several_expected => format!("operand_{number}"),
                _ => "expected".to_owned(),
            };
            let expected: Option<Vec<Value>> = self
                .candidates
                .iter()
                .map(|candidate| self.writing.expected(&candidate.claims[at]))
                .collect();
            let expected = expected?;
            let style = self.style_of_column(expected.iter());
            let values = expected
                .iter()
                .map(|expected| self.expected(expected, at, style));
            columns.push((column.clone(), values.collect::<Option<_>>()?));
            oracles.push(self.writing.equality(claim, self.comparisons[at], &column));
        }
        Some(oracles)
    }

    /// Returns the expected value of the claim with this number, as an expression.
    fn expected(&self, expected: &Value, at: usize, style: Style) -> Option<String> {
        match self.wording {
            _ if style.whole_slices => self.writing.expression(expected, style),
            Wording::Short if self.comparisons[at] != Comparison::Elements => {
                self.writing.compared_with(expected)
            }
            _ => self.writing.expression(expected, style),
        }
    }

    fn differing_claims(&self, first: &Candidate) -> usize {
        let differs = |at: &usize| {
            self.candidates
                .iter()
                .any(|candidate| candidate.claims[*at] != first.claims[*at])
        };
        (0..first.claims.len()).filter(differs).count()
    }
}

/// Returns the column name of a closure's argument: that of its parameter, if it has one.
fn argument_name(writing: &Writing<'_>, at: usize, taken: &[Column]) -> String {
    let Target::Closure { inputs, .. } = &writing.spot.target else {
        return format!("argument_{}", at + 1);
    };
    let mut names = inputs.get(at).map(bindings_of).unwrap_or_default();
    match (names.pop(), names.is_empty()) {
        (Some((name, _)), true) if taken.iter().all(|(column, _)| *column != name) => name,
        _ => format!("argument_{}", at + 1),
    }
}

/// Returns the column name of a mocked call's result: that of the method or function.
fn answer_name(call: &str, candidate: &Candidate, taken: &[Column]) -> String {
    let name = match parse_part(call) {
        Ok(Expr::MethodCall(call)) => call.method.to_string(),
        Ok(Expr::Call(call)) => match &*call.func {
            Expr::Path(path) => path
                .path
                .segments
                .last()
                .map(|last| last.ident.to_string())
                .unwrap_or_default(),
            _ => String::new(),
        },
        _ => String::new(),
    };
    let is_claimed = |name: &str| {
        candidate
            .claims
            .iter()
            .any(|claim| matches!(claim, Claim::Place(own, _) if own == name))
    };
    let is_given =
        |name: &str| candidate.givens.iter().any(|(own, _)| own == name) || is_claimed(name);
    let is_free = |name: &str| !is_given(name) && taken.iter().all(|(column, _)| column != name);
    let mut all =
        std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}_{number}")));
    all.find(|name| is_free(name)).unwrap_or(name)
}

fn each(columns: &[Column]) -> Option<String> {
    let (first, values) = columns.first()?;
    if columns.len() == 1 {
        return Some(format!("each({first}, [{}])", values.join(", ")));
    }
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let rows = (0..values.len()).map(|row| {
        let parts: Vec<&str> = columns
            .iter()
            .map(|(_, values)| values[row].as_str())
            .collect();
        format!("({})", parts.join(", "))
    });
    Some(format!(
        "each(({}), [{}])",
        names.join(", "),
        rows.collect::<Vec<_>>().join(", ")
    ))
}

/// Returns the column name of a place: `width` for `self.width`, `subject` for `self`.
fn column_name(place: &str) -> String {
    if place == "self" {
        return "subject".to_owned();
    }
    let name: String = place
        .trim_start_matches("self.")
        .chars()
        .map(|letter| {
            if letter.is_alphanumeric() {
                letter
            } else {
                '_'
            }
        })
        .collect();
    let name = name.trim_matches('_').to_owned();
    if name.is_empty() || name.starts_with(|letter: char| letter.is_ascii_digit()) {
        format!("part_{name}")
    } else {
        name
    }
}
