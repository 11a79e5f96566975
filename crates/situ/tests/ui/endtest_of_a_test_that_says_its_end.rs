use situ::prelude::*;

#[situ]
fn sum(n: u32) -> u32 {
    let mut sum = n;
    blocktest!("said", given(sum = 0), next(1), check_eq(sum, 1));
    sum += 1;
    sum += 2;
    endtest!("said");
    sum
}

fn main() {
    sum(1);
}
