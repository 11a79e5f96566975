use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!(given(n = 1), mock(one(), 2), check_eq(next, one()));
    next
}

fn main() {
    next(one());
}

fn one() -> u32 {
    1
}
