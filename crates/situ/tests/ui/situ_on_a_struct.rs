use situ::prelude::*;

#[situ]
struct Point {
    x: u32,
}

fn main() {
    println!("{}", Point { x: 1 }.x);
}
