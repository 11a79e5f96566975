use situ::prelude::*;

#[situ]
fn rounds(n: u32) -> u32 {
    let mut rounds = n;
    loop {
        itest!(given(rounds = 1), check_true(cond()));
        rounds += 1;
        if rounds > 9 {
            return rounds;
        }
    }
}

fn main() {
    rounds(1);
}
