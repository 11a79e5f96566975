//! How often, how long and whether tests run.

use situ::prelude::*;
use std::cell::Cell;
use std::time::Duration;

#[situ]
pub fn cases(n: u32, m: u32) -> u32 {
    let sum = n + m;
    itest!("one case", each(n, [1, 2, 3]), given(m = 1), check_ne(sum, 3));
    itest!("rows", each((n, m, expected), [(1, 1, 2), (2, 2, 5)]), check_eq(sum, expected));
    itest!("pairs", each(n, [1, 2]), each(m, [10, 20]), check_ne(sum, 21));
    itest!("no case at all", each(n, 0..0), given(m = 1), check_eq(sum, 1));
    itest!("no pair at all", each(n, [1]), each(m, 0..0), check_eq(sum, 1));
    sum
}

thread_local! {
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

fn runs() -> u32 {
    RUNS.set(RUNS.get() + 1);
    RUNS.get()
}

#[situ]
pub fn repeated(n: u32) -> u32 {
    let run = n + runs();
    itest!("at the third", given(n = 0), repeat(3), check(run < 3));
    run
}

#[situ]
pub fn slow(millis: u64) -> u64 {
    std::thread::sleep(Duration::from_millis(millis));
    itest!("too slow", given(millis = 20_000), timeout_ms(50), check_runs());
    itest!("slow enough", given(millis = 1), timeout_ms(10_000), check_eq(millis, 2));
    millis
}

#[situ]
pub fn skipped(n: u32) -> u32 {
    let quotient = 10 / n;
    itest!("assumed", given(n = 0), assume(n > 0), check_eq(quotient, 99));
    itest!("assumed for some", each(n, [0, 5]), assume(n > 0), check_eq(quotient, 2));
    itest!("assumed for none", each(n, [0, 0]), assume(n > 0), check_eq(quotient, 2));
    quotient
}

#[situ]
pub fn ignored(n: u32) -> u32 {
    let next = n + 1;
    itest!("not run", given(n = 1), ignore("it waits for a decision"), check_eq(next, 3));
    next
}

#[situ]
pub async fn never_ready(n: u32) -> u32 {
    let next = std::future::pending::<u32>().await + n;
    itest!("waits for ever", given(n = 1), timeout_ms(50), check_eq(next, 2));
    next
}

macro_rules! leave {
    () => {
        return
    };
}

#[situ]
pub fn clauses_that_leave(n: u32) {
    let next = n + 1;
    itest!("setup", given(n = 1), setup({ leave!() }), check_eq(next, 99));
    itest!("oracle", given(n = 1), check_eq(next, if n == 1 { leave!() } else { 3 }));
    itest!(
        "one case",
        each(n, [1, 2]),
        setup({
            if n == 2 {
                leave!()
            }
        }),
        check_eq(next, 2)
    );
    println!("{next}");
}
