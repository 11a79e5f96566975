use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    closuretest!(args(1), check_return(2));
    let next = n + 1;
    next
}

fn main() {
    next(1);
}
