use situ::prelude::*;

#[situ]
fn sign(n: i32) -> i32 {
    let mut sign = 0;
    blocktest!(given(n = 1, sign = 0), check_flow(If.Body));
    blocktest!(given(n = 1, sign = 0), check_flow(For.Then));
    blocktest!(given(n = 1, sign = 0), check_flow(Then));
    blocktest!(given(n = 1, sign = 0), check_flow(If.Arm(1)));
    if n < 0 {
        sign = -1;
    } else if n > 0 {
        sign = 1;
    }
    for _ in 0..n {
        sign += 0;
    }
    sign
}

fn main() {
    sign(1);
}
