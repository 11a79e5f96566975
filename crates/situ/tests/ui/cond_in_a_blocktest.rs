use situ::prelude::*;

#[situ]
fn both(a: bool, b: bool) -> u32 {
    let mut out = 0;
    if a && b {
        blocktest!(given(out = 0), check_true(cond()), check_eq(out, 1));
        out += 1;
    }
    out
}

fn main() {
    both(true, true);
}
