use situ::prelude::*;

#[situ]
fn paths(n: u32, a: bool, list: &[u32]) -> u32 {
    let (mut x, mut y) = (0, 0);
    blocktest!("no else", given(a = true), next(1), check_eq(x, 2));
    if a {
        x = 2;
    }
    blocktest!("a loop that may not run", given(list = &[1]), next(1), check_eq(x, 1));
    for item in list {
        x = *item;
    }
    blocktest!("an operand that may not be evaluated", given(a = true), next(1), check_eq(x, 1));
    let _both = a && {
        x = 1;
        true
    };
    blocktest!("a closure that may not be called", given(n = 1), next(1), check_eq(x, 1));
    let _mapped = Some(n).map(|n| x = n);
    blocktest!("an arm without it", given(n = 1), next(1), check_eq(x, 1));
    match n {
        0 => {}
        _ => x = 1,
    }
    blocktest!("a break before it", given(a = true), next(1), check_eq(x, 1));
    loop {
        if a {
            break;
        }
        x = 1;
        break;
    }
    blocktest!("a break of a block before it", given(a = true), next(1), check_eq(x, 1));
    'block: {
        if a {
            break 'block;
        }
        x = 2;
    }
    blocktest!("read where it may have none", given(a = true), next(2), check_eq(y, 1));
    if a {
        x = 1;
    }
    y += x;
    x + y
}

fn main() {
    paths(1, true, &[1]);
}
