use situ::prelude::*;

#[situ]
fn pair(n: u32) -> Vec<u32> {
    vec![n, {
        let next = n + 1;
        itest!(given(n = 1), check_eq(next, 2));
        next
    }]
}

fn main() {
    pair(1);
}
