use situ::prelude::*;

#[situ]
fn next(n: u32) {
    println!("{n}");
    closuretest!(args(1), check_return(2));
}

fn main() {
    next(1);
}
