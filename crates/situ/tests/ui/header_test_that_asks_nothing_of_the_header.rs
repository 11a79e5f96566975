use situ::prelude::*;

#[situ]
fn sign(n: i32, m: i32) -> i32 {
    if n < 0 {
        itest!(given(n = 1, m = 2), check_eq(m, 2));
        return -m;
    }
    m
}

fn main() {
    sign(1, 2);
}
