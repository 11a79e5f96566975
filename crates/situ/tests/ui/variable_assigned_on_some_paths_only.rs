use situ::prelude::*;

#[situ]
fn size(n: u32) -> u32 {
    let size;
    blocktest!(given(n = 1), end(first_block), check_eq(size, 1));
    if n > 0 {
        size = 1;
    } else {
        return 0;
    }
    size
}

fn main() {
    size(1);
}
