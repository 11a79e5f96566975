use situ::prelude::*;

#[situ]
fn list(n: u32) -> Vec<u32> {
    let list = vec![n, n + 1];
    itest!(check_eq(list, [1, 2]));
    list
}

fn main() {
    list(1);
}
