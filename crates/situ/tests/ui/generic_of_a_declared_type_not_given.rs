use situ::prelude::*;

#[situ]
fn first<T: Copy>(items: &[T]) -> T {
    let first = items[0];
    itest!(given(items = &[1]), check_eq(first, 1));
    first
}

fn main() {
    first(&[1]);
}
