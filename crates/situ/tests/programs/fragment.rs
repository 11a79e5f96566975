//! Where the fragment of a block test begins and ends, read from the design.

use super::program::{Block, Statement};
use std::ops::Range;

#[derive(Clone, Copy, PartialEq)]
pub enum Clause {
    Default,
    Next(usize),
    EndBlock(usize),
    EndAssign,
    EndExit,
    StartBlock(usize),
    StartAssign,
    StartExit,
}

impl Clause {
    pub fn looks_back(self) -> bool {
        matches!(
            self,
            Clause::StartBlock(_) | Clause::StartAssign | Clause::StartExit
        )
    }

    /// As it is written; nothing for the default.
    pub fn text(self) -> Option<String> {
        Some(match self {
            Clause::Default => return None,
            Clause::Next(count) => format!("next({count})"),
            Clause::EndBlock(1) => "end(first_block)".to_string(),
            Clause::EndBlock(nth) => format!("end(first_block, {nth})"),
            Clause::EndAssign => "end(first_assign)".to_string(),
            Clause::EndExit => "end(first_exit)".to_string(),
            Clause::StartBlock(1) => "start(first_block)".to_string(),
            Clause::StartBlock(nth) => format!("start(first_block, {nth})"),
            Clause::StartAssign => "start(first_assign)".to_string(),
            Clause::StartExit => "start(first_exit)".to_string(),
        })
    }
}

/// The statements of the fragment of a test that stands before statement `at`; none where that is an error. The
/// `asked` variables are those that the oracles mention; a body has a tail of its own after its statements.
pub fn fragment(
    block: &Block,
    is_body: bool,
    at: usize,
    clause: Clause,
    asked: &[char],
) -> Option<Range<usize>> {
    let statements = &block.statements;
    let after = &statements[at..];
    let before = statements[..at].iter().rev();
    let from_end = |back: usize| at - back..at;
    match clause {
        Clause::Default => default_end(block, is_body, at, asked).map(|end| at..end),
        Clause::Next(count) => (at + count <= statements.len()).then_some(at..at + count),
        Clause::EndBlock(nth) => Some(at..at + nth_block(after.iter(), nth).unwrap_or(after.len())),
        Clause::EndAssign => all_assigned(after.iter(), asked).map(|length| at..at + length),
        Clause::EndExit => first_exit(after.iter()).map(|length| at..at + length),
        Clause::StartBlock(nth) => (at > 0).then(|| from_end(nth_block(before, nth).unwrap_or(at))),
        Clause::StartAssign => all_assigned(before, asked).map(from_end),
        Clause::StartExit => first_exit(before).map(from_end),
    }
}

/// After the last statement that mentions an asked variable, or else at the block's end; a closing `return` and the
/// body's tail do not count.
fn default_end(block: &Block, is_body: bool, at: usize, asked: &[char]) -> Option<usize> {
    let closing_return = !is_body && matches!(block.statements.last(), Some(Statement::Return(_)));
    let end = block.statements.len() - usize::from(closing_return);
    let mentions = |index: &usize| {
        let mut mentioned = Vec::new();
        block.statements[*index].note_mentioned(&mut mentioned);
        mentioned.iter().any(|variable| asked.contains(variable))
    };
    let last = (at..end).rev().find(mentions).map(|index| index + 1);
    (at < end).then(|| last.unwrap_or(end))
}

/// How many statements there are up to and with the `nth` block statement.
fn nth_block<'a>(statements: impl Iterator<Item = &'a Statement>, nth: usize) -> Option<usize> {
    let is_block = |(_, statement): &(usize, &Statement)| !statement.blocks().is_empty();
    statements
        .enumerate()
        .filter(is_block)
        .nth(nth - 1)
        .map(|(index, _)| index + 1)
}

/// How many statements there are up to and with the one by which all asked variables have been assigned.
fn all_assigned<'a>(
    statements: impl Iterator<Item = &'a Statement>,
    asked: &[char],
) -> Option<usize> {
    let mut assigned = Vec::new();
    let by_now = |(_, statement): &(usize, &Statement)| {
        statement.note_assigned(&mut assigned);
        asked.iter().all(|variable| assigned.contains(variable))
    };
    if asked.is_empty() {
        return None;
    }
    statements
        .enumerate()
        .find(by_now)
        .map(|(index, _)| index + 1)
}

/// How many statements there are up to and with the first that can leave.
fn first_exit<'a>(mut statements: impl Iterator<Item = &'a Statement>) -> Option<usize> {
    statements
        .position(|statement| can_leave(statement, &[]))
        .map(|index| index + 1)
}

/// Whether a statement can leave by what can be seen of it; `loops` are those of the statement itself around this part.
fn can_leave(statement: &Statement, loops: &[u32]) -> bool {
    let inner: Vec<u32> = match statement {
        Statement::For { label, .. } => loops.iter().copied().chain([*label]).collect(),
        _ => loops.to_vec(),
    };
    match statement {
        Statement::Return(_) | Statement::Question(..) => true,
        Statement::Break(None) | Statement::Continue(None) => loops.is_empty(),
        Statement::Break(Some(label)) | Statement::Continue(Some(label)) => !loops.contains(label),
        _ => statement
            .blocks()
            .iter()
            .flat_map(|block| &block.statements)
            .any(|part| can_leave(part, &inner)),
    }
}
