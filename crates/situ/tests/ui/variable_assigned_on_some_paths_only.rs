use situ::prelude::*;

#[situ]
fn size(n: u32) -> u32 {
    let mut size = 0;
    blocktest!(given(n = 1), end(first_block), check_eq(size, 1));
    if n > 0 {
        size = 1;
    }
    size
}

fn main() {
    size(1);
}
