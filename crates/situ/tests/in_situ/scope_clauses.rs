//! Where the fragment of a `blocktest!` ends or starts when a clause says so.

use crate::steps::{step, taken};
use situ::prelude::*;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("scope_clauses.rs"));
}

#[situ]
fn next_counts_statements_and_no_tests() {
    step('0');
    blocktest!("one", next(1), check_eq(taken(), "a"));
    blocktest!("two", next(2), check_eq(taken(), "ab"));
    blocktest!("three", next(3), check_eq(taken(), "abc"));
    step('a');
    itest!(check_eq(taken(), "a"));
    step('b');
    blocktest!(next(1), check_eq(taken(), "c"));
    step('c');
    step('d');
}

#[situ]
fn the_first_block_ends_it(n: u32) {
    blocktest!(
        "first",
        given(n = 1),
        end(first_block),
        check_eq(taken(), "ab")
    );
    blocktest!(
        "first, said so",
        given(n = 1),
        end(first_block, 1),
        check_eq(taken(), "ab")
    );
    blocktest!(
        "second",
        given(n = 2),
        end(first_block, 2),
        check_eq(taken(), "acdd")
    );
    blocktest!(
        "third",
        given(n = 2),
        end(first_block, 3),
        check_eq(taken(), "acdde")
    );
    blocktest!(
        "fourth",
        given(n = 0),
        end(first_block, 4),
        check_eq(taken(), "acegh")
    );
    blocktest!(
        "edge",
        given(n = 0),
        end(first_block, 9),
        check_eq(taken(), "aceghjz")
    );
    step('a');
    if n == 1 {
        step('b');
    }
    step('c');
    for _ in 0..n {
        step('d');
    }
    {
        step('e');
    }
    let letter = if n > 7 { 'f' } else { 'g' };
    step(letter);
    match n {
        0 => step('h'),
        _ => step('H'),
    }
    step('j');
    let _closure = || {
        step('k');
    };
    step('z');
}

#[situ]
fn without_a_block_the_edge_ends_it() {
    step('0');
    blocktest!(end(first_block), check_eq(taken(), "ab"));
    step('a');
    step('b');
}

#[situ]
fn other_block_statements(mut n: u32) {
    blocktest!(
        "while",
        given(n = 2),
        end(first_block),
        check_eq(taken(), "abb"),
        check_eq(n, 0)
    );
    step('a');
    while n > 0 {
        step('b');
        n -= 1;
    }
    blocktest!(
        "loop",
        given(n = 5),
        end(first_block),
        check_eq(taken(), "cd"),
        check_eq(n, 5)
    );
    step('c');
    loop {
        step('d');
        if n > 3 {
            break;
        }
        n += 1;
    }
    step('e');
}

#[situ]
fn the_first_assignment_ends_it(n: u32) -> u32 {
    let mut sum = 0;
    blocktest!(
        "let",
        given(n = 3),
        end(first_assign),
        check_eq(half, 1),
        check_eq(taken(), "a")
    );
    blocktest!(
        "all",
        given(n = 3, sum = 1),
        end(first_assign),
        check_eq((half, sum), (1, 4)),
        check_eq(taken(), "ab")
    );
    step('a');
    let half = n / 2;
    step('b');
    sum += n;
    step('c');
    sum = sum * 2 + half;
    step('d');
    sum
}

struct Meter {
    reading: u32,
    limit: u32,
}

#[situ]
fn an_assignment_of_a_part_counts(meter: &mut Meter, slot: &mut u32, mut list: [u8; 2]) {
    blocktest!(
        "field",
        given(
            meter = &mut Meter {
                reading: 1,
                limit: 5
            }
        ),
        end(first_assign),
        check_eq(meter.reading, 7),
        check_eq(taken(), "a")
    );
    blocktest!(
        "through a reference",
        given(
            meter = &mut Meter {
                reading: 1,
                limit: 5
            },
            slot = &mut 1
        ),
        end(first_assign),
        check_eq(*slot, 8),
        check_eq(taken(), "ab")
    );
    step('a');
    meter.reading = meter.limit + 2;
    step('b');
    *slot = 8;
    step('c');
    blocktest!(
        "element",
        given(list = [1, 2]),
        end(first_assign),
        check_eq(list, [1, 9]),
        check_eq(taken(), "d")
    );
    step('d');
    list[1] = 9;
    step('e');
    list[0] = 8;
    println!("{list:?}");
}

#[situ]
fn the_first_exit_ends_it(text: &str, n: u32) -> Option<u32> {
    blocktest!(
        "question mark",
        given(text = "5"),
        end(first_exit),
        check_eq(value, 5),
        check_eq(taken(), "a")
    );
    blocktest!(
        "question mark taken",
        given(text = "x"),
        end(first_exit),
        check_return(None)
    );
    step('a');
    let value: u32 = text.parse().ok()?;
    step('b');
    blocktest!(
        "return",
        given(n = 1),
        end(first_exit),
        check_eq(taken(), "c")
    );
    blocktest!(
        "return taken",
        given(n = 0),
        end(first_exit),
        check_return(Some(0))
    );
    step('c');
    if n == 0 {
        return Some(0);
    }
    step('d');
    blocktest!(
        "panic",
        given(n = 1),
        end(first_exit),
        check_eq(taken(), "e")
    );
    blocktest!(
        "panic taken",
        given(n = 9),
        end(first_exit),
        check_panic("nine")
    );
    step('e');
    if n == 9 {
        panic!("nine");
    }
    step('f');
    Some(value)
}

#[situ]
fn what_stays_inside_is_no_exit(numbers: &[u32]) -> Option<u32> {
    let mut best = None;
    'outer: for number in numbers {
        blocktest!(
            "break",
            given(number = &3),
            end(first_exit),
            check_eq(taken(), "abccd")
        );
        blocktest!(
            "break taken",
            given(number = &7),
            end(first_exit),
            check_break()
        );
        step('a');
        let closure = |n: u32| {
            if n == 0 {
                return 1;
            }
            n
        };
        step('b');
        for inner in 0.. {
            if inner == 2 {
                break;
            }
            step('c');
        }
        step('d');
        if *number == 7 {
            break;
        }
        step('e');
        blocktest!(
            "label",
            given(number = &3),
            end(first_exit),
            check_eq(taken(), "f")
        );
        blocktest!(
            "label taken",
            given(number = &8),
            end(first_exit),
            check_continue("outer")
        );
        step('f');
        for _ in 0..1 {
            if *number == 8 {
                continue 'outer;
            }
        }
        step('g');
        best = Some(closure(*number));
    }
    best
}

#[situ]
fn a_marker_ends_it(n: u32) -> u32 {
    blocktest!("long", given(n = 1), check_eq(taken(), "abc"));
    step('a');
    blocktest!(
        "short",
        given(n = 1),
        check_eq(a, 2),
        check_eq(taken(), "b")
    );
    let a = n + 1;
    step('b');
    endtest!("short");
    step('c');
    endtest!("long");
    step('d');
    a
}

#[situ]
fn it_starts_at_a_block(n: u32) -> u32 {
    let mut sum = n;
    step('a');
    if n > 5 {
        sum += 1;
        step('b');
    }
    step('c');
    for i in 0..n {
        sum += i;
        step('d');
    }
    step('e');
    blocktest!(
        "last",
        given(n = 2, sum = 10),
        start(first_block),
        check_eq(sum, 11),
        check_eq(taken(), "dde")
    );
    blocktest!(
        "last, said so",
        given(n = 0, sum = 10),
        start(first_block, 1),
        check_eq(taken(), "e")
    );
    blocktest!(
        "last but one",
        given(n = 6, sum = 0),
        start(first_block, 2),
        check_eq(taken(), "bcdddddde")
    );
    blocktest!(
        "edge",
        given(n = 0),
        start(first_block, 3),
        check_eq(sum, 0),
        check_eq(taken(), "ace")
    );
    sum
}

#[situ]
fn it_starts_at_an_assignment(n: u32) -> u32 {
    step('a');
    let mut sum = n + 1;
    step('b');
    let half = sum / 2;
    step('c');
    sum += half;
    step('d');
    blocktest!(
        "one",
        given(sum = 1, half = 4),
        start(first_assign),
        check_eq(sum, 5),
        check_eq(taken(), "d")
    );
    blocktest!(
        "two",
        given(sum = 8),
        start(first_assign),
        check_eq((sum, half), (12, 4)),
        check_eq(taken(), "cd")
    );
    sum
}

#[situ]
fn it_starts_at_an_exit(text: &str) -> Option<u32> {
    step('a');
    let first: u32 = text.parse().ok()?;
    step('b');
    let second = first.checked_add(1)?;
    step('c');
    blocktest!(
        "through",
        given(first = 1),
        start(first_exit),
        check_eq(second, 2),
        check_eq(taken(), "c")
    );
    blocktest!(
        "out",
        given(first = u32::MAX),
        start(first_exit),
        check_return(None),
        check_eq(taken(), "")
    );
    Some(second)
}
