use situ::prelude::*;

#[situ]
fn digit(n: u32) -> u32 {
    let mut digit = 0;
    blocktest!("third", given(n = 1, digit = 0), check_flow(Match.Arm(3)));
    blocktest!("without a number", given(n = 1, digit = 0), check_flow(Match.Arm));
    match n {
        0 => digit = 1,
        _ => digit = 2,
    }
    digit
}

fn main() {
    digit(1);
}
