use situ::prelude::*;

#[situ]
fn twice(mut n: u32) -> u32 {
    blocktest!(check_eq(n, 4));
    let before = n;
    n = before * 2;
    n
}

fn main() {
    twice(1);
}
