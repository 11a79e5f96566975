use situ::prelude::*;

#[theory(slow)]
fn unknown(n: i32) {
    let _ = n;
}

#[theory("full")]
fn no_word(n: i32) {
    let _ = n;
}

#[theory(full, full)]
fn twice(n: i32) {
    let _ = n;
}

#[theory(full T = [u8])]
fn no_comma<T>(n: T) {
    let _ = n;
}

fn main() {}
