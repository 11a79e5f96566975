use situ::prelude::*;

#[situ]
pub fn owned(list: Vec<u32>) -> Vec<u32> {
    let owned = list;
    itest!(given(list = vec![1]), check_eq(owned, [1]), check_eq(list, [1]));
    owned
}
