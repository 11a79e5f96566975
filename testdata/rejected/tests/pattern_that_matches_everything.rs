use situ::prelude::*;

pub struct Point {
    pub x: u8,
}

#[situ]
pub fn moved(n: u8) -> Point {
    let point = Point { x: n + 1 };
    itest!(given(n = 1), check_matches(point, Point { .. }));
    itest!(given(n = 1), check_matches(point, Point { x: 2 }));
    point
}
