use situ::prelude::*;

#[situ]
fn add(list: &mut Vec<u32>) {
    list.push(1);
    itest!(given(list = &mut vec![]), check_eq(*list, [1]))
}

fn main() {
    add(&mut Vec::new());
}
