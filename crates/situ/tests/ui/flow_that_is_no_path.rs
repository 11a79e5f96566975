use situ::prelude::*;

#[situ]
fn sign(n: i32) -> i32 {
    let mut sign = 0;
    blocktest!(given(n = 1, sign = 0), check_flow());
    blocktest!(given(n = 1, sign = 0), check_flow("If.Then"));
    blocktest!(given(n = 1, sign = 0), check_flow(n < 0));
    blocktest!(given(n = 1, sign = 0), check_flow(For.Body.times()));
    blocktest!(given(n = 1, sign = 0), check_flow(If(0).Then));
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
