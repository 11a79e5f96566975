use situ::prelude::*;

#[situ]
fn sum(numbers: &[u32]) -> u32 {
    let mut sum = 0;
    'outer: for number in numbers {
        blocktest!(given(number = &1, sum = 0), check_break("inner"));
        sum += number;
        if sum > 9 {
            break 'outer;
        }
    }
    sum
}

fn main() {
    sum(&[1]);
}
