use situ::prelude::*;

#[situ]
pub fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!(given(n = "one"), check_eq(next, 2));
    next
}
