use situ::prelude::*;

#[situ]
fn sum(n: u32) -> u32 {
    let mut sum = n;
    blocktest!("elsewhere", given(sum = 0), check_eq(sum, 1));
    sum += 1;
    if sum > 3 {
        sum += 1;
        endtest!("elsewhere");
    }
    sum
}

fn main() {
    sum(1);
}
