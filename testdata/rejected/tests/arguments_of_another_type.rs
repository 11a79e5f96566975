use situ::prelude::*;

#[situ]
pub fn doubled(numbers: &[u32]) -> Vec<u32> {
    closuretest!(args("one"), check_return(2));
    numbers.iter().map(|n: &u32| n * 2).collect()
}
