use situ::prelude::*;

pub fn outer(n: u32) -> u32 {
    #[situ]
    fn inner(n: u32) -> u32 {
        let next = n + 1;
        itest!(given(n = 1), check_eq(next, 2));
        next
    }
    inner(n)
}
