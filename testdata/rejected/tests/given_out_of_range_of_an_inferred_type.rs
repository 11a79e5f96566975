use situ::prelude::*;

#[situ]
pub fn less(bytes: &[u8]) -> usize {
    let count = bytes.len();
    let less = count.saturating_sub(1);
    itest!(given(count = -1), check_eq(less, 0));
    less
}
