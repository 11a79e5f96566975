use situ::prelude::*;

fn rand(low: u32, high: u32) -> u32 {
    low + high
}

#[situ]
fn roll(n: u32) -> u32 {
    let rolled = rand(1, n) + 1;
    itest!("other name", given(n = 1), mock(random(..), 3), check_eq(rolled, 3));
    itest!("other number", given(n = 1), mock(rand(_), 3), check_eq(rolled, 3));
    itest!("method", given(n = 1), mock(n.rand(..), 3), check_eq(rolled, 3));
    itest!("sequence", given(n = 1), mock_seq(random(..), [3]), check_eq(rolled, 3));
    rolled
}

fn main() {
    roll(1);
}
