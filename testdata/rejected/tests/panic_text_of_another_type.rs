use situ::prelude::*;

#[situ]
pub fn next(n: u32) -> u32 {
    blocktest!(given(n = 1), check_panic(3));
    n + 1
}
