use situ::prelude::*;

#[situ]
fn sign(n: i32) -> i32 {
    if n < 0 {
        -1
    } else {
        itest!(given(n = 1), check_true(cond()));
        1
    }
}

fn main() {
    sign(1);
}
