use situ::prelude::*;

#[situ]
fn show(n: u32) {
    let next = n + 1;
    itest!(
        "setup",
        given(n = 1),
        setup({
            if n == 1 {
                return;
            }
        }),
        check_eq(next, 99)
    );
    itest!("given", given(n = if true { return } else { 1 }), check_eq(next, 99));
    itest!("each", each(n, if true { return } else { [1] }), check_eq(next, 99));
    itest!("assume", given(n = 1), assume(if true { return } else { true }), check_eq(next, 99));
    itest!("oracle", given(n = 1), check_eq(next, if n == 1 { return } else { 3 }));
    println!("{next}");
}

fn main() {
    show(1);
}
