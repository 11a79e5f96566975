use situ::prelude::*;

#[situ]
fn list(n: u32) -> u32 {
    let later = || n + 1;
    itest!(check_eq(later(), 2));
    later()
}

fn main() {
    list(1);
}
