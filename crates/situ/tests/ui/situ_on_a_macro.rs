use situ::prelude::*;

#[situ]
macro_rules! one {
    () => {
        1
    };
}

fn main() {
    println!("{}", one!());
}
