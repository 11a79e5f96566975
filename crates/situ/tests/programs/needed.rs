//! Which variables a fragment must be given: those it may read before it has assigned them.

use super::program::{Block, Condition, Expression, Statement};
use std::collections::BTreeSet;

/// The variables that are surely assigned; none where control never comes.
type Assigned = Option<BTreeSet<char>>;

#[derive(Default)]
pub struct Needed {
    pub read_unassigned: BTreeSet<char>,
}

impl Needed {
    /// Goes through statements, and tells what is assigned at their end.
    pub fn statements(&mut self, statements: &[Statement], before: &BTreeSet<char>) -> Assigned {
        statements
            .iter()
            .try_fold(before.clone(), |assigned, statement| {
                self.statement(statement, assigned)
            })
    }

    fn block(&mut self, block: &Block, before: &BTreeSet<char>) -> Assigned {
        self.statements(&block.statements, before)
    }

    fn statement(&mut self, statement: &Statement, mut assigned: BTreeSet<char>) -> Assigned {
        match statement {
            Statement::If(condition, then, other) => {
                self.reads_condition(condition, &assigned);
                let then = self.block(then, &assigned);
                both(
                    then,
                    other
                        .as_ref()
                        .map_or(Some(assigned.clone()), |other| self.block(other, &assigned)),
                )
            }
            Statement::Match(value, one, other) => {
                self.reads(value, &assigned);
                both(self.block(one, &assigned), self.block(other, &assigned))
            }
            Statement::For { body, .. } => {
                // It may not run at all, and the first pass is the one that knows least.
                self.block(body, &assigned);
                Some(assigned)
            }
            Statement::Plain(inner) => self.block(inner, &assigned),
            Statement::Break(_) | Statement::Continue(_) => None,
            Statement::Return(value) => {
                self.reads(value, &assigned);
                None
            }
            Statement::Bail(value) => {
                // Nobody can see that the macro leaves.
                self.reads(value, &assigned);
                Some(assigned)
            }
            Statement::Question(variable, condition, value) => {
                self.reads_condition(condition, &assigned);
                self.reads(value, &assigned);
                assigned.insert(*variable);
                Some(assigned)
            }
            Statement::Set(variable, value) | Statement::Await(variable, value) => {
                self.reads(value, &assigned);
                assigned.insert(*variable);
                Some(assigned)
            }
            Statement::Add(variable, value) => {
                self.reads(&Expression::Variable(*variable), &assigned);
                self.reads(value, &assigned);
                assigned.insert(*variable);
                Some(assigned)
            }
        }
    }

    fn reads(&mut self, expression: &Expression, assigned: &BTreeSet<char>) {
        match expression {
            Expression::Variable(variable) if assigned.contains(variable) => {}
            Expression::Variable(variable) => {
                self.read_unassigned.insert(*variable);
            }
            Expression::Number(_) => {}
            Expression::Call(_, left, right) => {
                self.reads(left, assigned);
                self.reads(right, assigned);
            }
        }
    }

    fn reads_condition(&mut self, condition: &Condition, assigned: &BTreeSet<char>) {
        self.reads(&condition.left, assigned);
        self.reads(&condition.right, assigned);
    }
}

/// What is assigned where two ways meet.
fn both(one: Assigned, other: Assigned) -> Assigned {
    match (one, other) {
        (Some(one), Some(other)) => Some(&one & &other),
        (way, None) | (None, way) => way,
    }
}
