use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    blocktest!(given(next = 1), check_eq(returned(1), 1));
    next
}

fn main() {
    next(1);
}
