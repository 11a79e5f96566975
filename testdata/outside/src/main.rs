//! A program whose tests stand in its code.
#![forbid(unsafe_code)]
#![deny(warnings)]

use situ::prelude::*;

#[situ]
fn main() {
    let numbers = outside::doubled("1 x 2");
    itest!(check_eq(numbers, [2, 4]));
    let text = join(&numbers);
    itest!("mocked", mock(join(_), "a".to_string()), check_eq(text, "a"));
    println!("{text}");
}

#[situ]
fn join(numbers: &[usize]) -> String {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    itest!(given(numbers = &[1, 2]), check_eq(texts, ["1", "2"]));
    texts.join(" ")
}
