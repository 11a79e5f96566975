use situ::prelude::*;

#[datapoint]
struct Something;

#[datapoints]
fn with_parameters(n: i32) -> Vec<i32> {
    vec![n]
}

#[datapoint]
fn generic<T: Default>() -> T {
    T::default()
}

#[datapoint]
async fn later() -> i32 {
    1
}

#[datapoint]
unsafe fn dangerous() -> i32 {
    1
}

#[datapoint]
fn nothing() {}

#[datapoint]
static mut CHANGING: i32 = 1;

fn main() {
    let _ = Something;
}
