use situ::prelude::*;

#[situ]
fn add(numbers: &[u32], by: u32) -> Vec<u32> {
    closuretest!(args(&1), check_return(2));
    numbers.iter().map(|n| n + by).collect()
}

fn main() {
    add(&[1], 2);
}
