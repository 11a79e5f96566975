use situ::prelude::*;

#[situ]
fn next(n: u32) -> u32 {
    let next = n + 1;
    itest!("no iterable", each(n), check_eq(next, 2));
    itest!("no name", each(3, [1]), check_runs());
    itest!("nothing", each(), check_runs());
    next
}

fn main() {
    next(1);
}
