use situ::prelude::*;

#[situ]
type Number = u32;

fn main() {
    println!("{}", 3 as Number);
}
