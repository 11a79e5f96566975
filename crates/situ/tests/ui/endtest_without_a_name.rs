use situ::prelude::*;

#[situ]
fn sum(n: u32) -> u32 {
    let mut sum = 0;
    endtest!();
    endtest!(sum);
    sum += n;
    if n > 3 {
        sum += 1;
    }
    sum
}

fn main() {
    sum(1);
}
