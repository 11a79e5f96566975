//! Groups of rows: all candidates of a statement with the same clauses, as one test.

use super::group_refusal::GroupRefusal;
use super::required_clauses::bringing;
use crate::base::idx::{Idx, enumerated, indices};
use crate::generate::extract::candidate::clauses::{Comparison, Writing, args, generic_givens};
use crate::generate::extract::candidate::statement::StatementIdx;
use crate::generate::extract::candidate::verbatim_givens::as_written;
use crate::generate::extract::candidate::{Candidate, CandidateIdx, Claim, ClaimIdx};
use crate::generate::extract::compile::bisect::Trial;
use crate::generate::extract::find::locate::Target;
use crate::generate::mocks::Mock;
use crate::source::row_name::ROWS_NAME;
use crate::trial::owned_text::OwnedText;
use crate::values::Style;
use situ_recorder::value::Value;
use situ_syntax::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// Place of a group in a list of groups.
pub(crate) type GroupIdx = Idx<Group>;

/// Place of a row in its group.
pub(crate) type RowIdx = Idx<CandidateIdx>;

/// Candidates that share one test.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Its number, which no other group has.
    pub number: usize,
    /// The index of the statement.
    pub statement: StatementIdx,
    /// Its rows, as indices of the statement's candidates.
    pub rows: Vec<CandidateIdx>,
    /// How each claim is compared, in the order of the claims.
    pub comparisons: Vec<Comparison>,
    /// Generic parameters that its test must give.
    pub generics: Vec<String>,
    /// Traits that its test must import.
    pub traits: Vec<String>,
    /// The reason why there is no test of it, if there is none.
    pub refused: Option<GroupRefusal>,
    /// Its state in the bisection of an error without a known owner.
    pub trial: Trial,
}

/// The test of a group, in which rows and claims own their bytes.
pub(crate) type RowsTest = OwnedText<Part>;

/// What a part of a test is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A row, by its place in the group.
    Row(RowIdx),
    /// The oracles of a claim.
    Claim(ClaimIdx),
    /// The part of an oracle for rows with the same expected value, which the oracle itself
    /// contains.
    Arm {
        claim: ClaimIdx,
        /// The rows, by their places in the group.
        rows: BTreeSet<RowIdx>,
    },
}

/// Returns the rows of a test, by their indices in the group.
fn rows_in(test: &RowsTest) -> Vec<RowIdx> {
    let rows = test.parts.iter().filter_map(|(_, part)| match part {
        Part::Row(row) => Some(*row),
        _ => None,
    });
    rows.collect()
}

/// Appends clauses.
pub(crate) fn push_clauses(test: &mut RowsTest, clauses: Option<Vec<String>>) {
    for clause in clauses.unwrap_or_default() {
        test.text.push_str(&format!(", {clause}"));
    }
}

/// The expression for the row of the current run.
pub(crate) const ROW: &str = "::situ::rt::rows::row()";

/// Returns what rows of one test have in common: the places that are given, what is claimed of
/// which place, and the types of all that: where a function is generic they are not the same in
/// every row.
pub(crate) fn shape(candidate: &Candidate, writing: &Writing<'_>) -> String {
    // A value known in part is compared by its parts, even if that of another row is known
    // completely.
    let of_claim = |claim: &Claim| {
        (
            writing.compared(claim),
            Comparison::first(claim),
            claim.value().as_ref().map(type_of),
        )
    };
    let claims: Vec<(String, Comparison, Option<String>)> =
        candidate.claims.iter().map(of_claim).collect();
    format!("{claims:?} {}", shape_of_inputs(candidate))
}

/// Returns the shape of the inputs, without the claims: rows that agree in it may have different
/// exits.
pub(crate) fn shape_of_inputs(candidate: &Candidate) -> String {
    let givens: Vec<(&str, String)> = candidate
        .givens
        .iter()
        .map(|(name, value)| (name.as_str(), type_of(value)))
        .collect();
    let arguments: Vec<String> = candidate.arguments.iter().map(type_of).collect();
    let of_mock = |mock: &Mock| match mock.varying() {
        Some(value) => format!("{} {}", mock.call, type_of(value)),
        None => format!("{mock:?}"),
    };
    let mocks: Vec<String> = candidate.mocks.iter().map(of_mock).collect();
    format!(
        "{givens:?} {arguments:?} {:?} {mocks:?}",
        candidate.generics
    )
}

/// Returns the type of a value, as far as two values of one type always agree on it.
fn type_of(value: &Value) -> String {
    if let Some(source) = as_written(value) {
        return format!("written {source}");
    }
    match value {
        Value::Int { type_name, .. } => (*type_name).to_owned(),
        Value::Float { double: true, .. } => "f64".to_owned(),
        Value::Float { double: false, .. } => "f32".to_owned(),
        Value::Ref { mutable, inner } => {
            format!("&{} {}", if *mutable { "mut" } else { "" }, type_of(inner))
        }
        Value::Tuple(parts) => format!(
            "({})",
            parts.iter().map(type_of).collect::<Vec<_>>().join(", ")
        ),
        Value::Seq { type_name, .. }
        | Value::Struct { type_name, .. }
        | Value::Built { type_name, .. } => type_name.clone(),
        Value::Parsed { type_name, .. } => type_name.clone(),
        // One variant, one type.
        other => format!("{:?}", std::mem::discriminant(other)),
    }
}

/// Returns the groups of a statement's candidates, those with most rows first.
pub(crate) fn groups(
    statement: StatementIdx,
    candidates: &[Candidate],
    writing: &Writing<'_>,
    next: &mut usize,
) -> Vec<Group> {
    let mut shapes: Vec<(String, Vec<CandidateIdx>)> = Vec::new();
    for (at, candidate) in enumerated(candidates) {
        let shape = shape(candidate, writing);
        match shapes.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, rows)) => rows.push(at),
            None => shapes.push((shape, vec![at])),
        }
    }
    shapes.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
    let groups = shapes.into_iter().map(|(_, rows)| {
        *next += 1;
        // All types are written, because the rows of a column must have one type.
        let comparisons = candidates[rows[0]]
            .claims
            .iter()
            .map(Comparison::first)
            .collect();
        let (generics, traits) = (Vec::new(), Vec::new());
        Group {
            number: *next,
            statement,
            rows,
            comparisons,
            generics,
            traits,
            refused: None,
            trial: Trial::None,
        }
    });
    groups.collect()
}

impl Group {
    /// Returns the test's name.
    pub(crate) fn name(&self) -> String {
        format!("{ROWS_NAME}{}_of_{}", self.number, self.rows.len())
    }

    /// Returns whether its test is in the copy.
    pub(crate) fn stands(&self) -> bool {
        self.refused.is_none() && !matches!(self.trial, Trial::Aside(_))
    }

    /// Returns whether its test is on trial.
    pub(crate) fn is_on_trial(&self) -> bool {
        self.refused.is_none() && self.trial == Trial::On
    }

    /// Drops the group for this reason.
    pub(crate) fn give_up(&mut self, reason: &GroupRefusal) {
        self.refused.get_or_insert_with(|| reason.clone());
        self.trial = Trial::None;
    }

    /// Returns whether its test would have the same clauses as that of another group.
    pub(crate) fn says_as(&self, other: &Group) -> bool {
        let said = |group: &Group| {
            (
                group.comparisons.clone(),
                group.generics.clone(),
                group.traits.clone(),
            )
        };
        !other.rows.is_empty() && said(self) == said(other)
    }

    /// Returns a group for each row.
    pub(crate) fn one_by_one(&self, next: &mut usize) -> Vec<Group> {
        let single = |row: &CandidateIdx| {
            *next += 1;
            Group {
                number: *next,
                rows: vec![*row],
                ..self.clone()
            }
        };
        self.rows.iter().map(single).collect()
    }

    /// Drops a row; without any row the group is dropped.
    pub(crate) fn drop_row(&mut self, row: RowIdx, reason: GroupRefusal) {
        self.rows.remove(row.at());
        if self.rows.is_empty() {
            self.refused = Some(reason);
        }
    }

    /// Returns the group of the rows that claim what it compares, and groups of the others with
    /// their own claims.
    pub(crate) fn by_claims(
        &self,
        own_shape: Option<&str>,
        candidates: &[Candidate],
        writing: &Writing<'_>,
        next: &mut usize,
    ) -> Vec<Group> {
        let is_own = |row: &&CandidateIdx| {
            own_shape.is_some_and(|own| shape(&candidates[**row], writing) == own)
        };
        let (own, others): (Vec<CandidateIdx>, Vec<CandidateIdx>) =
            self.rows.iter().partition(is_own);
        let claimed: Vec<Candidate> = others.iter().map(|row| candidates[*row].clone()).collect();
        let made = groups(self.statement, &claimed, writing, next)
            .into_iter()
            .map(|group| {
                let rows = group.rows.iter().map(|row| others[row.at()]).collect();
                Group {
                    number: group.number,
                    comparisons: group.comparisons,
                    rows,
                    ..self.clone()
                }
            });
        let made: Vec<Group> = made.collect();
        [Group {
            rows: own,
            ..self.clone()
        }]
        .into_iter()
        .chain(made)
        .filter(|group| !group.rows.is_empty())
        .collect()
    }

    /// Makes the test write the types of what the statement computes.
    pub(crate) fn say_types(&mut self) {
        self.comparisons
            .iter_mut()
            .for_each(|comparison| *comparison = (*comparison).max(Comparison::EqualAs));
    }

    /// Uses a weaker comparison for a claim.
    pub(crate) fn weaken(&mut self, claim: ClaimIdx, candidates: &[Candidate]) {
        let Some(first) = self.rows.first().map(|row| &candidates[*row].claims[claim]) else {
            return;
        };
        let comparison = &mut self.comparisons[claim.at()];
        *comparison = comparison.weaker(first);
        if self
            .comparisons
            .iter()
            .all(|comparison| *comparison == Comparison::No)
        {
            self.refused = Some(GroupRefusal::NotCompared);
        }
    }

    /// Moves rows to a group of their own, for a weaker comparison.
    pub(crate) fn split_off(&mut self, rows: &BTreeSet<RowIdx>, next: &mut usize) -> Group {
        let (taken, left): (Vec<RowIdx>, Vec<RowIdx>) =
            indices(&self.rows).partition(|row| rows.contains(row));
        let candidates = |rows: Vec<RowIdx>| rows.into_iter().map(|row| self.rows[row]).collect();
        let (taken, left) = (candidates(taken), candidates(left));
        // Neither is the test that it was.
        self.number = *next + 1;
        *next += 2;
        self.rows = left;
        Group {
            number: *next,
            rows: taken,
            ..self.clone()
        }
    }

    /// Returns the oracles of a row that contain its expected values: rows of one table must agree
    /// in them.
    pub(crate) fn said_in_words(&self, candidate: &Candidate, writing: &Writing<'_>) -> String {
        let claims = candidate.claims.iter().zip(&self.comparisons);
        let in_words = claims
            .filter(|(claim, comparison)| comparison.holds_values() && claim.value().is_some());
        let said: Vec<_> = in_words
            .map(|(claim, comparison)| writing.oracles(claim, *comparison))
            .collect();
        format!("{said:?}")
    }

    /// Returns the test of the rows, or why there is none.
    pub(crate) fn test(
        &self,
        candidates: &[Candidate],
        writing: &Writing<'_>,
    ) -> Result<RowsTest, GroupRefusal> {
        let first = &candidates[*self.rows.first().ok_or(GroupRefusal::Unwritable)?];
        let columns: Vec<ClaimIdx> = indices(&first.claims)
            .filter(|at| self.is_column(first, *at))
            .collect();
        let mut test = self.arranged(candidates, &columns, ROW, writing)?;
        for (at, claim) in enumerated(&first.claims) {
            test.part(Part::Claim(at), |test| {
                if self.is_column(first, at) {
                    let expected = format!("situ_e{}", at.at());
                    let oracle = writing.equality(claim, self.comparisons[at.at()], &expected);
                    test.text.push_str(&format!(", {oracle}"));
                } else if self.comparisons[at.at()].holds_values() && claim.value().is_some() {
                    self.push_arms(at, candidates, writing, test);
                } else {
                    push_clauses(test, writing.oracles(claim, self.comparisons[at.at()]));
                }
            });
        }
        test.text.push_str(");");
        Ok(test)
    }

    /// Writes the test up to its oracles: the rows with a value for each of these claims, the
    /// selection of a row, and the givens.
    pub(crate) fn arranged(
        &self,
        candidates: &[Candidate],
        columns: &[ClaimIdx],
        row: &str,
        writing: &Writing<'_>,
    ) -> Result<RowsTest, GroupRefusal> {
        let first = &candidates[*self.rows.first().ok_or(GroupRefusal::Unwritable)?];
        let mut test = RowsTest {
            text: self.opening(first, columns, row, writing),
            ..RowsTest::default()
        };
        for (number, row) in enumerated(&self.rows) {
            let candidate = &candidates[*row];
            let Some(values) = row_values(candidate, columns, writing) else {
                continue;
            };
            if !self.says_something(candidate, writing) {
                continue;
            }
            test.part(Part::Row(number), |test| {
                test.text
                    .push_str(&format!("{} => ({values}), ", number.at()));
            });
        }
        if test.parts.is_empty() {
            let is_compared = self
                .rows
                .iter()
                .any(|row| self.says_something(&candidates[*row], writing));
            return Err(if is_compared {
                GroupRefusal::Unwritable
            } else {
                GroupRefusal::NotCompared
            });
        }
        test.text.push_str("_ => ::situ::rt::rows::none() })])");
        for clause in self
            .arrangement(first, writing)
            .ok_or(GroupRefusal::Unwritable)?
        {
            test.text.push_str(&format!(", {clause}"));
        }
        Ok(test)
    }

    /// Writes one oracle for a claim that contains the expected values: an arm for all rows with
    /// the same one.
    fn push_arms(
        &self,
        claim: ClaimIdx,
        candidates: &[Candidate],
        writing: &Writing<'_>,
        test: &mut RowsTest,
    ) {
        let mut arms: BTreeMap<String, Vec<RowIdx>> = BTreeMap::new();
        for row in rows_in(test) {
            let said = &candidates[self.rows[row]].claims[claim];
            let holds = writing.condition_of_parts(said, self.comparisons[claim.at()]);
            let holds = holds.unwrap_or_else(|| "true".to_owned());
            arms.entry(holds).or_default().push(row);
        }
        test.text
            .push_str(", check(match ::situ::rt::rows::row() { ");
        for (holds, rows) in arms {
            let numbers: Vec<String> = rows.iter().map(|row| row.at().to_string()).collect();
            let rows = rows.into_iter().collect();
            test.part(Part::Arm { claim, rows }, |test| {
                test.text
                    .push_str(&format!("{} => {holds}, ", numbers.join(" | ")));
            });
        }
        test.text.push_str("_ => ::situ::rt::rows::none() })");
    }

    /// Returns whether a row has any oracle.
    fn says_something(&self, candidate: &Candidate, writing: &Writing<'_>) -> bool {
        let claims = candidate.claims.iter().zip(&self.comparisons);
        claims
            .into_iter()
            .any(|(claim, comparison)| match comparison {
                Comparison::No => claim.value().is_none(),
                words if words.holds_values() => writing.oracles(claim, *words).is_some(),
                _ => true,
            })
    }

    /// Returns whether the claim is a column of the table.
    fn is_column(&self, first: &Candidate, claim: ClaimIdx) -> bool {
        self.comparisons[claim.at()].has_column() && first.claims[claim].value().is_some()
    }

    /// Returns the test up to its first row.
    fn opening(
        &self,
        first: &Candidate,
        columns: &[ClaimIdx],
        row: &str,
        writing: &Writing<'_>,
    ) -> String {
        let names: Vec<String> = (0..first.givens.len())
            .filter(|at| as_written(&first.givens[*at].1).is_none())
            .map(|at| format!("situ_g{at},"))
            .chain((0..first.arguments.len()).map(|at| format!("situ_a{at},")))
            .chain(
                (0..first.mocks.len()).filter_map(|at| Some(format!("{},", varying(first, at)?))),
            )
            .chain(columns.iter().map(|at| format!("situ_e{},", at.at())))
            .collect();
        format!(
            "{}!(\"{}\", ignore(\"rows\"), each(::situ::rt::rows::Row(({})), [::situ::rt::rows::Row(match {row} {{ ",
            macro_name(writing),
            self.name(),
            names.concat()
        )
    }

    /// Returns the clauses between rows and claims: givens, extent, arguments, mocks.
    fn arrangement(&self, first: &Candidate, writing: &Writing<'_>) -> Option<Vec<String>> {
        let given = |(at, (name, value)): (usize, &(String, Value))| match as_written(value) {
            Some(source) => format!("given({name} = {source})"),
            // This marks it as the replacement of an iterator of another type.
            None if is_another_iterator(value) => format!("given({name} = situ_g{at}.into_iter())"),
            None => format!("given({name} = situ_g{at})"),
        };
        let givens = first.givens.iter().enumerate().map(given);
        let generics = generic_givens(&self.generics, first, writing)?;
        let generics = generics
            .into_iter()
            .map(|(name, of_type)| format!("given({name} = {of_type})"));
        let arguments: Vec<String> = (0..first.arguments.len())
            .map(|at| format!("situ_a{at}"))
            .collect();
        let scope = writing
            .scope(first, &self.comparisons)
            .into_iter()
            .chain(args(&arguments));
        let mocks = writing.mocks_with(first, Style::default(), &|at| varying(first, at))?;
        Some(
            givens
                .chain(generics)
                .chain(bringing(&self.traits))
                .chain(scope)
                .chain(mocks)
                .collect(),
        )
    }
}

/// Returns whether a value is written as an iterator over a list, whatever its type was.
fn is_another_iterator(value: &Value) -> bool {
    matches!(value, Value::Built { type_name, tail, .. }
        if tail.trim_end_matches(".peekable()").ends_with(".into_iter()") && !type_name.contains("vec::into_iter::"))
}

/// Returns the length of a candidate's inputs in a row, or `None` if they have no expression.
pub(crate) fn written_length(candidate: &Candidate, writing: &Writing<'_>) -> Option<usize> {
    row_values(candidate, &[], writing).map(|text| text.len())
}

fn row_values(
    candidate: &Candidate,
    columns: &[ClaimIdx],
    writing: &Writing<'_>,
) -> Option<String> {
    let style = Style {
        keeper: Some("::situ::rt::rows::kept"),
        ..Style::default()
    };
    let mut text = String::new();
    for (name, value) in candidate
        .givens
        .iter()
        .filter(|(_, value)| as_written(value).is_none())
    {
        text.push_str(&writing.given(name, value, style)?);
        text.push_str(", ");
    }
    for value in &candidate.arguments {
        text.push_str(&writing.expression(value, style)?);
        text.push_str(", ");
    }
    for value in candidate.mocks.iter().filter_map(Mock::varying) {
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

/// Returns the variable for the varying value of a mock.
fn varying(candidate: &Candidate, mock: usize) -> Option<String> {
    candidate.mocks[mock]
        .varying()
        .map(|_| format!("situ_m{mock}"))
}

/// Returns the test macro: a tail is a fragment of its own.
pub(crate) fn macro_name(writing: &Writing<'_>) -> &'static str {
    match writing.spot.target {
        Target::Statement => Kind::Inline,
        Target::Tail | Target::Fragment(_) => Kind::Block,
        Target::Closure { .. } => Kind::Closure,
    }
    .macro_name()
}
