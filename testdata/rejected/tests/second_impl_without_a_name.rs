use situ::prelude::*;

pub struct Counter(u32);

#[situ]
impl Counter {
    pub fn next(&self) -> u32 {
        let next = self.0 + 1;
        itest!(given(self = Counter(1)), check_eq(next, 2));
        next
    }
}

#[situ]
impl Counter {
    pub fn previous(&self) -> u32 {
        let previous = self.0 - 1;
        itest!(given(self = Counter(1)), check_eq(previous, 0));
        previous
    }
}
