//! What programs mean: a direct interpreter.

use super::language::*;

/// How statements end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    Through,
    /// At the end of the function, with its value.
    Tail(i64),
    Return(i64),
    Break,
    Continue,
}

impl Outcome {
    /// Whether the end was reached, so that everything declared on the way is still known.
    pub fn is_at_the_end(self) -> bool {
        matches!(self, Outcome::Through | Outcome::Tail(_))
    }
}

/// The variables in scope, innermost last; an unset one has no value.
pub struct State {
    variables: Vec<(Variable, Option<i64>)>,
    mock: Option<(&'static str, i64)>,
}

impl State {
    /// The state in which a test starts its fragment: its givens, changed by its setup, and nothing else.
    pub fn of(test: &Test) -> Self {
        let unset = VARIABLES
            .into_iter()
            .filter(|name| !test.givens.iter().any(|(given, _)| given == name));
        let variables = unset
            .map(|name| (name, None))
            .chain(test.givens.iter().map(|&(name, value)| (name, Some(value))));
        let mut state = State {
            variables: variables.collect(),
            mock: test.mock,
        };
        if let Some((variable, value)) = test.setup {
            state.set(variable, value);
        }
        state
    }

    /// The value of the innermost variable of this name.
    pub fn get(&self, variable: Variable) -> Option<i64> {
        self.variables
            .iter()
            .rev()
            .find(|(name, _)| *name == variable)
            .and_then(|(_, value)| *value)
    }

    fn set(&mut self, variable: Variable, value: i64) {
        let place = self
            .variables
            .iter_mut()
            .rev()
            .find(|(name, _)| *name == variable);
        place.expect("every variable is declared").1 = Some(value);
    }

    fn value(&self, expression: &Expression) -> i64 {
        let read = |variable| {
            self.get(variable)
                .expect("no test leaves out a variable that is read")
        };
        match *expression {
            Expression::Number(number) => number,
            Expression::Variable(variable) => read(variable),
            Expression::Sum(variable, number) => read(variable).wrapping_add(number),
            Expression::Call(function) => match self.mock {
                Some((mocked, value)) if mocked == function => value,
                _ => {
                    FUNCTIONS
                        .into_iter()
                        .find(|(name, _)| *name == function)
                        .expect("only known calls")
                        .1
                }
            },
        }
    }

    /// Runs sibling statements in the scope that is open, and leaves it open.
    pub fn run(&mut self, statements: &[Statement]) -> Outcome {
        for statement in statements {
            let outcome = self.step(statement);
            if outcome != Outcome::Through {
                return outcome;
            }
        }
        Outcome::Through
    }

    /// Runs a fragment; where it is left early, what it declared is gone.
    pub fn run_fragment(&mut self, statements: &[Statement], with_tail: bool) -> Outcome {
        let outer = self.variables.len();
        let mut outcome = self.run(statements);
        if outcome == Outcome::Through && with_tail {
            outcome = Outcome::Tail(self.value(&Expression::Variable(VARIABLES[0])));
        }
        if !outcome.is_at_the_end() {
            self.variables.truncate(outer);
        }
        outcome
    }

    fn run_block(&mut self, block: &Block) -> Outcome {
        let outer = self.variables.len();
        let outcome = self.run(&block.statements);
        self.variables.truncate(outer);
        outcome
    }

    fn step(&mut self, statement: &Statement) -> Outcome {
        match statement {
            Statement::Let(variable, value) => {
                let value = self.value(value);
                self.variables.push((variable, Some(value)));
                Outcome::Through
            }
            Statement::Assign(variable, value) => {
                self.set(variable, self.value(value));
                Outcome::Through
            }
            Statement::Toggle(variable, value) => {
                self.set(
                    variable,
                    self.value(&Expression::Variable(variable)) ^ self.value(value),
                );
                Outcome::Through
            }
            Statement::Block(block) => self.run_block(block),
            Statement::If {
                left,
                comparison,
                right,
                then,
                otherwise,
            } => match (self.holds(left, *comparison, right), otherwise) {
                (true, _) => self.run_block(then),
                (false, Some(otherwise)) => self.run_block(otherwise),
                (false, None) => Outcome::Through,
            },
            Statement::Repeat(times, block) => self.repeat(*times, block),
            Statement::Return(value) => Outcome::Return(self.value(value)),
            Statement::Break => Outcome::Break,
            Statement::Continue => Outcome::Continue,
        }
    }

    fn holds(&self, left: &Expression, comparison: Comparison, right: &Expression) -> bool {
        let (left, right) = (self.value(left), self.value(right));
        match comparison {
            Comparison::Equal => left == right,
            Comparison::Less => left < right,
            Comparison::Unequal => left != right,
        }
    }

    fn repeat(&mut self, times: usize, block: &Block) -> Outcome {
        for _ in 0..times {
            match self.run_block(block) {
                Outcome::Through | Outcome::Continue => {}
                Outcome::Break => break,
                returned @ (Outcome::Return(_) | Outcome::Tail(_)) => return returned,
            }
        }
        Outcome::Through
    }
}
