use situ::prelude::*;

struct Stack;

impl Stack {
    #[theory]
    fn push_then_pop(&self, n: i32) {
        let _ = n;
    }
}

fn main() {
    let _ = Stack;
}
