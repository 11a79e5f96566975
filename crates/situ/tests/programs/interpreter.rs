//! What the programs do.

use super::program::{Block, Condition, Expression, Statement};
use std::collections::BTreeMap;

pub type Values = BTreeMap<char, i64>;

/// How statements ended, other than by their end.
#[derive(Clone, Copy, PartialEq)]
pub enum Exit {
    Break(Option<u32>),
    Continue(Option<u32>),
    Return(Option<i64>),
    /// More steps than a test should take.
    TooLong,
}

/// How often control came to the first and to the second block of a statement.
pub type Passes = [u32; 2];

pub struct Interpreter {
    pub values: Values,
    steps: u32,
}

impl Interpreter {
    pub fn new(values: Values) -> Self {
        Interpreter { values, steps: 0 }
    }

    /// Runs statements up to their end or to the first exit, and counts the passes of each.
    pub fn run(&mut self, statements: &[Statement]) -> (Vec<Passes>, Result<(), Exit>) {
        let mut passes = vec![[0, 0]; statements.len()];
        let mut result = Ok(());
        for (statement, passes) in statements.iter().zip(&mut passes) {
            result = self.statement(statement, passes);
            if result.is_err() {
                break;
            }
        }
        (passes, result)
    }

    fn block(&mut self, block: &Block, passes: &mut u32) -> Result<(), Exit> {
        *passes += 1;
        block
            .statements
            .iter()
            .try_for_each(|statement| self.statement(statement, &mut [0, 0]))
    }

    fn statement(&mut self, statement: &Statement, passes: &mut Passes) -> Result<(), Exit> {
        self.steps += 1;
        if self.steps > 2_000 {
            return Err(Exit::TooLong);
        }
        let [first, second] = passes;
        match statement {
            Statement::If(condition, then, other) => match (self.holds(condition), other) {
                (true, _) => self.block(then, first)?,
                (false, Some(other)) => self.block(other, second)?,
                (false, None) => {}
            },
            Statement::Match(value, one, other) => match self.value(value) {
                1 => self.block(one, first)?,
                _ => self.block(other, second)?,
            },
            Statement::For {
                label,
                passes,
                body,
            } => self.repeat(*label, *passes, body, first)?,
            Statement::Plain(inner) => self.block(inner, first)?,
            Statement::Break(label) => return Err(Exit::Break(*label)),
            Statement::Continue(label) => return Err(Exit::Continue(*label)),
            Statement::Return(value) | Statement::Bail(value) => {
                return Err(Exit::Return(Some(self.value(value))));
            }
            Statement::Question(variable, condition, value) => {
                if !self.holds(condition) {
                    return Err(Exit::Return(None));
                }
                self.set(*variable, self.value(value));
            }
            Statement::Set(variable, value) | Statement::Await(variable, value) => {
                self.set(*variable, self.value(value))
            }
            Statement::Add(variable, value) => {
                self.set(
                    *variable,
                    self.values[variable].wrapping_add(self.value(value)),
                );
            }
        }
        Ok(())
    }

    fn repeat(&mut self, own: u32, times: u32, body: &Block, passes: &mut u32) -> Result<(), Exit> {
        for _ in 0..times {
            match self.block(body, passes) {
                Err(Exit::Break(label)) if label.is_none_or(|label| label == own) => break,
                Err(Exit::Continue(label)) if label.is_none_or(|label| label == own) => {}
                other => other?,
            }
        }
        Ok(())
    }

    fn set(&mut self, variable: char, value: i64) {
        self.values.insert(variable, value);
    }

    fn value(&self, expression: &Expression) -> i64 {
        match expression {
            Expression::Variable(variable) => self.values[variable],
            Expression::Number(number) => *number,
            Expression::Call(method, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                match *method {
                    "wrapping_add" => left.wrapping_add(right),
                    "wrapping_sub" => left.wrapping_sub(right),
                    _ => left.wrapping_mul(right),
                }
            }
        }
    }

    fn holds(&self, condition: &Condition) -> bool {
        let (left, right) = (self.value(&condition.left), self.value(&condition.right));
        match condition.operator {
            "<" => left < right,
            ">" => left > right,
            "==" => left == right,
            _ => left != right,
        }
    }
}
