use situ::prelude::*;

#[situ]
fn both(a: bool, b: bool) -> u32 {
    if a && b {
        itest!("zero", given(a = true), check_true(cond(0)));
        itest!("third", given(a = true), check_true(cond(3)));
        itest!("text", given(a = true), check_true(cond("a")));
        itest!("two", given(a = true), check_true(cond(1, 2)));
        return 1;
    }
    0
}

fn main() {
    both(true, true);
}
