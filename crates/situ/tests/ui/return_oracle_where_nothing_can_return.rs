use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!("value", given(n = 1), check_return(2));
    itest!("place", given(n = 1), check_eq(returned(), 2));
    next
}

fn main() {
    next(1);
}
