use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!(given(3 = n), check_eq(next, 2));
    itest!(given(n + 1 = 2), check_eq(next, 2));
    next
}

fn main() {
    next(1);
}
