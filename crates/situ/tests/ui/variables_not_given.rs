use situ::prelude::*;

#[situ]
fn sum(a: u32, b: u32) -> u32 {
    let sum = a * 2 + b;
    itest!(check_eq(sum, 2));
    sum
}

fn main() {
    sum(1, 2);
}
