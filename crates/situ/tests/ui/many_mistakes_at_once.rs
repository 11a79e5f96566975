use situ::prelude::*;

#[situ]
fn sum(a: u32, b: u32) -> u32 {
    let sum = a + b;
    itest!(given(a = 1, c = 3), chek(sum), check_eq(sum), tag(1));
    itest!(given(a = 1));
    let doubled = sum * 2;
    itest!(check_eq(doubled, 2));
    doubled
}

fn main() {
    sum(1, 2);
}
