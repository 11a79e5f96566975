use situ::prelude::*;

#[situ]
fn next(n: u32) {
    blocktest!(given(n = 1), start(first_block), check_runs());
    println!("{n}");
}

fn main() {
    next(1);
}
