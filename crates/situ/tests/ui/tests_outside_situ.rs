use situ::prelude::*;

fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!(given(n = 1), check_eq(next, 2));
    blocktest!(given(next = 1), check_return(2));
    closuretest!(args(1), check_return(2));
    endtest!("block");
    next
}

fn main() {
    next(1);
}
