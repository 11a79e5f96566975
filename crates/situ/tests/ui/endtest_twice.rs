use situ::prelude::*;

#[situ]
fn sum(n: u32) -> u32 {
    let mut sum = n;
    blocktest!("twice", given(sum = 0), check_eq(sum, 1));
    sum += 1;
    endtest!("twice");
    sum += 2;
    endtest!("twice");
    sum
}

fn main() {
    sum(1);
}
