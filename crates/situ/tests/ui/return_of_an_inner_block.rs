use situ::prelude::*;

#[situ]
fn sign(n: i32) -> i32 {
    let sign = if n < 0 {
        blocktest!(given(n = -2), check_return(-1));
        n / n.abs()
    } else {
        1
    };
    sign + 1
}

fn main() {
    sign(1);
}
