use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!("repeat", given(n = 1), repeat(2), repeat(3), check_eq(next, 2));
    itest!("timeout", given(n = 1), timeout_ms(2), timeout_ms(3), check_eq(next, 2));
    itest!("ignore", given(n = 1), ignore("a"), ignore("b"), check_eq(next, 2));
    next
}

fn main() {
    next(1);
}
