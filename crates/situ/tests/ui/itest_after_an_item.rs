use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    const ONE: u32 = 1;
    itest!(given(n = 1), check_eq(n, 1));
    n + ONE
}

fn main() {
    next(1);
}
