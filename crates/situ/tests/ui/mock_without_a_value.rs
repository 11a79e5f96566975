use situ::prelude::*;

fn rand(low: u32, high: u32) -> u32 {
    low + high
}

#[situ]
fn roll(n: u32) -> u32 {
    let rolled = rand(1, n) + 1;
    itest!(given(n = 1), mock(rand(..)), check_eq(rolled, 3));
    itest!(given(n = 1), mock(), check_eq(rolled, 3));
    rolled
}

fn main() {
    roll(1);
}
