use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next;
    itest!(given(n = 1), check_eq(n, 1));
    next = n + 1;
    next
}

fn main() {
    next(1);
}
