//! Fragments that leave in a way that no clause asks for, and oracles that were never made.

use situ::prelude::*;

#[situ]
pub fn exits(text: &str) -> Option<u32> {
    let number: u32 = text.parse().ok()?;
    itest!("question mark", given(text = "x"), check_eq(number, 3));
    blocktest!("return", given(number = 0), end(first_block), check_runs());
    if number == 0 {
        return Some(1);
    }
    assert!(number < 100, "{number} is too large");
    itest!("panic", given(number = 100), check_runs());
    Some(number)
}

#[situ]
pub fn loops(numbers: &[u32]) -> u32 {
    let mut sum = 0;
    'all: for number in numbers {
        for _ in 0..2 {
            blocktest!("continue", given(number = &0, sum = 1), check_eq(sum, 1));
            blocktest!("break", given(number = &1, sum = 1), check_eq(sum, 1));
            blocktest!("label", given(number = &2, sum = 1), check_eq(sum, 1));
            blocktest!("wrong label", given(number = &1, sum = 1), check_break("all"));
            blocktest!("break, not continue", given(number = &0, sum = 1), check_break());
            blocktest!("no continue", given(number = &9, sum = 1), check_continue());
            match number {
                0 => continue,
                1 => break,
                2 => break 'all,
                _ => {}
            }
            sum += number;
        }
    }
    sum
}

#[situ]
pub fn nothing_returned(n: u32) -> u32 {
    blocktest!("not left", given(n = 5), end(first_block), check_return(0));
    blocktest!("other value", given(n = 0), check_return(1));
    blocktest!("about the returned", given(n = 0), check(returned() > 7));
    blocktest!("returned, but a value is asked", given(n = 0), end(first_block), check_eq(doubled, 4));
    let doubled = n * 2;
    if n == 0 {
        return 0;
    }
    doubled
}

#[situ]
pub fn never_made(text: &str, limit: u32) -> Option<u32> {
    blocktest!(
        "beside a return",
        given(text = "x", limit = 1),
        check_return(None),
        check_eq(number, 3),
        check_eq(limit, 1)
    );
    let number: u32 = text.parse().ok()?;
    Some(number.min(limit))
}

#[situ]
pub fn panics(numbers: &[u32], i: usize) -> u32 {
    blocktest!("none", given(numbers = &[1], i = 0), check_panic());
    blocktest!("other text", given(numbers = &[1], i = 1), check_panic("divide"));
    blocktest!("unasked", given(numbers = &[1], i = 1), check_return(1));
    numbers[i]
}

macro_rules! bail {
    ($message:expr) => {
        return Err($message.to_string())
    };
}

#[situ]
pub fn unknown_macros(n: u32) -> Result<u32, String> {
    blocktest!("bail", given(n = 0), check_runs());
    if n == 0 {
        bail!("none");
    }
    Ok(n)
}

#[situ]
pub fn values(n: u32) -> u32 {
    let doubled = if n > 1 {
        blocktest!("value", given(n = 2), check_value(5));
        blocktest!("left before", given(n = 3), check_value(6));
        if n == 3 {
            return 0;
        }
        n * 2
    } else {
        n
    };
    doubled + 1
}

#[situ]
pub fn headers(text: &str) -> Result<u32, std::num::ParseIntError> {
    if text.parse::<u32>()? > 3 {
        itest!("a condition", given(text = "x"), check_true(cond()));
        return Ok(1);
    }
    let mut sum = 0;
    for n in text.parse::<u32>()?..9 {
        itest!("what a loop runs over", given(text = "x"), check_eq(items().len(), 0));
        sum += n;
    }
    Ok(sum)
}

#[situ]
pub fn which_loop(numbers: &[u32]) -> u32 {
    let mut count = 0;
    'all: loop {
        for number in numbers {
            blocktest!("an unnamed break is of the inner loop", given(number = &1, count = 0), check_break());
            blocktest!("an unnamed continue too", given(number = &2, count = 0), check_continue());
            match number {
                1 => break 'all,
                2 if count == 0 => continue 'all,
                3 => break,
                4 => continue,
                _ => count += 1,
            }
        }
        if count > 100 {
            break;
        }
    }
    count
}
