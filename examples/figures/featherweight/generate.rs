//! Random programs, and random tests in them that the interpreter says are right.

use super::interpret::{Outcome, State};
use super::language::*;
use super::mentions::{self, Use};
use super::random::Random;
use super::scope;

/// The program of this number, with right tests in many of its blocks.
pub fn program(number: usize) -> Program {
    let mut random = Random::new(number as u64 + 1);
    let mut body = block(&mut random, 3, false);
    let mut tests = 0;
    place_tests(&mut body, &mut random, true, &mut tests);
    Program {
        name: format!("program_{number}"),
        body,
    }
}

fn block(random: &mut Random, depth: usize, in_loop: bool) -> Block {
    let count = 1 + random.below(5);
    let mut statements: Vec<_> = (0..count)
        .map(|_| statement(random, depth, in_loop))
        .collect();
    // Exits stand only at the end of inner blocks, so that no program has dead statements.
    if depth < 3 && random.percent(20) {
        statements.push(match random.below(3) {
            0 if in_loop => Statement::Break,
            1 if in_loop => Statement::Continue,
            _ => Statement::Return(expression(random)),
        });
    }
    Block {
        statements,
        tests: Vec::new(),
    }
}

fn statement(random: &mut Random, depth: usize, in_loop: bool) -> Statement {
    let variable = random.pick(&VARIABLES);
    match random.below(if depth == 0 { 7 } else { 10 }) {
        0 => Statement::Let(variable, expression(random)),
        1..=4 => Statement::Assign(variable, expression(random)),
        5 | 6 => Statement::Toggle(variable, expression(random)),
        7 => Statement::Repeat(random.below(4), block(random, depth - 1, true)),
        // A bare block with an exit at its end would make what follows it unreachable.
        8 if random.percent(40) => Statement::Block(Block {
            statements: (0..1 + random.below(3))
                .map(|_| statement(random, 0, in_loop))
                .collect(),
            tests: Vec::new(),
        }),
        _ => Statement::If {
            left: expression(random),
            comparison: random.pick(&[Comparison::Equal, Comparison::Less, Comparison::Unequal]),
            right: expression(random),
            then: block(random, depth - 1, in_loop),
            otherwise: random
                .percent(50)
                .then(|| block(random, depth - 1, in_loop)),
        },
    }
}

fn expression(random: &mut Random) -> Expression {
    match random.below(6) {
        0 | 1 => Expression::Number(random.number()),
        2 | 3 => Expression::Variable(random.pick(&VARIABLES)),
        4 => Expression::Sum(random.pick(&VARIABLES), random.number()),
        _ => Expression::Call(random.pick(&FUNCTIONS).0),
    }
}

fn place_tests(block: &mut Block, random: &mut Random, is_function_body: bool, tests: &mut usize) {
    for at in 0..=block.statements.len() {
        if random.percent(35)
            && let Some(test) = test(block, at, random, is_function_body, *tests + 1)
        {
            *tests += 1;
            block.tests.push((at, test));
        }
    }
    for statement in &mut block.statements {
        match statement {
            Statement::Block(inner) | Statement::Repeat(_, inner) => {
                place_tests(inner, random, false, tests)
            }
            Statement::If {
                then, otherwise, ..
            } => {
                place_tests(then, random, false, tests);
                otherwise
                    .iter_mut()
                    .for_each(|inner| place_tests(inner, random, false, tests));
            }
            _ => {}
        }
    }
}

fn clause(random: &mut Random) -> Clause {
    match random.below(9) {
        0 | 1 => Clause::Next(1 + random.below(3)),
        2 => Clause::EndFirstBlock(1 + random.below(2)),
        3 => Clause::EndFirstAssign,
        4 => Clause::EndFirstExit,
        5 => Clause::StartFirstBlock(1 + random.below(2)),
        _ => Clause::None,
    }
}

/// A right test at this place, unless chance made none possible.
fn test(
    block: &Block,
    at: usize,
    random: &mut Random,
    is_function_body: bool,
    number: usize,
) -> Option<Test> {
    let clause = clause(random);
    let mut watched: Vec<Variable> = VARIABLES
        .into_iter()
        .filter(|_| random.percent(40))
        .collect();
    if watched.is_empty() {
        watched.push(random.pick(&VARIABLES));
    }
    // Values are not known yet; where the fragment ends depends only on the variables.
    let mut draft: Vec<Oracle> = watched
        .iter()
        .map(|&variable| Oracle::Equal(variable, 0))
        .collect();
    if clause == Clause::None && is_function_body && random.percent(25) {
        draft = vec![Oracle::Return(0)];
        watched.clear();
    }
    let mut test = Test {
        name: format!("test {number}"),
        clause,
        givens: Vec::new(),
        setup: None,
        mock: None,
        oracles: draft,
        fragment: Fragment {
            first: at,
            end: at,
            with_tail: false,
        },
    };
    for _ in 0..2 {
        test.fragment = scope::resolve(block, at, is_function_body, clause, &test.oracles)?;
        give_inputs(&mut test, block, random, &watched);
        test.oracles = right_oracles(&test, block, &watched)?;
        // A `return` moves the end of a fragment without a clause; then the inputs are no longer all there are.
        if scope::resolve(block, at, is_function_body, clause, &test.oracles)? == test.fragment {
            return Some(test);
        }
    }
    None
}

fn give_inputs(test: &mut Test, block: &Block, random: &mut Random, watched: &[Variable]) {
    let statements = &block.statements[test.fragment.first..test.fragment.end];
    test.givens.clear();
    for variable in VARIABLES {
        let declared_inside = statements
            .iter()
            .any(|it| matches!(it, Statement::Let(target, _) if *target == variable));
        let looked_at =
            watched.contains(&variable) || (test.fragment.with_tail && variable == VARIABLES[0]);
        let needed = match mentions::outer_use(statements, variable) {
            Use::Needed => true,
            Use::AssignedFirst => random.percent(50),
            Use::None => looked_at && !declared_inside,
        };
        if needed {
            test.givens.push((variable, random.number()));
        }
    }
    test.setup = (!test.givens.is_empty() && random.percent(20))
        .then(|| (random.pick(&test.givens).0, random.number()));
    let called: Vec<_> = FUNCTIONS
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| {
            statements
                .iter()
                .any(|statement| mentions::calls(statement, name))
        })
        .collect();
    test.mock =
        (!called.is_empty() && random.percent(50)).then(|| (random.pick(&called), random.number()));
}

fn right_oracles(test: &Test, block: &Block, watched: &[Variable]) -> Option<Vec<Oracle>> {
    let mut state = State::of(test);
    let statements = &block.statements[test.fragment.first..test.fragment.end];
    let outcome = state.run_fragment(statements, test.fragment.with_tail);
    let exit = match outcome {
        Outcome::Through => None,
        Outcome::Return(value) | Outcome::Tail(value) => Some(Oracle::Return(value)),
        Outcome::Break => Some(Oracle::Break),
        Outcome::Continue => Some(Oracle::Continue),
    };
    // After an exit only givens are known.
    let known = |variable: &Variable| {
        outcome.is_at_the_end() || test.givens.iter().any(|(given, _)| given == variable)
    };
    let mut oracles = Vec::new();
    for &variable in watched.iter().filter(|variable| known(variable)) {
        oracles.push(Oracle::Equal(variable, state.get(variable)?));
    }
    oracles.extend(exit);
    (!oracles.is_empty()).then_some(oracles)
}

/// The test with one oracle made wrong, for each of its oracles.
pub fn wrong_versions(test: &Test) -> Vec<Test> {
    let spoiled = |index: usize| {
        let mut wrong = test.clone();
        wrong.name = format!("{} wrong {}", test.name, index + 1);
        wrong.oracles[index] = match wrong.oracles[index] {
            Oracle::Equal(variable, value) => Oracle::Equal(variable, value.wrapping_add(1)),
            Oracle::Return(value) => Oracle::Return(value.wrapping_add(1)),
            // The fragment leaves its loop, and no oracle says so.
            Oracle::Break | Oracle::Continue | Oracle::Runs => Oracle::Runs,
        };
        wrong
    };
    (0..test.oracles.len()).map(spoiled).collect()
}
