use situ::prelude::*;

#[situ]
fn sum(numbers: &[u32]) -> u32 {
    let mut sum = 0;
    blocktest!("early", given(numbers = &[1], sum = 0), check_flow(For.times(1).Body));
    blocktest!("alone", given(numbers = &[1], sum = 0), check_flow(times(1)));
    for number in numbers {
        sum += number;
    }
    sum
}

fn main() {
    sum(&[1]);
}
