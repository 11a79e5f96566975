use situ::prelude::*;

#[derive(DataPoints)]
struct NoEnum;

#[derive(DataPoints)]
enum WithFields {
    Plain,
    Tuple(i32),
    Struct { n: i32 },
}

#[derive(DataPoints)]
enum Empty {}

#[derive(DataPoints)]
enum Generic<T> {
    Of(T),
}

fn main() {}
