use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!("args", given(n = 1), args(1), check_eq(next, 2));
    itest!("nth", given(n = 1), nth(1), check_eq(next, 2));
    itest!("end", given(n = 1), end(first_block), check_eq(next, 2));
    itest!("next", given(n = 1), next(1), check_eq(next, 2));
    blocktest!("of", given(next = 1), of(next), check_return(1));
    next
}

fn main() {
    next(1);
}
