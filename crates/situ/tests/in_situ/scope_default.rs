//! Where the fragment of a `blocktest!` ends when no clause says so.

use crate::steps::{step, taken};
use situ::prelude::*;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("scope_default.rs"));
}

#[situ]
fn the_last_statement_that_mentions_an_asked_variable_ends_it(n: u32) -> u32 {
    blocktest!("a", given(n = 3), check_eq(a, 4), check_eq(taken(), "12"));
    blocktest!("b", given(n = 3), check_eq(b, 9), check_eq(taken(), "123"));
    blocktest!(
        "both",
        given(n = 3),
        check_eq((a, b), (4, 9)),
        check_eq(taken(), "123")
    );
    step('1');
    let a = n + 1;
    step('2');
    let mut b = a * 2;
    step('3');
    b += 1;
    step('4');
    let c = n;
    step('5');
    c + b
}

#[situ]
fn a_mention_deep_inside_or_in_a_format_string_counts(n: u32) -> usize {
    blocktest!(
        "deep",
        given(n = 3),
        check_eq(a, 4),
        check_eq(taken(), "12")
    );
    blocktest!(
        "text",
        given(n = 3),
        check_eq(b, 5),
        check_eq(taken(), "123")
    );
    let a = n + 1;
    let b = n + 2;
    step('1');
    if n > 2 {
        let list: Vec<u32> = (0..2).map(|i| i + a).collect();
        step('2');
        drop(list);
    }
    step('3');
    let text = format!("{b:>4}");
    step('4');
    text.len()
}

#[situ]
fn a_tail_that_gives_the_value_does_not_count(n: u32) -> u32 {
    blocktest!(given(n = 3), check_eq(a, 4), check_eq(taken(), "1"));
    step('1');
    let a = n + 1;
    step('2');
    a
}

#[situ]
fn a_tail_of_blocks_that_gives_the_value_does_not_count(n: u32) -> u32 {
    blocktest!(given(n = 3), check_eq(a, 4), check_eq(taken(), "1"));
    step('1');
    let a = n + 1;
    if a > 3 {
        step('2');
        a
    } else {
        0
    }
}

#[situ]
#[allow(
    clippy::needless_return,
    reason = "the closing return is what is tested"
)]
fn a_closing_return_does_not_count(n: u32) -> u32 {
    blocktest!(given(n = 3), check_eq(a, 4), check_eq(taken(), "1"));
    step('1');
    let a = n + 1;
    step('2');
    return a;
}

#[situ]
fn a_last_if_that_gives_no_value_counts(n: u32) {
    blocktest!(given(n = 3), check_eq(a, 4), check_eq(taken(), "12"));
    step('1');
    let a = n + 1;
    if a > 3 {
        step('2');
    }
}

#[situ]
fn a_last_loop_that_gives_no_value_counts(n: u32) {
    blocktest!(given(n = 3), check_eq(a, 4), check_eq(taken(), "12222"));
    step('1');
    let a = n + 1;
    for _ in 0..a {
        step('2');
    }
}

#[situ]
fn a_last_match_that_gives_no_value_counts(n: u32) {
    blocktest!(given(n = 3), check_eq(a, 4), check_eq(taken(), "1x"));
    step('1');
    let a = n + 1;
    match a {
        4 => step('x'),
        _ => step('y'),
    }
}

#[situ]
fn without_variables_the_end_of_the_block_ends_it(n: u32) -> u32 {
    step('0');
    blocktest!("runs", given(n = 2), check_runs());
    blocktest!("steps", given(n = 2), check_eq(taken(), "abc"));
    step('a');
    if n > 1 {
        step('b');
        blocktest!("inner", check_eq(taken(), "c"));
        step('c');
    }
    n
}

#[situ]
fn a_flow_path_ends_it_too(n: u32) -> u32 {
    let mut a = 0;
    blocktest!(
        "path",
        given(n = 9, a = 0),
        check_flow(If(2).Then),
        check_eq(taken(), "1234")
    );
    blocktest!(
        "first path",
        given(n = 9, a = 0),
        check_flow(If.Then),
        check_eq(taken(), "12")
    );
    blocktest!(
        "variable later",
        given(n = 9, a = 0),
        check_flow(If.Then),
        check_eq(b, 3),
        check_eq(taken(), "12345")
    );
    blocktest!(
        "path later",
        given(n = 9, a = 0),
        check_flow(If(2).Then),
        check_eq(c, 0),
        check_eq(taken(), "1234")
    );
    step('1');
    let c = a;
    if n > 1 {
        step('2');
    }
    step('3');
    if n > 2 {
        a += 1;
        step('4');
    }
    step('5');
    let b = a + 2;
    step('6');
    c + n + b
}

#[situ]
fn an_oracle_about_the_return_takes_the_tail_in(n: u32) -> u32 {
    blocktest!(
        "value",
        given(n = 3),
        check_return(5),
        check_eq(taken(), "12")
    );
    blocktest!(
        "place",
        given(n = 3),
        check(returned() > 4),
        check_eq(taken(), "12")
    );
    blocktest!("early", given(n = 0), check_return(0));
    step('1');
    if n == 0 {
        return 0;
    }
    let a = n + 1;
    step('2');
    a + 1
}

#[situ]
fn an_oracle_about_a_value_takes_the_tail_in(n: u32) -> u32 {
    let doubled = if n > 5 {
        blocktest!(
            "value",
            given(n = 6),
            check_value(13),
            check_eq(taken(), "12")
        );
        blocktest!(
            "place",
            given(n = 6),
            check(value() > 12),
            check_eq(taken(), "12")
        );
        step('1');
        let a = n * 2;
        step('2');
        a + 1
    } else {
        n
    };
    match doubled {
        0 => 1,
        other => {
            blocktest!("arm", given(other = 3), check_value(9));
            let squared = other * other;
            squared.min(100)
        }
    }
}

#[situ]
fn an_oracle_about_a_panic_takes_the_tail_in(numbers: &[u32]) -> u32 {
    blocktest!(
        given(numbers = &[1]),
        check_panic("out of bounds"),
        check_eq(taken(), "1")
    );
    step('1');
    numbers[numbers.len()]
}

#[situ]
fn right_before_a_tail_it_tests_that_expression(n: u32) -> u32 {
    let a = {
        step('1');
        blocktest!("inner", given(n = 2), check_value(4), check_eq(taken(), ""));
        n * 2
    };
    blocktest!(
        "return",
        given(a = 3),
        check_return(4),
        check_eq(taken(), "")
    );
    blocktest!("place", given(a = 3), check_eq(returned(), 4));
    a + 1
}

#[situ]
fn tests_inside_are_skipped(n: u32) -> u32 {
    blocktest!(
        "outer",
        given(n = 1),
        check_eq(b, 4),
        check_eq(taken(), "12")
    );
    step('1');
    let a = n + 1;
    itest!(given(n = 5), check_eq(a, 6));
    closuretest!(args(7), check_return(8));
    let add = |x: u32| x + 1;
    blocktest!(
        "inner",
        given(a = 9),
        end(first_assign),
        check_eq(b, 18),
        check_eq(taken(), "2")
    );
    step('2');
    let b = a * 2;
    add(b)
}

struct Account {
    balance: i64,
    log: Vec<String>,
}

#[situ]
impl Account {
    fn deposit(&mut self, amount: i64) -> i64 {
        blocktest!(
            given(
                self = Account {
                    balance: 1,
                    log: vec![]
                },
                amount = 2
            ),
            check_eq(self.balance, 3),
            check_eq(self.log, ["deposit 2"]),
            check_eq(taken(), "12")
        );
        step('1');
        self.balance += amount;
        step('2');
        self.log.push(format!("deposit {amount}"));
        step('3');
        amount
    }
}

#[situ]
fn what_an_oracle_binds_itself_is_no_variable_of_the_fragment(list: Vec<u32>) -> u32 {
    blocktest!(
        "closure",
        given(list = vec![1]),
        check(owned.iter().all(|x| *x > 0)),
        check_eq(taken(), "1")
    );
    blocktest!("pattern", given(list = vec![1]), check_matches(owned.first(), Some(x) if *x > 0), check_eq(taken(), "1"));
    blocktest!(
        "block",
        given(list = vec![1]),
        check_eq(
            {
                let x = owned.len();
                x
            },
            1
        ),
        check_eq(taken(), "1")
    );
    step('1');
    let owned = list;
    step('2');
    let x = 3;
    step('3');
    x + owned.len() as u32
}

#[situ]
fn statements_of_other_kinds(n: u32, numbers: &mut Vec<u32>) {
    blocktest!(
        "a labelled loop is a block",
        given(n = 0),
        end(first_block),
        check_eq(taken(), "1a")
    );
    step('1');
    'only: loop {
        step('a');
        if n == 0 {
            break 'only;
        }
    }
    step('2');
    blocktest!(
        "a tail without a value counts",
        given(numbers = &mut vec![]),
        check_eq(*numbers, [1, 2])
    );
    numbers.push(1);
    numbers.push(2)
}

#[situ]
fn a_variable_that_is_shadowed(n: u32) -> u32 {
    blocktest!(given(n = 1), check_eq(x, 6), check_eq(taken(), "12"));
    step('1');
    let x = n + 1;
    let x = x * 3;
    step('2');
    let y = x;
    step('3');
    y + 1
}
