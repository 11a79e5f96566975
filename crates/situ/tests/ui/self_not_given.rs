use situ::prelude::*;

struct Counter {
    count: u32,
}

#[situ]
impl Counter {
    fn next(&self) -> u32 {
        let next = self.count + 1;
        itest!(check_eq(next, 2));
        next
    }
}

fn main() {
    Counter { count: 1 }.next();
}
