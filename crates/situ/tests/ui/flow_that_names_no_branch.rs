use situ::prelude::*;

#[situ]
fn sign(n: i32) -> i32 {
    let mut sign = 0;
    blocktest!("second if", given(n = 1, sign = 0), check_flow(If(2).Then));
    blocktest!("no else", given(n = 1, sign = 0), check_flow(If.Else));
    blocktest!("no match", given(n = 1, sign = 0), check_flow(Match.Arm(1)));
    blocktest!("second else if", given(n = 1, sign = 0), check_no_flow(If.ElseIf(2).Then));
    blocktest!("deeper", given(n = 1, sign = 0), check_flow(For.Body.If.Then));
    blocktest!("not in its fragment", given(n = 1, sign = 0), next(1), check_flow(For.Body));
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
