use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!(each(n, [1]), each(n, [2]), check_eq(next, 2));
    next
}

fn main() {
    next(1);
}
