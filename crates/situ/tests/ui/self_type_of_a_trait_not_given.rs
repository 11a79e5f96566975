use situ::prelude::*;

#[situ]
trait Shape {
    fn sides(&self) -> u32;

    fn doubled(&self) -> u32 {
        let doubled = self.sides() * 2;
        itest!(given(self = Square), check_eq(doubled, 8));
        doubled
    }
}

struct Square;

impl Shape for Square {
    fn sides(&self) -> u32 {
        4
    }
}

fn main() {
    Square.doubled();
}
