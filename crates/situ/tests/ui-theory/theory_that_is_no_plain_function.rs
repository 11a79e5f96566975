use situ::prelude::*;

#[theory]
const fn constant(n: i32) {
    let _ = n;
}

#[theory]
unsafe fn dangerous(n: i32) {
    let _ = n;
}

#[theory]
extern "C" fn foreign(n: i32) {
    let _ = n;
}

fn main() {}
