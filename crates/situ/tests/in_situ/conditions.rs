//! `itest!` as the first statement of a body: it tests the header, by `cond()`, `items()` or `scrutinee()`.

use situ::prelude::*;
use std::cell::Cell;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("conditions.rs"));
}

thread_local! {
    static EVALUATED: Cell<u32> = const { Cell::new(0) };
}

/// Gives its argument back and counts that it was asked.
fn evaluated<T>(value: T) -> T {
    EVALUATED.set(EVALUATED.get() + 1);
    value
}

/// How often something was evaluated since the last question.
fn evaluations() -> u32 {
    EVALUATED.replace(0)
}

#[situ]
fn the_condition_of_an_if(score: u32, bonus: bool) -> char {
    if score > 90 && bonus {
        itest!("both", given(score = 95, bonus = true), check_true(cond()));
        itest!("one", given(score = 95, bonus = false), check_false(cond()));
        itest!("first operand", given(score = 91), check_true(cond(1)));
        itest!("second operand", given(bonus = false), check_false(cond(2)));
        itest!(
            "in an expression",
            given(score = 95, bonus = true),
            check_eq(cond(), bonus)
        );
        'a'
    } else {
        'b'
    }
}

#[situ]
fn the_condition_of_an_else_if(n: i32) -> &'static str {
    if n < 0 {
        "negative"
    } else if n == 0 || n == 1 {
        itest!(given(n = 1), check_true(cond()));
        itest!("first", given(n = 1), check_false(cond(1)));
        itest!("second", given(n = 1), check_true(cond(2)));
        "small"
    } else if n > 1000 {
        itest!(given(n = 1001), check_true(cond()));
        "large"
    } else {
        "middle"
    }
}

#[situ]
fn the_condition_of_a_while(mut n: u32, limit: u32) -> u32 {
    while n < limit && n.pow(2) != 49 {
        itest!("goes on", given(n = 1, limit = 5), check_true(cond()));
        itest!("stops", given(n = 7), check_false(cond(2)));
        n += 1;
    }
    n
}

#[situ]
fn the_condition_of_a_guard(value: Option<u32>, limit: u32) -> u32 {
    match value {
        Some(n) if n > limit => {
            itest!("over", given(n = 5, limit = 3), check_true(cond()));
            itest!("at", given(n = 3, limit = 3), check_false(cond()));
            limit
        }
        Some(n) => n,
        None => 0,
    }
}

#[situ]
fn the_condition_of_an_if_let(name: Option<&str>) -> usize {
    if let Some(name) = name {
        itest!("some", given(name = Some("a")), check_true(cond()));
        itest!("none", given(name = None), check_false(cond()));
        name.len()
    } else {
        0
    }
}

#[situ]
fn the_condition_of_a_while_let(stack: &mut Vec<u32>) -> u32 {
    let mut sum = 0;
    while let Some(top) = stack.pop() {
        itest!(
            "more",
            given(stack = &mut vec![1]),
            check_true(cond()),
            check(stack.is_empty())
        );
        itest!("no more", given(stack = &mut vec![]), check_false(cond()));
        sum += top;
    }
    sum
}

#[situ]
fn a_let_chain(text: Option<&str>, limit: usize) -> bool {
    if let Some(word) = text
        && let Some(first) = word.chars().next()
        && first.is_uppercase()
        && word.len() < limit
    {
        itest!(
            "all",
            given(text = Some("Ab"), limit = 3),
            check_true(cond())
        );
        itest!(
            "the last one fails",
            given(text = Some("Ab"), limit = 2),
            check_false(cond())
        );
        itest!("a let operand", given(word = ""), check_false(cond(2)));
        itest!("third operand", given(first = 'a'), check_false(cond(3)));
        itest!(
            "fourth operand",
            given(word = "abc", limit = 4),
            check_true(cond(4))
        );
        return true;
    }
    false
}

#[situ]
fn the_outermost_operator_counts(a: bool, b: bool, c: bool) -> u8 {
    if a && b || c {
        itest!(
            "or: first",
            given(a = true, b = false),
            check_false(cond(1))
        );
        itest!("or: second", given(c = true), check_true(cond(2)));
        return 1;
    }
    if (a || b) && c {
        itest!(
            "and: first",
            given(a = false, b = true),
            check_true(cond(1))
        );
        itest!("and: second", given(c = false), check_false(cond(2)));
        return 2;
    }
    if a && b && c {
        itest!("three: first", given(a = true), check_true(cond(1)));
        itest!("three: second", given(b = false), check_false(cond(2)));
        itest!("three: third", given(c = true), check_true(cond(3)));
        return 3;
    }
    0
}

#[situ]
fn operands_are_evaluated_once_and_only_when_asked_for(n: u32) -> u32 {
    if evaluated(n > 1) || evaluated(n > 2) || evaluated(n > 3) {
        itest!(
            "one",
            given(n = 0),
            check_false(cond(2)),
            check_eq(evaluations(), 1)
        );
        itest!(
            "one, twice",
            given(n = 3),
            check_true(cond(2)),
            check_eq(cond(2), true),
            check_eq(evaluations(), 1)
        );
        itest!(
            "two",
            given(n = 3),
            check_true(cond(1)),
            check_false(cond(3)),
            check_eq(evaluations(), 2)
        );
        itest!(
            "whole, all needed",
            given(n = 0),
            check_false(cond()),
            check_eq(evaluations(), 3)
        );
        itest!(
            "whole, short",
            given(n = 9),
            check_true(cond()),
            check_true(cond()),
            check_eq(evaluations(), 1)
        );
        return 1;
    }
    0
}

#[situ]
fn a_condition_with_a_question_mark(text: &str) -> Result<bool, std::num::ParseIntError> {
    if text.parse::<u32>()? > 3 {
        itest!("a number", given(text = "4"), check_true(cond()));
        itest!("no number", given(text = "x"), check_err(returned()));
        return Ok(true);
    }
    Ok(false)
}

#[situ]
fn what_a_loop_runs_over(text: &str, from: u32) -> usize {
    let mut count = 0;
    for line in text.lines() {
        itest!(given(text = "a\nb"), check_eq(items(), ["a", "b"]));
        itest!("nothing", given(text = ""), check(items().is_empty()));
        count += line.len();
    }
    for (index, letter) in text.chars().enumerate() {
        itest!(given(text = "xy"), check_eq(items(), [(0, 'x'), (1, 'y')]));
        count += index + usize::from(letter == 'x');
    }
    for n in from.. {
        itest!(
            "without end",
            given(from = 5),
            check_eq(items().len(), 10_000),
            check_eq(items()[9_999], 10_004)
        );
        if n > 20 {
            break;
        }
        count += 1;
    }
    for n in (1..=from).rev().step_by(2) {
        itest!("a chain", given(from = 5), check_eq(items(), vec![5, 3, 1]));
        count += n as usize;
    }
    count
}

#[situ]
fn what_is_matched_on(n: u32, text: &str) -> u32 {
    let rest = match n % 3 {
        0 => {
            itest!(given(n = 7), check_eq(scrutinee(), 1));
            10
        }
        1 => {
            itest!("in a later arm", given(n = 9), check_eq(scrutinee(), 0));
            20
        }
        _ => 30,
    };
    match (text.len(), text.chars().next()) {
        (1, Some(_)) => {
            itest!(given(text = "é"), check_eq(scrutinee(), (2, Some('é'))));
            rest
        }
        _ => 0,
    }
}

#[situ]
fn tests_before_it_do_not_count_as_statements(n: u32) -> u32 {
    if n > 3 {
        blocktest!(given(n = 4), check_eq(half, 2));
        itest!(given(n = 4), check_true(cond()));
        let half = n / 2;
        itest!("of the statement", given(n = 10), check_eq(half, 5));
        return half;
    }
    n
}

#[situ]
fn what_borrows_from_a_value_of_its_own_header(text: &str) -> usize {
    match text.trim().to_lowercase().as_str() {
        "yes" => {
            itest!(
                each((text, expected), [(" Yes", "yes"), ("NO", "no")]),
                check_eq(scrutinee(), expected)
            );
            1
        }
        _ => {
            let mut words = 0;
            for word in text.to_uppercase().split(' ') {
                itest!(given(text = "a bc"), check_eq(items(), vec!["A", "BC"]));
                words += word.len();
            }
            words
        }
    }
}
