use situ::prelude::*;

struct Counter;

#[situ]
impl Counter {
    fn tick(n: u32) -> u32 {
        let next = n + 1;
        itest!("up twice", given(n = 1), check_eq(next, 2));
        next
    }

    fn tick_up(n: u32) -> u32 {
        let next = n + 1;
        itest!("twice", given(n = 1), check_eq(next, 2));
        next
    }
}

fn main() {
    Counter::tick(Counter::tick_up(1));
}
