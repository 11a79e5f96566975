use situ::prelude::*;

#[theory]
fn no_trait(#[stub] n: i32) {
    let _ = n;
}

#[theory]
fn with_something(#[stub(3)] d: &dyn std::fmt::Display) {
    let _ = d.to_string();
}

#[theory]
fn no_stub(d: impl std::fmt::Display) {
    let _ = d.to_string();
}

fn main() {}
