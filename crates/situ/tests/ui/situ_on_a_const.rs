use situ::prelude::*;

#[situ]
const LIMIT: u32 = 3;

fn main() {
    println!("{}", LIMIT);
}
