use situ::prelude::*;

const LIMIT: u32 = 3;

#[situ]
fn at_limit(n: u32) -> bool {
    let at = match n {
        LIMIT => true,
        _ => false,
    };
    itest!(given(n = 1, LIMIT = 1), check_true(at));
    at
}

fn main() {
    at_limit(1);
}
