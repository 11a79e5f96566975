//! The programs as Rust, with block tests that claim what the interpreter found.

use super::fragment::{Clause, fragment};
use super::interpreter::{Exit, Interpreter, Passes, Values};
use super::needed::Needed;
use super::program::{ALL, Block, Condition, Expression, Function, Statement, VARIABLES};
use super::random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Whether the tests say what is so, or something else in one place each.
#[derive(Clone, Copy, PartialEq)]
pub enum Claim {
    True,
    OneWrong,
}

/// The tests that stand before a statement of a block.
type Tests = BTreeMap<(u32, usize), Vec<String>>;

pub fn preamble() -> &'static str {
    "#![allow(warnings)]\nuse situ::prelude::*;\nuse std::future::ready;\n\
     macro_rules! bail { ($value:expr) => { return Some($value) } }\n"
}

/// Writes a function with about so many tests; how many they are.
pub fn function(
    number: u32,
    function: &Function,
    tests: u32,
    claim: Claim,
    random: &mut Random,
    text: &mut String,
) -> u32 {
    let mut blocks = vec![&function.body];
    let mut next = 0;
    while let Some(block) = blocks.get(next) {
        let inside: Vec<&Block> = block
            .statements
            .iter()
            .flat_map(Statement::blocks)
            .collect();
        blocks.extend(inside);
        next += 1;
    }
    let mut placed = Tests::new();
    let mut written = 0;
    for name in 0..tests {
        let block = *random.choose(&blocks);
        if let Some((at, test)) = test(block, block.id == function.body.id, name, claim, random) {
            placed.entry((block.id, at)).or_default().push(test);
            written += 1;
        }
    }
    let keyword = if function.asynchronous {
        "async fn"
    } else {
        "fn"
    };
    writeln!(
        text,
        "#[situ]\n{keyword} f{number}(n: i64, mut a: i64, mut b: i64, mut c: i64) -> Option<i64> {{"
    )
    .unwrap();
    write_block(&function.body, function.asynchronous, &placed, text);
    text.push_str("Some(a)\n}\n");
    written
}

/// A test in this block, and before which statement it stands.
fn test(
    block: &Block,
    is_body: bool,
    name: u32,
    claim: Claim,
    random: &mut Random,
) -> Option<(usize, String)> {
    let clause = clause(random);
    let length = block.statements.len();
    let at = if clause.looks_back() {
        random.between(1, length as i64) as usize
    } else {
        random.index(length)
    };
    let asked: Vec<char> = VARIABLES
        .into_iter()
        .filter(|_| random.chance(40))
        .collect();
    let range = fragment(block, is_body, at, clause, &asked)?;
    let values: Values = ALL
        .into_iter()
        .map(|variable| (variable, random.between(-4, 8)))
        .collect();
    let mut interpreter = Interpreter::new(values.clone());
    let mut statements = &block.statements[range.clone()];
    let (passes, mut result) = interpreter.run(statements);
    let mut with_tail = false;
    if matches!(result, Err(Exit::Return(_))) {
        // An oracle about the return takes in the rest of the block where no clause says otherwise, and the tail
        // where the fragment then reaches the block's edge.
        let to_the_edge = range.end == length && matches!(clause, Clause::EndBlock(_));
        with_tail = is_body
            && (clause == Clause::Default || to_the_edge && !ends_in_its_block(clause, statements));
        if clause == Clause::Default {
            statements = &block.statements[at..];
            interpreter = Interpreter::new(values.clone());
            result = interpreter.run(statements).1;
        }
        if result.is_ok() {
            result = Err(Exit::Return(Some(
                *is_body.then_some(&interpreter.values[&'a'])?,
            )));
        }
    }
    let flow = if clause == Clause::Default {
        Vec::new()
    } else {
        flow_oracles(statements, &passes, random)
    };
    let needed = if random.chance(50) {
        everything_mentioned(statements, &asked, with_tail)
    } else {
        only_what_is_needed(statements, &asked, with_tail, result.is_err())
    };
    let given: Vec<String> = values
        .iter()
        .filter(|(variable, _)| needed.contains(variable))
        .map(|(variable, value)| format!("{variable} = {value}"))
        .collect();
    let mut clauses = vec![format!("\"t{name}\"")];
    clauses.extend((!given.is_empty()).then(|| format!("given({})", given.join(", "))));
    clauses.extend(clause.text());
    clauses.extend(oracles(&asked, &interpreter.values, result, claim)?);
    clauses.extend(flow);
    Some((at, format!("blocktest!({});", clauses.join(", "))))
}

/// Every variable that the fragment or its oracles mention.
fn everything_mentioned(
    statements: &[Statement],
    asked: &[char],
    with_tail: bool,
) -> BTreeSet<char> {
    let mut mentioned = asked.to_vec();
    statements
        .iter()
        .for_each(|statement| statement.note_mentioned(&mut mentioned));
    mentioned
        .into_iter()
        .chain(with_tail.then_some('a'))
        .collect()
}

/// The variables without which the test would be an error, or an oracle never made.
fn only_what_is_needed(
    statements: &[Statement],
    asked: &[char],
    with_tail: bool,
    leaves: bool,
) -> BTreeSet<char> {
    let mut needed = Needed::default();
    let at_the_end = needed.statements(statements, &BTreeSet::new());
    let unassigned = |variable: &char| {
        at_the_end
            .as_ref()
            .is_some_and(|assigned| !assigned.contains(variable))
    };
    let for_oracles = asked
        .iter()
        .copied()
        .filter(|variable| leaves || unassigned(variable));
    let for_the_tail = with_tail.then_some('a').filter(unassigned);
    needed
        .read_unassigned
        .iter()
        .copied()
        .chain(for_oracles)
        .chain(for_the_tail)
        .collect()
}

fn clause(random: &mut Random) -> Clause {
    let nth = random.between(1, 3) as usize;
    *random.choose(&[
        Clause::Default,
        Clause::Default,
        Clause::Next(nth),
        Clause::Next(nth),
        Clause::EndBlock(nth),
        Clause::EndAssign,
        Clause::EndExit,
        Clause::StartBlock(nth),
        Clause::StartAssign,
        Clause::StartExit,
    ])
}

/// Whether `end(first_block, n)` found its block, rather than the edge.
fn ends_in_its_block(clause: Clause, statements: &[Statement]) -> bool {
    let blocks = statements
        .iter()
        .filter(|statement| !statement.blocks().is_empty())
        .count();
    matches!(clause, Clause::EndBlock(nth) if blocks >= nth)
}

/// What the interpreter found, as oracles; none where one of them must be wrong and none has a value.
fn oracles(
    asked: &[char],
    values: &Values,
    result: Result<(), Exit>,
    claim: Claim,
) -> Option<Vec<String>> {
    let mut wrong = i64::from(claim == Claim::OneWrong);
    let mut falsified = |value: i64| value.wrapping_add(std::mem::take(&mut wrong));
    let mut oracles: Vec<String> = asked
        .iter()
        .map(|variable| format!("check_eq({variable}, {})", falsified(values[variable])))
        .collect();
    let quoted = |label: Option<u32>| {
        label
            .map(|label| format!("\"l{label}\""))
            .unwrap_or_default()
    };
    oracles.push(match result {
        Ok(()) => "check_runs()".to_string(),
        Err(Exit::Break(label)) => format!("check_break({})", quoted(label)),
        Err(Exit::Continue(label)) => format!("check_continue({})", quoted(label)),
        Err(Exit::Return(Some(value))) => format!("check_return(Some({}))", falsified(value)),
        Err(Exit::Return(None)) => "check_return(None)".to_string(),
        Err(Exit::TooLong) => return None,
    });
    (wrong == 0).then_some(oracles)
}

/// Which way control took at each branch and loop of the fragment itself.
fn flow_oracles(statements: &[Statement], passes: &[Passes], random: &mut Random) -> Vec<String> {
    let mut oracles = Vec::new();
    let mut counted: BTreeMap<&str, u32> = BTreeMap::new();
    for (statement, passes) in statements.iter().zip(passes) {
        let (kind, steps): (&str, &[&str]) = match statement {
            Statement::If(_, _, None) => ("If", &["Then"]),
            Statement::If(_, _, Some(_)) => ("If", &["Then", "Else"]),
            Statement::Match(..) => ("Match", &["Arm(1)", "Arm(2)"]),
            Statement::For { .. } => ("For", &["Body"]),
            _ => continue,
        };
        let nth = counted.entry(kind).or_default();
        *nth += 1;
        let kind = if *nth == 1 {
            kind.to_string()
        } else {
            format!("{kind}({nth})")
        };
        for (step, passes) in steps.iter().zip(passes) {
            let oracle = if *passes == 0 {
                "check_no_flow"
            } else {
                "check_flow"
            };
            oracles.push(format!("{oracle}({kind}.{step})"));
            if random.chance(30) {
                oracles.push(format!("check_flow({kind}.{step}.times({passes}))"));
            }
        }
    }
    oracles
}

fn write_block(block: &Block, asynchronous: bool, tests: &Tests, text: &mut String) {
    for at in 0..=block.statements.len() {
        tests
            .get(&(block.id, at))
            .into_iter()
            .flatten()
            .for_each(|test| writeln!(text, "{test}").unwrap());
        if let Some(statement) = block.statements.get(at) {
            write_statement(statement, asynchronous, tests, text);
        }
    }
}

fn write_statement(statement: &Statement, asynchronous: bool, tests: &Tests, text: &mut String) {
    let label = |label: &Option<u32>| label.map(|label| format!(" 'l{label}")).unwrap_or_default();
    let (opening, between, closing) = match statement {
        Statement::If(condition, ..) => (format!("if {} {{", compared(condition)), "} else {", "}"),
        Statement::Match(value, ..) => (
            format!("match {} {{\n1 => {{", written(value)),
            "}\n_ => {",
            "}\n}",
        ),
        Statement::For { label, passes, .. } => {
            (format!("'l{label}: for _ in 0..{passes} {{"), "", "}")
        }
        Statement::Plain(_) => ("{".to_string(), "", "}"),
        Statement::Break(to) => (format!("break{};", label(to)), "", ""),
        Statement::Continue(to) => (format!("continue{};", label(to)), "", ""),
        Statement::Return(value) => (format!("return Some({});", written(value)), "", ""),
        Statement::Bail(value) => (format!("bail!({});", written(value)), "", ""),
        Statement::Question(variable, condition, value) => (
            format!(
                "{variable} = ({}).then_some({})?;",
                compared(condition),
                written(value)
            ),
            "",
            "",
        ),
        Statement::Await(variable, value) if asynchronous => (
            format!("{variable} = ready({}).await;", written(value)),
            "",
            "",
        ),
        Statement::Set(variable, value) | Statement::Await(variable, value) => {
            (format!("{variable} = {};", written(value)), "", "")
        }
        Statement::Add(variable, value) => (
            format!("{variable} = {variable}.wrapping_add({});", written(value)),
            "",
            "",
        ),
    };
    writeln!(text, "{opening}").unwrap();
    for (index, block) in statement.blocks().into_iter().enumerate() {
        if index > 0 {
            writeln!(text, "{between}").unwrap();
        }
        write_block(block, asynchronous, tests, text);
    }
    writeln!(text, "{closing}").unwrap();
}

fn written(expression: &Expression) -> String {
    match expression {
        Expression::Variable(variable) => variable.to_string(),
        Expression::Number(number) => format!("({number}_i64)"),
        Expression::Call(method, left, right) => {
            format!("({}).{method}({})", written(left), written(right))
        }
    }
}

fn compared(condition: &Condition) -> String {
    format!(
        "{} {} {}",
        written(&condition.left),
        condition.operator,
        written(&condition.right)
    )
}
