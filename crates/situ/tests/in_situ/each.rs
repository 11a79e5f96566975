//! `each`, `repeat`, `assume`, `setup`, `tag`, `ignore`: how often and whether a test runs.

use situ::prelude::*;
use std::cell::Cell;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("each.rs"));
}

#[situ]
fn one_variable(n: u32) -> bool {
    let even = n.is_multiple_of(2);
    itest!("range", each(n, (0..100).step_by(2)), check_true(even));
    itest!("array", each(n, [1, 3, 5]), check_false(even));
    itest!("vector", each(n, vec![7, 9]), check_false(even));
    even
}

#[situ]
fn the_type_is_that_of_the_variable(byte: u8) -> u8 {
    let next = byte.wrapping_add(1);
    itest!(each(byte, [255]), check_eq(next, 0));
    next
}

#[situ]
fn rows(text: &str, radix: u32) -> Option<u32> {
    let parsed = u32::from_str_radix(text, radix).ok();
    itest!(
        "given by the pattern",
        each((text, radix), [("ff", 16), ("255", 10), ("11111111", 2)]),
        check_eq(parsed, Some(255))
    );
    itest!(
        "with what is expected",
        each(
            (text, radix, expected),
            [("z", 36, Some(35)), ("z", 10, None)]
        ),
        check_eq(parsed, expected)
    );
    itest!(
        "other names",
        each((input, base), [("7", 8), ("7", 10)]),
        given(text = input, radix = base),
        check_eq(parsed, Some(7))
    );
    itest!(
        "both kinds",
        each((text, base), [("7", 8)]),
        given(radix = base),
        check_eq(parsed, Some(7))
    );
    parsed
}

#[situ]
fn what_is_expected_stays_where_a_loop_is_left_by_a_return(text: &str) -> Option<String> {
    blocktest!(
        each(
            (text, expected),
            [
                ("a b", Some(String::from("b"))),
                ("c d e", Some(String::from("d"))),
                ("x", None)
            ]
        ),
        check_return(expected)
    );
    for word in text.split(' ') {
        if word > "a" && word != "c" && word != "x" {
            return Some(word.to_owned());
        }
    }
    None
}

#[situ]
fn every_pair(a: i32, b: i32) -> i32 {
    let sum = a + b;
    itest!(
        each(a, [1, 2, 3]),
        each(b, [-1, -2]),
        check(sum >= a - 2),
        check_eq(sum, b + a)
    );
    itest!(
        "one may use the other",
        each(a, [1, 2, 3]),
        each(b, 0..a),
        check(sum < 2 * a)
    );
    sum
}

thread_local! {
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

/// How often this was asked on this thread, this time included.
fn runs() -> u32 {
    RUNS.set(RUNS.get() + 1);
    RUNS.get()
}

#[situ]
fn names_are_usable_in_every_clause(n: u32, mut list: Vec<u32>) -> u32 {
    list.push(1);
    let price = cost(n) + list.len() as u32;
    itest!(
        each((n, value, extra), [(1, 10, 0), (2, 20, 3)]),
        given(list = vec![]),
        setup({
            for _ in 0..extra {
                list.push(0);
            }
        }),
        assume(extra < 5),
        mock(cost(_), value),
        check_eq(price, value + extra)
    );
    price
}

fn cost(n: u32) -> u32 {
    n * 2
}

#[situ]
fn also_as_numbers_of_other_clauses(n: usize) -> u32 {
    let mut sum = 0;
    blocktest!(
        each((n, passes, asked), [(0, 0, 0), (3, 3, 3)]),
        given(sum = 0),
        end(first_block),
        mock(cost(_), 2),
        check_flow(For.Body.times(passes)),
        check_called(cost(_), asked),
        check_eq(sum, 2 * asked as u32)
    );
    for i in 0..n {
        sum += cost(i as u32);
    }
    let quotient = 10 / sum;
    itest!(
        "texts",
        each((sum, text), [(0, "divide by zero")]),
        check_panic(text)
    );
    quotient
}

#[situ]
fn each_case_starts_afresh(n: u32) -> u32 {
    let first = cost(n) + runs();
    itest!(
        "a sequence",
        each(n, [1, 2, 3]),
        mock_seq(cost(_), [7]),
        mock(runs(), 0),
        check_eq(first, 7),
        repeat(2)
    );
    let mut sum = first;
    blocktest!(
        "passes",
        each(first, [1, 2]),
        given(n = 2),
        start(first_assign),
        check_eq(sum, first)
    );
    blocktest!(
        "a flow",
        each(sum, [0, 1]),
        given(n = 2),
        repeat(2),
        next(1),
        check_flow(For.Body.times(2))
    );
    for i in 0..n {
        sum += i;
    }
    sum
}

#[situ]
fn it_is_repeated(n: u32) -> u32 {
    let run = n + runs();
    itest!(given(n = 0), repeat(3), check_matches(run, 1..=3));
    run
}

#[situ]
fn skipped_where_the_assumption_fails(n: u32) -> u32 {
    let quotient = 10 / n;
    itest!("false", given(n = 0), assume(n > 0), check_eq(quotient, 99));
    itest!("true", given(n = 5), assume(n > 0), check_eq(quotient, 2));
    itest!(
        "after the setup",
        given(n = 0),
        setup({
            n = 2;
        }),
        assume(n == 2),
        check_eq(quotient, 5)
    );
    quotient
}

#[situ]
fn marked(n: u32) -> u32 {
    let next = n + 1;
    itest!(
        "tagged",
        given(n = 1),
        tag("fast", "numbers"),
        check_eq(next, 2)
    );
    itest!(
        "ignored",
        given(n = 1),
        ignore("it is wrong on purpose"),
        check_eq(next, 99)
    );
    itest!(
        "in time",
        given(n = 1),
        timeout_ms(60_000),
        check_eq(next, 2)
    );
    itest!(
        "after a delay",
        given(n = 1),
        delay_ms(1),
        check_eq(next, 2)
    );
    next
}

#[situ]
fn threads_get_their_time(slot: &'static std::sync::Mutex<u32>) {
    std::thread::spawn(|| {
        std::thread::sleep(std::time::Duration::from_millis(30));
        *slot.lock().unwrap() += 1;
    });
    itest!(
        given(slot = Box::leak(Box::new(std::sync::Mutex::new(1)))),
        delay_ms(400),
        check_eq(*slot.lock().unwrap(), 2)
    );
}

#[situ]
fn points_of_a_loop(limit: usize) -> usize {
    let mut passes = 0;
    blocktest!(
        each((limit, times), [(0, 0), (3, 3)]),
        given(passes = 0),
        check_eq(passes, times)
    );
    while passes < limit {
        passes += 1;
    }
    passes
}
