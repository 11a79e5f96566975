use situ::prelude::*;

#[situ]
fn next(n: u32) {
    let nothing = itest!(given(n = 1), check_eq(n, 1));
    println!("{n} {nothing:?}");
}

fn main() {
    next(1);
}
