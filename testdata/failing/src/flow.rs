//! Flow oracles that control does not follow.

use situ::prelude::*;

#[situ]
pub fn branches(n: i32) -> i32 {
    let mut out = n;
    blocktest!("else, not then", given(n = 5, out = 0), check_flow(If.Then));
    blocktest!("deeper", given(n = -5, out = 0), check_flow(If.Then.If.Then));
    blocktest!("not this way", given(n = -5, out = 0), check_no_flow(If.Then));
    blocktest!("else if", given(n = -5, out = 0), check_flow(If.ElseIf.Then));
    if n < 0 {
        out += 1;
        if n < -9 {
            out += 2;
        }
    } else if n == 0 {
        out += 3;
    } else {
        out += 4;
    }
    blocktest!("arm", given(out = 3), check_flow(Match.Arm(1)));
    match out {
        0 => out += 1,
        _ => out += 2,
    }
    out
}

#[situ]
pub fn passes(numbers: &[u32]) -> u32 {
    let mut sum = 0;
    blocktest!("other number", given(numbers = &[1, 2], sum = 0), check_flow(For.Body.times(3)));
    blocktest!("never", given(numbers = &[], sum = 0), check_flow(For.Body));
    blocktest!("exactly not", given(numbers = &[1, 2], sum = 0), check_no_flow(For.Body.times(2)));
    blocktest!("before its branch", given(numbers = &[1, 2], sum = 0), check_flow(For.Body.If.Then.times(1)));
    for number in numbers {
        if *number > 5 {
            sum += 1;
        }
        sum += number;
    }
    sum
}

#[situ]
pub fn a_slipped_continue(numbers: &[u32]) -> u32 {
    let mut sum = 0;
    for number in numbers {
        blocktest!("slipped", given(number = &3, sum = 0), check_flow(If.Then));
        if *number > 2 {
            sum += number;
            continue;
        }
        sum += 1;
    }
    sum
}
