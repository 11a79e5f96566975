//! The type of a given is that of the binding in the original: an unsigned zero must not go below itself in silence.

use situ::prelude::*;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("types.rs"));
}

fn count(bytes: &[u8]) -> usize {
    bytes.len()
}

fn pair() -> (u8, u16) {
    (1, 2)
}

struct Sheet {
    width: u16,
    cells: Vec<u8>,
}

impl Sheet {
    fn width(&self) -> u16 {
        self.width
    }
}

const LEVEL: u8 = 3;

#[situ]
fn of_calls(bytes: &[u8], sheet: &Sheet, text: &str) -> usize {
    let called = count(bytes);
    let less = called - 1;
    itest!(
        "a function",
        given(called = 0),
        check_panic("subtract with overflow")
    );
    let width = sheet.width();
    let narrower = width - 1;
    itest!(
        "a method",
        given(width = 0),
        check_panic("subtract with overflow")
    );
    let place = text.find('x').unwrap_or(0);
    let before = place - 1;
    itest!(
        "a chain",
        given(place = 0),
        check_panic("subtract with overflow")
    );
    let halved = bytes.first().map(|byte| byte / 2).unwrap_or_default();
    let below = halved - 1;
    itest!(
        "a chain with a closure",
        given(halved = 0),
        check_panic("subtract with overflow")
    );
    less + usize::from(narrower) + before + usize::from(below)
}

#[situ]
fn of_places(sheet: &Sheet, both: (u8, u16)) -> u16 {
    let cell = sheet.cells[0];
    let paler = cell - 1;
    itest!(
        "an element",
        given(cell = 0),
        check_panic("subtract with overflow")
    );
    let first = both.0;
    let less = first - 1;
    itest!(
        "a field",
        given(first = 0),
        check_panic("subtract with overflow")
    );
    let level = LEVEL;
    let lower = level - 1;
    itest!(
        "a constant",
        given(level = 0),
        check_panic("subtract with overflow")
    );
    let chosen = if lower > 3 { lower } else { less };
    let rest = chosen - 1;
    itest!(
        "a choice",
        given(chosen = 0),
        check_panic("subtract with overflow")
    );
    let narrower = sheet.width - 1;
    itest!(
        "a place",
        given(sheet.width = 0),
        check_panic("subtract with overflow")
    );
    u16::from(paler) + u16::from(rest) + narrower
}

#[situ]
fn of_patterns(bytes: &[u8], maybe: Option<u8>, both: (u8, u16)) -> u16 {
    let (low, high) = pair();
    let lower = low - 1;
    itest!(
        "a tuple",
        given(low = 0),
        check_panic("subtract with overflow")
    );
    let less_high = high - 1;
    itest!(
        "a tuple's second",
        given(high = 0),
        check_panic("subtract with overflow")
    );
    let mut sum = u16::from(lower) + less_high;
    for (index, byte) in bytes.iter().enumerate() {
        let before = index - 1;
        itest!(
            "an index",
            given(index = 0),
            check_panic("subtract with overflow")
        );
        let paler = *byte - 1;
        itest!(
            "an element",
            given(byte = &0),
            check_panic("subtract with overflow")
        );
        sum += before as u16 + u16::from(paler);
    }
    if let Some(some) = maybe {
        let less = some - 1;
        itest!(
            "an if let",
            given(some = 0),
            check_panic("subtract with overflow")
        );
        sum += u16::from(less);
    }
    match both {
        (7, seventh) => {
            let less = seventh - 1;
            itest!(
                "an arm",
                given(seventh = 0),
                check_panic("subtract with overflow")
            );
            sum += less;
        }
        (other, _) => {
            let less = other - 1;
            itest!(
                "another arm",
                given(other = 0),
                check_panic("subtract with overflow")
            );
            sum += u16::from(less);
        }
    }
    let Some(there) = maybe else { return sum };
    let less = there - 1;
    itest!(
        "a let else",
        given(there = 0),
        check_panic("subtract with overflow")
    );
    sum + u16::from(less)
}

#[situ]
fn of_closures_and_literals(bytes: &[u8]) -> u8 {
    let typed = |byte: u8| {
        let less = byte - 1;
        itest!(
            "a typed parameter",
            given(byte = 0),
            check_panic("subtract with overflow")
        );
        less
    };
    let row = [3u8, 4];
    let less = row[bytes.len()] - 2;
    itest!(
        "an array",
        given(row = [1, 0], bytes = &[1]),
        check_panic("subtract with overflow")
    );
    let mut length = bytes.len();
    length -= 1;
    itest!(
        "a compound assignment",
        given(length = 0),
        check_panic("subtract with overflow")
    );
    let again = &bytes;
    let last = again.len() - 1;
    itest!(
        "a reference",
        given(again = &&[][..]),
        check_panic("subtract with overflow")
    );
    let list = Vec::<u8>::with_capacity(length);
    let end = list.len() - 1;
    itest!(
        "a turbofish",
        given(list = vec![]),
        check_panic("subtract with overflow")
    );
    typed(less) + last as u8 + end as u8
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Plus,
    Minus,
}

fn sign(text: &str) -> (Sign, &str) {
    (
        if text.starts_with('-') {
            Sign::Minus
        } else {
            Sign::Plus
        },
        text,
    )
}

#[situ]
fn a_variable_has_the_name_of_the_function_that_made_it(text: &str) -> (Sign, usize) {
    let (mut sign, rest) = sign(text);
    let length = if let Some(rest) = rest.strip_prefix('-') {
        blocktest!(
            each((rest, sign), [("1", Sign::Minus)]),
            check_value(1),
            check_eq(sign, Sign::Plus)
        );
        sign = if sign == Sign::Minus {
            Sign::Plus
        } else {
            Sign::Minus
        };
        rest.len()
    } else {
        0
    };
    (sign, length)
}
