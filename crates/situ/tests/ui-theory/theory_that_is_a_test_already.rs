use situ::prelude::*;

#[theory]
#[test]
fn twice(n: i32) {
    let _ = n;
}

fn main() {}
