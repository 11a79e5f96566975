use situ::prelude::*;

#[situ(a, b)]
fn two(n: u32) -> u32 {
    let next = n + 1;
    itest!(given(n = 1), check_eq(next, 2));
    next
}

#[situ("text")]
fn text(n: u32) -> u32 {
    let next = n + 1;
    itest!(given(n = 1), check_eq(next, 2));
    next
}

fn main() {
    two(text(1));
}
