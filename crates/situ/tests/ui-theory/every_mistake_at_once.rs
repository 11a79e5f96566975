use situ::prelude::*;

#[theory(slow)]
unsafe fn four_mistakes<T>(#[from(1)] n: i32, #[values()] m: i32) {
    let _ = (n, m);
}

fn main() {}
