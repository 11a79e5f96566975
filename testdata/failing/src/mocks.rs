//! Mocks that do not fit what happens.

use situ::prelude::*;

fn price(item: &str) -> u32 {
    item.len() as u32
}

fn next_line() -> Option<u32> {
    None
}

#[situ]
pub fn arguments(fruit: &str) -> u32 {
    let total = price(fruit) + 1;
    itest!("no mock fits", given(fruit = "fig"), mock(price("apple"), 3), mock(price("pear"), 5), check_eq(total, 4));
    itest!("called once, not twice", given(fruit = "fig"), mock(price(_), 3), check_called(price(_), 2));
    total
}

#[situ]
pub fn sequences() -> u32 {
    let mut sum = 0;
    blocktest!("run out", given(sum = 0), mock_seq(next_line(), [Some(1), Some(2)]), check_eq(sum, 3));
    while let Some(n) = next_line() {
        sum += n;
    }
    sum
}

#[situ]
pub fn swallowed(n: u32) -> u32 {
    let caught = std::panic::catch_unwind(|| price("a") + price("b") + n).unwrap_or(0);
    itest!("run out, though swallowed", given(n = 1), mock_seq(price(_), [1]), check_eq(caught, 0));
    itest!("no mock fits, though swallowed", given(n = 1), mock(price("z"), 1), check_eq(caught, 0));
    caught
}

#[situ]
pub fn threads(n: u32) -> u32 {
    let sum = std::thread::spawn(move || price("a") + price("b") + n).join().unwrap_or(0);
    itest!("run out in a thread", given(n = 1), mock_seq(price(_), [1]), check_eq(sum, 0));
    sum
}

#[situ]
pub fn left_over(fruit: &str) -> u32 {
    let total = price(fruit) + price("fig");
    itest!("more values than calls", given(fruit = "fig"), mock_seq(price(_), [1, 2, 3, 4]), check_eq(total, 3));
    total
}

#[situ]
pub fn order(fruit: &str) -> u32 {
    let total = price("apple") + price(fruit);
    itest!(
        "the other way round",
        given(fruit = "fig"),
        mock(price("apple"), 1),
        mock(price("fig"), 2),
        check_order(price("fig"), price("apple"))
    );
    itest!(
        "more often",
        given(fruit = "apple"),
        mock(price("apple"), 1),
        check_order(price("apple"))
    );
    itest!("never", given(fruit = "fig"), mock(price("none"), 1), mock(price(_), 2), check_order(price("none")));
    total
}
