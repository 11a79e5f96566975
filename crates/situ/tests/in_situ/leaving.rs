//! How a fragment leaves: `return`, `?`, tails, `break`, `continue`, labels, panics, unknown macros.

use situ::prelude::*;
use std::cell::Cell;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("leaving.rs"));
}

#[derive(Debug, PartialEq)]
enum Fault {
    Empty,
    Parse(String),
}

impl From<std::num::ParseIntError> for Fault {
    fn from(error: std::num::ParseIntError) -> Self {
        Fault::Parse(error.to_string())
    }
}

#[situ]
fn return_question_mark_and_tail(text: &str) -> Result<u32, Fault> {
    blocktest!("return", given(text = ""), check_return(Err(Fault::Empty)));
    blocktest!(
        "question mark converts",
        given(text = "x"),
        check_matches(returned(), Err(Fault::Parse(_)))
    );
    blocktest!("tail", given(text = "4"), check_return(Ok(5)));
    blocktest!(
        "ok",
        given(text = "4"),
        check_ok(returned()),
        check_eq(*returned().as_ref().unwrap(), 5)
    );
    blocktest!("err", given(text = "-"), check_err(returned()));
    blocktest!(
        "not left, a variable is asked",
        given(text = "4"),
        check_eq(number, 4)
    );
    if text.is_empty() {
        return Err(Fault::Empty);
    }
    let number: u32 = text.parse()?;
    Ok(number + 1)
}

#[situ]
fn the_question_mark_of_an_option(text: &str) -> Option<char> {
    blocktest!("none", given(text = "a"), check_return(None));
    blocktest!(
        "some",
        given(text = "ab"),
        check_return(Some('b')),
        check_some(returned())
    );
    let mut letters = text.chars();
    letters.next()?;
    let second = letters.next()?;
    Some(second)
}

thread_local! {
    static RETURNS: Cell<u32> = const { Cell::new(0) };
}

fn counted(value: u32) -> u32 {
    RETURNS.set(RETURNS.get() + 1);
    value
}

#[situ]
fn a_returned_expression_is_evaluated_once(n: u32) -> u32 {
    blocktest!(
        "tail",
        given(n = 3),
        check_return(3),
        check_eq(returned(), 3),
        check(returned() > 2),
        check_eq(RETURNS.replace(0), 1)
    );
    blocktest!(
        "return",
        given(n = 0),
        check_return(7),
        check_eq(returned(), 7),
        check_matches(returned(), 5..=9),
        check_eq(RETURNS.replace(0), 1)
    );
    if n == 0 {
        return counted(7);
    }
    counted(n)
}

#[situ]
fn a_function_without_a_value(numbers: &mut Vec<u32>) {
    blocktest!(
        "early",
        given(numbers = &mut vec![]),
        check_return(()),
        check(numbers.is_empty())
    );
    blocktest!(
        "through",
        given(numbers = &mut vec![1]),
        check_eq(*numbers, [1, 0])
    );
    if numbers.is_empty() {
        return;
    }
    numbers.push(0);
}

#[situ]
fn breaks_and_continues(numbers: &[i32]) -> i32 {
    let mut sum = 0;
    for number in numbers {
        blocktest!(
            "continue",
            given(number = &-1, sum = 1),
            check_continue(),
            check_eq(sum, 1)
        );
        blocktest!(
            "break",
            given(number = &0, sum = 1),
            check_break(),
            check_eq(sum, 1)
        );
        blocktest!("through", given(number = &5, sum = 1), check_eq(sum, 6));
        if *number < 0 {
            continue;
        }
        if *number == 0 {
            break;
        }
        sum += number;
    }
    sum
}

#[situ]
fn breaks_with_values(numbers: &[u8]) -> Option<u8> {
    let mut at = 0;
    let found = 'search: loop {
        blocktest!("nothing", given(numbers = &[], at = 0), check_break());
        blocktest!(
            "something",
            given(numbers = &[7], at = 0),
            check_break(),
            check_eq(at, 1)
        );
        blocktest!(
            "something, by name",
            given(numbers = &[0, 7], at = 1),
            check_break("search")
        );
        blocktest!("zero", given(numbers = &[0], at = 0), check_eq(at, 1));
        if at == numbers.len() {
            break None;
        }
        at += 1;
        for number in &numbers[at - 1..at] {
            if *number != 0 {
                break 'search Some(*number);
            }
        }
    };
    found.filter(|number| *number < 100)
}

#[situ]
fn labels(rows: &[Vec<i32>]) -> Option<i32> {
    let mut found = None;
    'outer: for row in rows {
        'inner: for cell in row {
            blocktest!("outer break", given(cell = &0), check_break("outer"));
            blocktest!("outer continue", given(cell = &1), check_continue("outer"));
            blocktest!("inner break", given(cell = &2), check_break("inner"));
            blocktest!("inner break, unnamed", given(cell = &2), check_break());
            blocktest!("inner continue", given(cell = &3), check_continue("inner"));
            blocktest!(
                "inner continue, unnamed",
                given(cell = &3),
                check_continue()
            );
            blocktest!("unnamed", given(cell = &4), check_break());
            blocktest!("through", given(cell = &9), check_eq(found, Some(9)));
            match cell {
                0 => break 'outer,
                1 => continue 'outer,
                2 => break 'inner,
                3 => continue 'inner,
                4 => break,
                _ => {}
            }
            found = Some(*cell);
        }
    }
    found
}

#[situ]
fn a_loop_with_a_value(start: u32) -> u32 {
    let mut n = start;
    let found = loop {
        blocktest!("break", given(n = 15), check_break());
        blocktest!("again", given(n = 4), check_eq(n, 5));
        n += 1;
        if n.is_multiple_of(16) {
            break n * 2;
        }
    };
    blocktest!(
        "the whole loop",
        given(n = 3),
        start(first_assign),
        check_eq(found, 32)
    );
    found + 1
}

#[situ]
fn loops_of_the_fragment_keep_their_exits(limit: u32) -> u32 {
    blocktest!(given(limit = 10), check_eq(sum, 4));
    blocktest!("early", given(limit = 0), check_return(99));
    if limit == 0 {
        return 99;
    }
    let mut sum = 0;
    'all: for a in 0..limit {
        for b in 0..limit {
            if b > 1 {
                break;
            }
            if a == 1 {
                continue 'all;
            }
            if a == 3 {
                break 'all;
            }
            sum += 1;
        }
    }
    let _unit = (0..limit).try_for_each(|n| if n > 3 { None } else { Some(()) });
    sum
}

#[situ]
fn panics(numbers: &[u32], divisor: u32) -> u32 {
    blocktest!(
        "index",
        given(numbers = &[], divisor = 1),
        check_panic("out of bounds")
    );
    blocktest!(
        "division",
        given(numbers = &[1], divisor = 0),
        check_panic("divide by zero")
    );
    blocktest!(
        "message",
        given(numbers = &[7], divisor = 1),
        check_panic("seven is 7")
    );
    blocktest!("any", given(numbers = &[7], divisor = 1), check_panic());
    blocktest!("none", given(numbers = &[8], divisor = 2), check_return(4));
    let quotient = numbers[0] / divisor;
    if quotient == 7 {
        panic!("seven is {quotient}");
    }
    assert!(quotient < 100);
    quotient
}

#[situ]
fn a_panic_whose_payload_is_no_text(n: u32) -> u32 {
    blocktest!(given(n = 1), check_panic());
    if n == 1 {
        std::panic::panic_any(17_u32);
    }
    n
}

#[situ]
fn the_state_after_a_panic(log: &mut Vec<u32>, n: u32) -> u32 {
    blocktest!(
        given(log = &mut vec![], n = 3),
        check_panic(),
        check_eq(*log, [3])
    );
    log.push(n);
    n.checked_sub(4).unwrap() + n
}

macro_rules! bail {
    ($fault:expr) => {
        return Err($fault)
    };
}

macro_rules! skip_unless {
    ($condition:expr) => {
        if !$condition {
            continue;
        }
    };
}

#[situ]
fn an_exit_inside_an_unknown_macro(texts: &[&str]) -> Result<u32, Fault> {
    let mut sum = 0;
    for text in texts {
        blocktest!(
            "return",
            given(text = &"", sum = 0),
            check_return(Err(Fault::Empty))
        );
        blocktest!("continue", given(text = &"#", sum = 0), check_continue());
        blocktest!("through", given(text = &"12", sum = 1), check_eq(sum, 13));
        if text.is_empty() {
            bail!(Fault::Empty);
        }
        skip_unless!(!text.starts_with('#'));
        sum += text.parse::<u32>()?;
    }
    Ok(sum)
}

#[situ]
fn leaving_from_deep_inside(rows: &[Vec<Option<u32>>]) -> Option<u32> {
    blocktest!(
        "found",
        given(rows = &[vec![Some(1)], vec![Some(70)]]),
        check_return(Some(70))
    );
    blocktest!(
        "hole",
        given(rows = &[vec![Some(1), None]]),
        check_return(None)
    );
    blocktest!(
        "sum",
        given(rows = &[vec![Some(1)], vec![Some(2)]]),
        check_eq(sum, 3)
    );
    blocktest!("moved along", given(rows = &[]), check_return(Some(0)));
    let mut sum = 0;
    for row in rows {
        for cell in row {
            let value = {
                let value = (*cell)?;
                match value {
                    50.. => return Some(value),
                    _ => value,
                }
            };
            sum += value;
        }
    }
    Some(sum)
}

#[situ]
fn givens_are_known_outside(name: String, count: u32) -> Option<String> {
    blocktest!(
        "given after leaving",
        given(name = String::new(), count = 2),
        check_return(None),
        check_eq(count, 2)
    );
    if name.is_empty() {
        return None;
    }
    Some(name.repeat(count as usize))
}

#[situ]
fn a_never_returning_function(code: i32) -> ! {
    blocktest!(given(code = 3), check_panic("code 3"));
    let text = format!("code {code}");
    panic!("{text}")
}

#[situ]
fn leaves_where_it_is_configured_so(count: u32) -> u32 {
    blocktest!(given(count = 2), check_return(4));
    #[cfg(debug_assertions)]
    return count * 2;
    #[cfg(not(debug_assertions))]
    return by_nobody(count);
}

#[situ]
fn ways_out_under_conditions_are_there_in_tests_as_in_the_program(texts: &[&str]) -> Option<usize> {
    blocktest!(
        "none is taken",
        given(texts = &["a", "bc"]),
        check_return(Some(3))
    );
    let mut sum = 0;
    for text in texts {
        blocktest!(
            "neither here",
            given(text = &"abc", sum = 1),
            check_runs(),
            check_eq(sum, 4)
        );
        #[cfg(any())]
        break;
        #[cfg(any())]
        continue;
        #[cfg(any())]
        text.chars().nth(9)?;
        #[cfg(any())]
        return None;
        sum += text.len();
    }
    Some(sum)
}
