use situ::prelude::*;

#[situ]
fn sum(n: u32) -> u32 {
    let mut sum = n;
    endtest!("early");
    blocktest!("early", given(sum = 0), check_eq(sum, 1));
    sum += 1;
    sum
}

fn main() {
    sum(1);
}
