use situ::prelude::*;

pub fn outer(n: u32) -> u32 {
    struct Counter(u32);
    #[situ]
    impl Counter {
        fn next(&self) -> u32 {
            let next = self.0 + 1;
            itest!(given(self = Counter(1)), check_eq(next, 2));
            next
        }
    }
    Counter(n).next()
}
