use situ::prelude::*;

struct Frame {
    width: u32,
}

#[situ]
impl Frame {
    fn area(&self, height: u32, times: u32) -> u32 {
        let area = self.width * height;
        itest!("a variable", given(self.width = 3, heigth = 4), check_eq(area, 12));
        itest!("a place", given(self.widht = 3, height = 4), check_eq(area, 12));
        itest!("neither", given(self.width = 3, height = 4, t = 4), check_eq(area, 12));
        area * times
    }
}

fn main() {}
