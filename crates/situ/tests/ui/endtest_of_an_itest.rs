use situ::prelude::*;

#[situ]
fn sum(n: u32) -> u32 {
    let mut sum = n;
    itest!("statement", given(n = 0), check_eq(sum, 0));
    sum += 1;
    endtest!("statement");
    sum
}

fn main() {
    sum(1);
}
