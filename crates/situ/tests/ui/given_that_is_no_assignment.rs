use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!(given(n), check_eq(next, 2));
    itest!(given(n == 1), check_eq(next, 2));
    itest!(given(), check_runs());
    next
}

fn main() {
    next(1);
}
