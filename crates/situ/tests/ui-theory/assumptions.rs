use situ::prelude::*;

fn without_a_condition() {
    assume!();
}

fn with_one_value() {
    assume_eq!(1);
}

fn without_a_value() {
    let _: i32 = assume_ok!();
}

fn with_a_typing_mistake(n: i32) {
    assume!(n >);
}

fn in_a_function_with_a_value(n: i32) -> i32 {
    assume!(n > 0);
    n
}

fn main() {
    without_a_condition();
    with_one_value();
    without_a_value();
    with_a_typing_mistake(1);
    in_a_function_with_a_value(1);
}
