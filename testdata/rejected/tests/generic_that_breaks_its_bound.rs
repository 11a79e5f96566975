use situ::prelude::*;

#[situ]
pub fn text<T: ToString>(value: T) -> String {
    let text = value.to_string();
    itest!(given(T = Vec<u32>, value = vec![1]), check_eq(text, "1"));
    text
}
