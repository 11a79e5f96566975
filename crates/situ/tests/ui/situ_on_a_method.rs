use situ::prelude::*;

struct Counter {
    count: u32,
}

impl Counter {
    #[situ]
    fn next(&self) -> u32 {
        let next = self.count + 1;
        itest!(given(self.count = 1), check_eq(next, 2));
        next
    }
}

fn main() {
    Counter { count: 1 }.next();
}
