//! Changes a program everywhere but in the fragment of one test.

use super::language::*;

/// The program with another value in every expression that the test does not run.
pub fn changed(program: &Program, test: &str) -> Program {
    let mut program = program.clone();
    change_block(&mut program.body, test);
    program
}

fn change_block(block: &mut Block, test: &str) {
    let fragment = block
        .tests
        .iter()
        .find(|(_, found)| found.name == test)
        .map(|(_, found)| found.fragment.clone());
    for (at, statement) in block.statements.iter_mut().enumerate() {
        let runs = fragment
            .as_ref()
            .is_some_and(|fragment| (fragment.first..fragment.end).contains(&at));
        if !runs {
            change_statement(statement, test);
        }
    }
}

fn change_statement(statement: &mut Statement, test: &str) {
    match statement {
        Statement::Let(_, value)
        | Statement::Assign(_, value)
        | Statement::Toggle(_, value)
        | Statement::Return(value) => change_expression(value),
        Statement::Block(block) | Statement::Repeat(_, block) => change_block(block, test),
        Statement::If {
            left,
            right,
            then,
            otherwise,
            ..
        } => {
            change_expression(left);
            change_expression(right);
            change_block(then, test);
            otherwise
                .iter_mut()
                .for_each(|block| change_block(block, test));
        }
        Statement::Break | Statement::Continue => {}
    }
}

/// Which variables are named stays the same: that may decide where a fragment ends.
fn change_expression(expression: &mut Expression) {
    *expression = match *expression {
        Expression::Number(number) => Expression::Number(number + 100),
        Expression::Variable(variable) => Expression::Sum(variable, 100),
        Expression::Sum(variable, number) => Expression::Sum(variable, number + 100),
        Expression::Call(_) => Expression::Number(100),
    };
}
