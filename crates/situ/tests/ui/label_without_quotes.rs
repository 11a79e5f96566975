use situ::prelude::*;

#[situ]
fn sum(numbers: &[u32]) -> u32 {
    let mut sum = 0;
    'outer: for number in numbers {
        blocktest!("bare", given(number = &1, sum = 0), check_break(outer));
        blocktest!("with its quote", given(number = &1, sum = 0), check_break("'outer"));
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
