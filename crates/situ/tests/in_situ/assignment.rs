//! Variables that the fragment assigns on every path that comes to its end need no given.

use situ::prelude::*;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("assignment.rs"));
}

#[situ]
fn on_every_branch(n: u32, a: bool) -> u32 {
    let mut x = n;
    println!("{x}");
    blocktest!("all arms", given(n = 3), next(1), check_eq(x, 2));
    match n {
        0 => x = 1,
        _ => x = 2,
    }
    println!("{x}");
    blocktest!("nested", given(n = 3, a = true), next(1), check_eq(x, 30));
    if a {
        match n {
            3 => x = 30,
            _ => {
                if n > 3 {
                    x = 1;
                } else {
                    x = 2;
                }
            }
        }
    } else {
        x = 5;
    }
    println!("{x}");
    let mut y = x;
    println!("{y}");
    blocktest!("a tuple", given(n = 3), next(1), check_eq((x, y), (3, 4)));
    (x, y) = (n, n + 1);
    println!("{x} {y}");
    blocktest!(
        "read after it is assigned",
        given(n = 1),
        next(2),
        check_eq(y, 2)
    );
    x = n;
    y = x + 1;
    x + y
}

#[situ]
fn on_every_branch_that_does_not_leave(n: u32, a: bool, list: &[u32]) -> u32 {
    let mut x = n;
    println!("{x}");
    blocktest!("panic", given(a = true), next(1), check_eq(x, 1));
    if a {
        x = 1;
    } else {
        panic!("not a");
    }
    x + list.len() as u32
}

#[situ]
fn or_returns(a: bool, list: &[u32]) -> u32 {
    let mut x = 0;
    println!("{x}");
    blocktest!("through", given(a = true), next(1), check_eq(x, 1));
    blocktest!("out", given(a = false), next(1), check_return(7));
    if a {
        x = 1;
    } else {
        return 7;
    }
    for item in list {
        blocktest!(
            "past the continue",
            given(item = &3),
            next(1),
            check_eq(x, 1)
        );
        blocktest!(
            "by the continue",
            given(item = &0),
            next(1),
            check_continue()
        );
        if *item > 2 {
            x = 1;
        } else {
            continue;
        }
        println!("{x}");
    }
    x
}

#[situ]
fn in_blocks_and_conditions(a: bool) -> u32 {
    let mut x = 0;
    println!("{x}");
    blocktest!("a loop that runs at least once", next(1), check_eq(x, 5));
    loop {
        x = 5;
        if x > 3 {
            break;
        }
    }
    println!("{x}");
    blocktest!("a labelled block", given(a = true), next(1), check_eq(x, 1));
    'block: {
        if a {
            x = 1;
            break 'block;
        }
        x = 2;
    }
    println!("{x}");
    blocktest!(
        "the first operand",
        given(a = true),
        next(1),
        check_eq(x, 4)
    );
    let _both = {
        x = 4;
        x > 3
    } && a;
    x
}
