use situ::prelude::*;

#[situ]
fn doubled(numbers: &[u32]) -> Vec<u32> {
    closuretest!(nth(2), args(&1), check_return(2));
    closuretest!(nth(0), args(&1), check_return(2));
    numbers.iter().map(|n| n * 2).collect()
}

fn main() {
    doubled(&[1]);
}
