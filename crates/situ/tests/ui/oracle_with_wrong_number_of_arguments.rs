use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!(given(n = 1), check_eq(next));
    itest!(given(n = 1), check_ne(next, 2, 3));
    itest!(given(n = 1), check_none());
    itest!(given(n = 1), check_approx(next, 2));
    itest!(given(n = 1), check_matches(next));
    itest!(given(n = 1), check_runs(next));
    itest!(given(n = 1), check());
    itest!(given(n = 1), check_same(next));
    next
}

fn main() {
    next(1);
}
