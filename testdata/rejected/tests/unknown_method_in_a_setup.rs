use situ::prelude::*;

#[situ]
pub fn count(list: Vec<u32>) -> usize {
    let count = list.len();
    itest!(given(list = vec![1]), setup({ list.append_all(2); }), check_eq(count, 2));
    count
}
