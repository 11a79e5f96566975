use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    itest!(given(n = 1), check_eq(n, 1));
    n + 1
}

fn main() {
    next(1);
}
