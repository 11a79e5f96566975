use situ::prelude::*;

#[situ]
fn last(numbers: &[u32]) -> u32 {
    let mut last = 0;
    blocktest!(given(numbers = &[1]), check_eq(last, 1));
    for number in numbers {
        last = *number;
    }
    last
}

fn main() {
    last(&[1]);
}
