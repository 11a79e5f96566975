use situ::prelude::*;

#[situ]
fn block<const N: usize>() -> usize {
    let doubled = N * 2;
    itest!(check_eq(doubled, 8));
    doubled
}

fn main() {
    block::<4>();
}
