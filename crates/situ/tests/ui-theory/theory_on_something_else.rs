use situ::prelude::*;

#[theory]
struct NotAFunction;

fn main() {
    let _ = NotAFunction;
}
