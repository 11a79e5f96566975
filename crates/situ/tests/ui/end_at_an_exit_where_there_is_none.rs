use situ::prelude::*;

#[situ]
fn sum(n: u32) -> u32 {
    let mut sum = 0;
    blocktest!(given(n = 1, sum = 0), end(first_exit), check_eq(sum, 1));
    sum += n;
    if n > 3 {
        sum += 1;
    }
    sum
}

fn main() {
    sum(1);
}
