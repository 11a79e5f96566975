use situ::prelude::*;

#[situ]
fn sum(a: u32, b: u32) -> u32 {
    let sum = a + b;
    itest!("both are told", given(a = 1), check_eq(sum));
    blocktest!("of the first statement", repeat(0), check_eq(double, 4));
    let double = sum * 2;
    itest!("a clause that may have given it", give(double = 1), check_eq(half, 2));
    let half = double / 2;
    half
}

fn main() {}
