use situ::prelude::*;

#[situ]
fn add(mut n: u32) -> u32 {
    n += 2;
    itest!(check_eq(n, 4));
    n
}

fn main() {
    add(1);
}
