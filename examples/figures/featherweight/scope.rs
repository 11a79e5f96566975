//! Where a fragment ends or starts, by the words of the manual and independent of Situ's own code.

use super::language::*;
use super::mentions;

/// The fragment of a test that stands before statement `at` (for `start`: after the one before), if it has one.
pub fn resolve(
    block: &Block,
    at: usize,
    is_function_body: bool,
    clause: Clause,
    oracles: &[Oracle],
) -> Option<Fragment> {
    let following = &block.statements[at..];
    let to_the_edge = Fragment {
        first: at,
        end: block.statements.len(),
        with_tail: is_function_body,
    };
    let asks_for_the_value = oracles
        .iter()
        .any(|oracle| matches!(oracle, Oracle::Return(_)));
    let length = match clause {
        Clause::Next(count) => (count <= following.len()).then_some(count)?,
        Clause::EndFirstBlock(count) => match nth_block(following.iter(), count) {
            Some(length) => length,
            None if asks_for_the_value && is_function_body => return Some(to_the_edge),
            None => following.len(),
        },
        Clause::EndFirstAssign => until_all_are_assigned(following, oracles)?,
        Clause::EndFirstExit => until_exit(following)?,
        Clause::StartFirstBlock(count) => {
            let before = &block.statements[..at];
            let length = nth_block(before.iter().rev(), count).unwrap_or(before.len());
            return (length > 0).then_some(Fragment {
                first: at - length,
                end: at,
                with_tail: false,
            });
        }
        Clause::None if asks_for_the_value => {
            return (!following.is_empty() || is_function_body).then_some(to_the_edge);
        }
        Clause::None => until_last_mention(following, oracles)?,
    };
    (length > 0).then_some(Fragment {
        first: at,
        end: at + length,
        with_tail: false,
    })
}

/// How many statements it takes to see so many block statements.
fn nth_block<'a>(statements: impl Iterator<Item = &'a Statement>, count: usize) -> Option<usize> {
    statements
        .zip(1..)
        .filter(|(statement, _)| statement.is_block())
        .nth(count - 1)
        .map(|(_, length)| length)
}

fn variables(oracles: &[Oracle]) -> impl Iterator<Item = Variable> {
    oracles.iter().filter_map(|oracle| match oracle {
        Oracle::Equal(variable, _) => Some(*variable),
        Oracle::Return(_) | Oracle::Break | Oracle::Continue | Oracle::Runs => None,
    })
}

fn until_all_are_assigned(statements: &[Statement], oracles: &[Oracle]) -> Option<usize> {
    let mut length = None;
    for variable in variables(oracles) {
        let assigned = statements
            .iter()
            .position(|statement| mentions::assigns(statement, variable))?;
        length = length.max(Some(assigned + 1));
    }
    length
}

/// Only `return` is looked for: whether an inner loop's `break` leaves is not this model's business.
fn until_exit(statements: &[Statement]) -> Option<usize> {
    let exit = statements
        .iter()
        .position(|statement| mentions::any(statement, |it| matches!(it, Statement::Return(_))))?;
    let jumps = |statement| {
        mentions::any(statement, |it| {
            matches!(it, Statement::Break | Statement::Continue)
        })
    };
    (!statements[..=exit].iter().any(jumps)).then_some(exit + 1)
}

fn until_last_mention(statements: &[Statement], oracles: &[Oracle]) -> Option<usize> {
    let counted = match statements {
        [others @ .., Statement::Return(_)] => others,
        all => all,
    };
    let mentioned = |statement: &Statement| {
        variables(oracles).any(|variable| mentions::names(statement, variable))
    };
    counted.iter().rposition(mentioned).map(|last| last + 1)
}
