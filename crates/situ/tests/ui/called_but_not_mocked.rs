use situ::prelude::*;

fn rand(low: u32, high: u32) -> u32 {
    low + high
}

#[situ]
fn roll(n: u32) -> u32 {
    let rolled = rand(1, n) + 1;
    itest!(given(n = 1), check_called(rand(..), 1));
    itest!(given(n = 1), mock(rand(..), 3), check_called(rand(2, _), 1));
    itest!(given(n = 1), mock(rand(..), 3), check_called(rand(..)));
    rolled
}

fn main() {
    roll(1);
}
