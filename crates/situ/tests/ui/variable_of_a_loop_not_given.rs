use situ::prelude::*;

#[situ]
fn sum(numbers: &[u32]) -> u32 {
    let mut sum = 0;
    for number in numbers {
        sum += number;
        itest!(given(sum = 1), check_eq(sum, 2));
    }
    sum
}

fn main() {
    sum(&[1]);
}
