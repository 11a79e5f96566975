use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!("timeout", given(n = 1), timeout_ms(0), check_eq(next, 2));
    itest!("delay", given(n = 1), delay_ms(-1), check_eq(next, 2));
    next
}

fn main() {
    next(1);
}
