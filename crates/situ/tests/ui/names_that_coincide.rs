use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!("a b", given(n = 1), check_eq(next, 2));
    itest!("a-b", given(n = 2), check_eq(next, 3));
    next
}

fn main() {
    next(1);
}
