use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!("tag", given(n = 1), tag(3), check_eq(next, 2));
    itest!("ignore", given(n = 1), ignore(3), check_eq(next, 2));
    itest!("repeat", given(n = 1), repeat("x"), check_eq(next, 2));
    itest!("timeout", given(n = 1), timeout_ms("x"), check_eq(next, 2));
    itest!("delay", given(n = 1), delay_ms(), check_eq(next, 2));
    itest!("assume", given(n = 1), assume(), check_eq(next, 2));
    itest!("setup", given(n = 1), setup(n), check_eq(next, 2));
    next
}

fn main() {
    next(1);
}
