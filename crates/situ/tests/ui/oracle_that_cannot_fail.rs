use situ::prelude::*;


#[situ]
fn next(n: u8) -> u8 {
    let next = n + 1;
    itest!("wildcard", given(n = 1), check_matches(next, _));
    itest!("binding", given(n = 1), check_matches(next, name));
    itest!("or", given(n = 1), check_matches(next, 1 | _));
    itest!("bound", given(n = 1), check_matches(next, name @ _));
    itest!("tuple", given(n = 1), check_matches((next, 1), (_, _)));
    itest!("matches", given(n = 1), check(matches!(next, _)));
    itest!("true", given(n = 1), check(true));
    itest!("literals", given(n = 1), check_eq(1, 1));
    itest!("same", given(n = 1), check_eq(next, next));
    itest!("compared", given(n = 1), check(next >= next));
    next
}

fn main() {}
