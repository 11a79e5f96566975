//! Which variables and functions statements name.

use super::language::*;

/// Whether any of it names the variable, shadowed or not.
pub fn names(statement: &Statement, variable: Variable) -> bool {
    let named = |expression: &Expression| expression_variable(expression) == Some(variable);
    let here = match statement {
        Statement::Let(target, value)
        | Statement::Assign(target, value)
        | Statement::Toggle(target, value) => *target == variable || named(value),
        Statement::If { left, right, .. } => named(left) || named(right),
        Statement::Return(value) => named(value),
        Statement::Block(_) | Statement::Repeat(..) | Statement::Break | Statement::Continue => {
            false
        }
    };
    here || inside(statement).any(|inner| names(inner, variable))
}

/// Whether it gives the variable of its own block a value; one that an inner block declares anew is another.
pub fn assigns(statement: &Statement, variable: Variable) -> bool {
    match statement {
        Statement::Let(target, _) | Statement::Assign(target, _) | Statement::Toggle(target, _) => *target == variable,
        _ => statement.blocks().iter().any(|block| {
            let declared_anew = |inner: &&Statement| matches!(inner, Statement::Let(target, _) if *target == variable);
            block.statements.iter().take_while(|inner| !declared_anew(inner)).any(|inner| assigns(inner, variable))
        }),
    }
}

/// Whether it, or a statement in it, is of this kind.
pub fn any(statement: &Statement, kind: fn(&Statement) -> bool) -> bool {
    kind(statement) || inside(statement).any(|inner| any(inner, kind))
}

/// Whether any of it calls the function.
pub fn calls(statement: &Statement, function: &str) -> bool {
    let called =
        |expression: &Expression| matches!(expression, Expression::Call(name) if *name == function);
    let here = match statement {
        Statement::Let(_, value) | Statement::Assign(_, value) | Statement::Toggle(_, value) => {
            called(value)
        }
        Statement::If { left, right, .. } => called(left) || called(right),
        Statement::Return(value) => called(value),
        _ => false,
    };
    here || inside(statement).any(|inner| calls(inner, function))
}

fn inside(statement: &Statement) -> impl Iterator<Item = &Statement> {
    statement
        .blocks()
        .into_iter()
        .flat_map(|block| &block.statements)
}

fn expression_variable(expression: &Expression) -> Option<Variable> {
    match expression {
        Expression::Variable(variable) | Expression::Sum(variable, _) => Some(variable),
        Expression::Number(_) | Expression::Call(_) => None,
    }
}

/// How a fragment uses a variable that is not its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Use {
    /// It does not.
    None,
    /// Its first use is an assignment that always happens.
    AssignedFirst,
    /// It may read it before assigning it.
    Needed,
}

/// How these sibling statements use the variable from outside.
pub fn outer_use(statements: &[Statement], variable: Variable) -> Use {
    for statement in statements {
        match statement {
            Statement::Let(target, value) if *target == variable => {
                return if expression_variable(value) == Some(variable) {
                    Use::Needed
                } else {
                    Use::None
                };
            }
            Statement::Assign(target, value) if *target == variable => {
                let read = expression_variable(value) == Some(variable);
                return if read {
                    Use::Needed
                } else {
                    Use::AssignedFirst
                };
            }
            _ if names_from_outside(statement, variable) => return Use::Needed,
            _ => {}
        }
    }
    Use::None
}

fn names_from_outside(statement: &Statement, variable: Variable) -> bool {
    let itself = match statement {
        Statement::If { left, right, .. } => [left, right]
            .into_iter()
            .any(|operand| expression_variable(operand) == Some(variable)),
        simple if simple.blocks().is_empty() => names(simple, variable),
        _ => false,
    };
    itself
        || statement
            .blocks()
            .iter()
            .any(|block| outer_use(&block.statements, variable) != Use::None)
}
