use situ::prelude::*;

#[situ]
fn sum(numbers: &[u32]) -> u32 {
    let mut sum = 0;
    for number in numbers {
        itest!(given(numbers = &[1]), check_true(cond()));
        sum += number;
    }
    sum
}

fn main() {
    sum(&[1]);
}
