use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!();
    next
}

fn main() {
    next(1);
}
