use situ::prelude::*;

#[theory]
fn holds_for_nothing() {}

fn main() {}
