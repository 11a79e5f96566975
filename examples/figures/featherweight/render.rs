//! Programs as Rust source, one statement a line, and the lines of every fragment.

use super::generate;
use super::language::*;

/// Rust source, and what is known about the tests in it.
#[derive(Default)]
pub struct Rendered {
    pub text: String,
    lines: usize,
    /// Name, first and last line of the fragment.
    pub tests: Vec<(String, usize, usize)>,
}

/// Which tests to write.
#[derive(Clone, Copy, PartialEq)]
pub enum Tests<'a> {
    None,
    All,
    /// All, each followed by its wrong versions, which are ignored.
    AllAndWrong,
    Only(&'a str),
}

/// The function alone, without `#[situ]`.
pub fn function(program: &Program, tests: Tests) -> Rendered {
    let mut out = Rendered::default();
    let parameters = VARIABLES
        .map(|variable| format!("mut {variable}: i64"))
        .join(", ");
    out.line(&format!("pub fn {}({parameters}) -> i64 {{", program.name));
    out.block(&program.body, tests, Some(VARIABLES[0]));
    out.line("}");
    out
}

impl Rendered {
    fn line(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
        self.lines += 1;
    }

    fn block(&mut self, block: &Block, tests: Tests, tail: Option<Variable>) {
        let mut lines = Vec::new();
        for (at, statement) in block.statements.iter().enumerate() {
            self.tests_before(block, at, tests);
            let first = self.lines + 1;
            self.statement(statement, tests);
            lines.push((first, self.lines));
        }
        self.tests_before(block, block.statements.len(), tests);
        if let Some(tail) = tail {
            self.line(tail);
            lines.push((self.lines, self.lines));
        }
        for (_, test) in block
            .tests
            .iter()
            .filter(|(_, test)| is_written(test, tests))
        {
            let last = test.fragment.end - 1 + usize::from(test.fragment.with_tail);
            self.tests.push((
                test.name.clone(),
                lines[test.fragment.first].0,
                lines[last].1,
            ));
        }
    }

    fn tests_before(&mut self, block: &Block, at: usize, tests: Tests) {
        for (_, test) in block.tests.iter().filter(|(place, _)| *place == at) {
            if !is_written(test, tests) {
                // Lines stay where they are, whatever tests are written.
                self.line("");
                continue;
            }
            self.line(&format!("blocktest!({});", clauses(test).join(", ")));
            if tests == Tests::AllAndWrong {
                for wrong in generate::wrong_versions(test) {
                    self.line(&format!(
                        "blocktest!({}, ignore(\"wrong\"));",
                        clauses(&wrong).join(", ")
                    ));
                }
            }
        }
    }

    fn statement(&mut self, statement: &Statement, tests: Tests) {
        match statement {
            Statement::Let(variable, value) => {
                self.line(&format!("let mut {variable}: i64 = {};", expression(value)))
            }
            Statement::Assign(variable, value) => {
                self.line(&format!("{variable} = {};", expression(value)))
            }
            Statement::Toggle(variable, value) => {
                self.line(&format!("{variable} ^= {};", expression(value)))
            }
            Statement::Return(value) => self.line(&format!("return {};", expression(value))),
            Statement::Break => self.line("break;"),
            Statement::Continue => self.line("continue;"),
            Statement::Block(block) => self.braces("{", block, tests),
            Statement::Repeat(times, block) => {
                self.braces(&format!("for _ in 0..{times} {{"), block, tests)
            }
            Statement::If {
                left,
                comparison,
                right,
                then,
                otherwise,
            } => {
                let comparison = match comparison {
                    Comparison::Equal => "==",
                    Comparison::Less => "<",
                    Comparison::Unequal => "!=",
                };
                self.line(&format!(
                    "if {} {comparison} {} {{",
                    expression(left),
                    expression(right)
                ));
                self.block(then, tests, None);
                if let Some(otherwise) = otherwise {
                    self.line("} else {");
                    self.block(otherwise, tests, None);
                }
                self.line("}");
            }
        }
    }

    fn braces(&mut self, opening: &str, block: &Block, tests: Tests) {
        self.line(opening);
        self.block(block, tests, None);
        self.line("}");
    }
}

fn is_written(test: &Test, tests: Tests) -> bool {
    match tests {
        Tests::None => false,
        Tests::All | Tests::AllAndWrong => true,
        Tests::Only(name) => test.name == name,
    }
}

fn expression(expression: &Expression) -> String {
    match expression {
        Expression::Number(number) => number.to_string(),
        Expression::Variable(variable) => (*variable).to_owned(),
        Expression::Call(function) => format!("{function}()"),
        Expression::Sum(variable, number) => format!("{variable}.wrapping_add({number})"),
    }
}

fn clauses(test: &Test) -> Vec<String> {
    let mut clauses = vec![format!("{:?}", test.name)];
    if !test.givens.is_empty() {
        let givens: Vec<_> = test
            .givens
            .iter()
            .map(|(variable, value)| format!("{variable} = {value}"))
            .collect();
        clauses.push(format!("given({})", givens.join(", ")));
    }
    clauses.extend(
        test.setup
            .map(|(variable, value)| format!("setup({{ {variable} = {value}; }})")),
    );
    clauses.extend(
        test.mock
            .map(|(function, value)| format!("mock({function}(), {value})")),
    );
    clauses.extend(match test.clause {
        Clause::None => None,
        Clause::Next(count) => Some(format!("next({count})")),
        Clause::EndFirstBlock(count) => Some(format!("end(first_block, {count})")),
        Clause::EndFirstAssign => Some("end(first_assign)".to_owned()),
        Clause::EndFirstExit => Some("end(first_exit)".to_owned()),
        Clause::StartFirstBlock(count) => Some(format!("start(first_block, {count})")),
    });
    clauses.extend(test.oracles.iter().map(|oracle| match oracle {
        Oracle::Equal(variable, value) => format!("check_eq({variable}, {value})"),
        Oracle::Return(value) => format!("check_return({value})"),
        Oracle::Break => "check_break()".to_owned(),
        Oracle::Continue => "check_continue()".to_owned(),
        Oracle::Runs => "check_runs()".to_owned(),
    }));
    clauses
}
