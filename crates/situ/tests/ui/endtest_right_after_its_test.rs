use situ::prelude::*;

#[situ]
fn sum(n: u32) -> u32 {
    let mut sum = n;
    blocktest!("empty", given(sum = 0), check_eq(sum, 1));
    endtest!("empty");
    sum += 1;
    sum
}

fn main() {
    sum(1);
}
