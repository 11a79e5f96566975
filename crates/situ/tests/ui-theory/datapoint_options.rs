use situ::prelude::*;

#[datapoint(small)]
const NO_TEXT: i32 = 1;

#[datapoint("")]
const EMPTY: i32 = 1;

#[datapoints("a" "b")]
const NO_COMMA: [i32; 1] = [1];

fn main() {}
