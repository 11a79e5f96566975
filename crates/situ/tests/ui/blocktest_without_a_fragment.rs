use situ::prelude::*;

#[situ]
fn next(n: u32) {
    let next = n + 1;
    println!("{next}");
    blocktest!(given(next = 1), check_runs());
}

fn main() {
    next(1);
}
