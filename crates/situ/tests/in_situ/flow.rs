//! `check_flow` and `check_no_flow`: which way control takes.

use situ::prelude::*;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("flow.rs"));
}

#[situ]
fn branches(n: i32) -> &'static str {
    blocktest!(
        "then",
        given(n = -1),
        check_flow(If.Then),
        check_no_flow(If.Else),
        check_no_flow(If.ElseIf.Then)
    );
    blocktest!(
        "else if",
        given(n = 0),
        check_flow(If.ElseIf.Then),
        check_no_flow(If.Then)
    );
    blocktest!(
        "second else if",
        given(n = 5),
        check_flow(If.ElseIf(2).Then),
        check_no_flow(If.ElseIf.Then)
    );
    blocktest!(
        "else",
        given(n = 50),
        check_flow(If.Else),
        check_no_flow(If.ElseIf(2).Then)
    );
    blocktest!(
        "first else if by number",
        given(n = 0),
        check_flow(If.ElseIf(1).Then)
    );
    let text;
    if n < 0 {
        text = "negative";
    } else if n == 0 {
        text = "zero";
    } else if n < 10 {
        text = "small";
    } else {
        text = "large";
    }
    text
}

#[situ]
fn the_second_if(a: bool, b: bool) -> u32 {
    let mut n = 0;
    blocktest!(
        "first only",
        given(a = true, b = false, n = 0),
        check_flow(If.Then),
        check_no_flow(If(2).Then)
    );
    blocktest!(
        "first by number",
        given(a = true, n = 0),
        check_flow(If(1).Then)
    );
    blocktest!(
        "second only",
        given(a = false, b = true, n = 0),
        check_flow(If(2).Then),
        check_no_flow(If.Then)
    );
    blocktest!(
        "both",
        given(a = true, b = true, n = 0),
        check_flow(If.Then),
        check_flow(If(2).Then)
    );
    if a {
        n += 1;
        if n > 5 {
            n = 5;
        }
    }
    if b {
        n += 2;
    }
    n
}

#[situ]
fn initialisers_count_deeper_ones_do_not(a: u32) -> u32 {
    blocktest!("let", given(a = 1), check_flow(If.Else), check_eq(first, 0));
    blocktest!(
        "after the let",
        given(a = 9),
        check_flow(If(2).Then),
        check_eq(second, 11)
    );
    blocktest!("nested", given(a = 9), check_flow(If(2).Then.If.Else));
    let first = if a > 5 { 1 } else { 0 };
    let mut second = 0;
    if a > 8 {
        second += 1;
        if a > 100 {
            second += 2;
        } else {
            second += 10;
        }
    }
    first + second
}

#[situ]
fn arms(token: Option<u32>) -> u32 {
    blocktest!(
        "one",
        given(token = Some(0)),
        check_flow(Match.Arm(1)),
        check_no_flow(Match.Arm(2))
    );
    blocktest!("guarded", given(token = Some(7)), check_flow(Match.Arm(2)));
    blocktest!(
        "not guarded",
        given(token = Some(4)),
        check_flow(Match.Arm(3)),
        check_no_flow(Match.Arm(2))
    );
    blocktest!(
        "inside",
        given(token = None),
        check_flow(Match.Arm(4).If.Then)
    );
    let value = match token {
        Some(0) => 10,
        Some(n) if n > 5 => n,
        Some(_) => 20,
        None => {
            let mut n = 0;
            if token.is_none() {
                n += 1;
            }
            n
        }
    };
    value + 1
}

#[situ]
fn passes(numbers: &[u32], mut n: u32) -> u32 {
    blocktest!(
        "for",
        given(numbers = &[1, 2, 3], n = 0),
        check_flow(For.Body.times(3)),
        check_no_flow(For.Body.times(2))
    );
    blocktest!(
        "none",
        given(numbers = &[], n = 0),
        check_no_flow(For.Body),
        check_flow(For.Body.times(0))
    );
    blocktest!("some", given(numbers = &[1], n = 0), check_flow(For.Body));
    blocktest!(
        "if inside",
        given(numbers = &[1, 20, 30], n = 0),
        check_flow(For.Body.If.Then.times(2))
    );
    for number in numbers {
        if *number > 10 {
            n += 1;
        }
    }
    blocktest!(
        "while",
        given(n = 3),
        next(1),
        check_flow(While.Body.times(3)),
        check_eq(n, 0)
    );
    blocktest!("while not", given(n = 0), check_no_flow(While.Body));
    while n > 0 {
        n -= 1;
    }
    blocktest!("loop", given(n = 0), check_flow(Loop.Body.times(4)));
    blocktest!(
        "inside a loop",
        given(n = 3),
        check_flow(Loop.Body.If.Then),
        check_flow(Loop.Body.times(1))
    );
    loop {
        n += 1;
        if n >= 4 {
            break;
        }
    }
    n
}

#[situ]
fn a_path_that_leaves(numbers: &[i32]) -> Option<usize> {
    blocktest!(
        "returns inside",
        given(numbers = &[1, -1, 5]),
        check_flow(For.Body.If.Then),
        check_return(Some(1))
    );
    blocktest!(
        "times when leaving",
        given(numbers = &[1, -1, 5]),
        check_flow(For.Body.times(2)),
        check_return(Some(1))
    );
    for (index, number) in numbers.iter().enumerate() {
        if *number < 0 {
            return Some(index);
        }
    }
    None
}

#[situ]
fn branches_without_braces_of_their_own(n: u32) -> u32 {
    blocktest!(
        "arm",
        given(n = 1),
        check_flow(Match.Arm(1)),
        check_eq(out, 5)
    );
    blocktest!(
        "other arm",
        given(n = 2),
        check_flow(Match.Arm(2)),
        check_eq(out, 4)
    );
    blocktest!(
        "let else way",
        given(n = 2),
        check_flow(If.Then),
        check_eq(kept, 2)
    );
    let out = match n {
        1 => 5,
        other => other * 2,
    };
    let kept = if let 2..=3 = n { n } else { 0 };
    out + kept
}

#[situ]
fn the_whole_construct_alone(n: u32) -> u32 {
    blocktest!("an if that is reached", given(n = 1), check_flow(If));
    let mut m = n;
    if n > 0 {
        m += 1;
    }
    m
}

#[situ]
fn several_loops_at_one_level(n: u32) -> u32 {
    let mut m = 0;
    blocktest!(
        given(n = 2, m = 0),
        check_flow(For(2).Body.times(4)),
        check_flow(For.Body.times(2)),
        check_flow(While.Body)
    );
    for _ in 0..n {
        m += 1;
    }
    for _ in 0..n * 2 {
        m += 1;
    }
    while m < 100 {
        m *= 10;
    }
    m
}

#[situ]
fn the_tail_belongs_to_it_when_the_return_is_asked(n: u32) -> u32 {
    blocktest!("then", given(n = 1), check_flow(If.Then), check_return(10));
    blocktest!("else", given(n = 2), check_flow(If.Else), check_return(20));
    if n == 1 { 10 } else { 20 }
}
