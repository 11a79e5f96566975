use situ::prelude::*;

#[situ]
fn bytes<T>(count: usize) -> usize {
    let bytes = size_of::<T>() * count;
    itest!(given(count = 2), check_eq(bytes, 8));
    bytes
}

fn main() {
    bytes::<u32>(2);
}
