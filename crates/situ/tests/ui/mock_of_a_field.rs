use situ::prelude::*;

struct Config {
    limit: u32,
}

#[situ]
fn limited(config: &Config, n: u32) -> u32 {
    let limited = n.min(config.limit);
    itest!(given(n = 1), mock(config.limit, 3), check_eq(limited, 1));
    limited
}

fn main() {
    limited(&Config { limit: 3 }, 1);
}
