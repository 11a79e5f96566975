use situ::prelude::*;

#[situ]
mod counters {
    use situ::prelude::*;

    pub struct Counter(pub u32);

    impl Counter {
        pub fn next(&self) -> u32 {
            let next = self.0 + 1;
            itest!(given(self.0 = 1), check_eq(next, 2));
            next
        }
    }

    impl Counter {
        pub fn previous(&self) -> u32 {
            let previous = self.0 - 1;
            itest!(given(self.0 = 1), check_eq(previous, 0));
            previous
        }
    }
}

fn main() {
    counters::Counter(counters::Counter(1).next()).previous();
}
