use situ::prelude::*;

#[situ]
mod limits {
    use situ::prelude::*;

    pub const LIMIT: u32 = {
        let limit = 3;
        itest!(check_eq(limit, 3));
        limit
    };
}

fn main() {
    println!("{}", limits::LIMIT);
}
