use situ::prelude::*;

macro_rules! same {
    ($($tokens:tt)*) => { $($tokens)* };
}

#[situ]
fn next(n: u32) -> u32 {
    same! {
        let next = n + 1;
        itest!(given(n = 1), check_eq(next, 2));
    }
    next
}

fn main() {
    next(1);
}
