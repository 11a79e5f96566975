use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!("tag", given(n = 1), tag(), check_eq(next, 2));
    itest!("ignore", given(n = 1), ignore(), check_eq(next, 2));
    next
}

fn main() {
    next(1);
}
