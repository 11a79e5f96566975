use situ::prelude::*;

#[situ]
fn sum(numbers: [u8; { let n = 3; itest!(check_eq(n, 3)); n }]) -> u8 {
    let _all: [u8; { let n = 4; itest!(check_eq(n, 4)); n }] = [1; 4];
    let _one: Wrapped<{ itest!(check_runs()); 1 }> = Wrapped;
    let total = numbers.iter().sum();
    itest!(given(numbers = [1, 2, 3]), check_eq(total, 6));
    total
}

struct Wrapped<const N: u8>;

#[situ]
impl Wrapped<{ let n = 1; itest!(check_eq(n, 1)); n }> {
    fn next(x: u8) -> [u8; { blocktest!(check_runs()); 1 }] {
        let next = x + 1;
        itest!(given(x = 1), check_eq(next, 2));
        [next]
    }
}

fn main() {}
