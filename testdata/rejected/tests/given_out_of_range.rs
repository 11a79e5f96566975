use situ::prelude::*;

#[situ]
pub fn next(n: u8) -> u8 {
    let next = n.wrapping_add(1);
    itest!(given(n = 300), check_eq(next, 2));
    next
}
