use situ::prelude::*;

#[situ]
enum Way {
    Left,
}

fn main() {
    let _way = Way::Left;
}
