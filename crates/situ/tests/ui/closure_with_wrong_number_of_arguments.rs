use situ::prelude::*;

#[situ]
fn doubled(numbers: &[u32]) -> Vec<u32> {
    closuretest!("two", args(&1, &2), check_return(2));
    closuretest!("none", args(), check_return(2));
    closuretest!("not said", check_return(2));
    numbers.iter().map(|n| n * 2).collect()
}

fn main() {
    doubled(&[1]);
}
