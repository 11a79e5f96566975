//! `itest!` right after its target: every kind of statement that can be one.

use situ::prelude::*;
use std::fmt::Write as _;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("targets.rs"));
}

struct Point {
    x: i32,
    y: i32,
}

#[situ]
fn a_plain_let(diff: &str) -> Option<&str> {
    for line in diff.lines() {
        let name = line.strip_prefix("--- a/");
        itest!(
            given(line = "--- a/python/regex.py"),
            check_eq(name, Some("python/regex.py"))
        );
        itest!("other lines", given(line = "+++ b/x"), check_none(name));
        if name.is_some() {
            return name;
        }
    }
    None
}

#[situ]
fn a_typed_let(text: &str) -> u64 {
    let number: u64 = text.trim().parse().unwrap_or_default();
    itest!(given(text = " 7 "), check_eq(number, 7));
    itest!("text", given(text = "seven"), check_eq(number, 0));
    number
}

#[situ]
fn a_tuple_pattern(pair: (u8, &str)) -> usize {
    let (number, word) = pair;
    itest!(
        given(pair = (3, "abc")),
        check_eq(number, 3),
        check_eq(word, "abc")
    );
    usize::from(number) + word.len()
}

#[situ]
fn a_struct_pattern_with_a_renamed_field(point: Point) -> i32 {
    let Point { x, y: height } = point;
    itest!(
        given(point = Point { x: 1, y: 2 }),
        check_eq(x, 1),
        check_eq(height, 2)
    );
    x * height
}

#[situ]
fn a_pattern_with_a_rest(point: Point) -> i32 {
    let Point { x, .. } = point;
    itest!(given(point = Point { x: 4, y: 2 }), check_eq(x, 4));
    x
}

#[situ]
fn an_array_pattern(bytes: [u8; 3]) -> u8 {
    let [first, .., last] = bytes;
    itest!(
        given(bytes = [1, 2, 3]),
        check_eq(first, 1),
        check_eq(last, 3)
    );
    first ^ last
}

#[situ]
fn a_nested_pattern_behind_a_reference(pair: &(u8, Option<u8>)) -> u8 {
    let &(low, ref high) = pair;
    itest!(
        given(pair = &(1, Some(2))),
        check_eq(low, 1),
        check_eq(*high, Some(2))
    );
    low + high.unwrap_or(0)
}

#[situ]
fn a_binding_with_a_subpattern(byte: u8) -> u8 {
    let whole @ 0..=255 = byte;
    itest!(given(byte = 9), check_eq(whole, 9));
    whole
}

#[situ]
fn an_or_pattern(sorted: &[u8], wanted: u8) -> usize {
    let (Ok(place) | Err(place)) = sorted.binary_search(&wanted);
    itest!(
        "found",
        given(sorted = &[1, 3, 5], wanted = 3),
        check_eq(place, 1)
    );
    itest!(
        "to be inserted",
        given(sorted = &[1, 3, 5], wanted = 4),
        check_eq(place, 2)
    );
    place
}

#[situ]
fn an_underscore(log: &mut Vec<u8>) {
    let _ = log.pop();
    itest!(given(log = &mut vec![1, 2]), check_eq(*log, [1]));
}

#[situ]
fn a_mutable_let(start: u32) -> u32 {
    let mut count = start + 1;
    itest!(given(start = 1), check_eq(count, 2));
    count += 1;
    count
}

#[situ]
fn a_let_else(line: &str) -> Result<&str, String> {
    let Some(value) = line.strip_prefix("x=") else {
        return Err(line.to_string());
    };
    itest!("with the prefix", given(line = "x=1"), check_eq(value, "1"));
    itest!(
        "without the prefix",
        given(line = "y=1"),
        check_return(Err("y=1".to_string()))
    );
    Ok(value)
}

#[situ]
fn a_let_else_in_a_loop(lines: &[&str]) -> Vec<String> {
    let mut values = Vec::new();
    for line in lines {
        let Some((_, value)) = line.split_once('=') else {
            continue;
        };
        itest!("a pair", given(line = &"k=v"), check_eq(value, "v"));
        itest!("no pair", given(line = &"k"), check_continue());
        values.push(value.to_string());
    }
    values
}

#[situ]
fn a_let_else_that_panics(text: &str) -> char {
    let Some(first) = text.chars().next() else {
        panic!("the text is empty")
    };
    itest!("something", given(text = "ab"), check_eq(first, 'a'));
    itest!("nothing", given(text = ""), check_panic("empty"));
    first
}

#[situ]
fn a_let_with_a_question_mark(text: &str) -> Result<u32, std::num::ParseIntError> {
    let number: u32 = text.parse()?;
    itest!("a number", given(text = "12"), check_eq(number, 12));
    itest!("no number", given(text = "x"), check_err(returned()));
    Ok(number * 2)
}

#[situ]
#[allow(
    clippy::needless_late_init,
    reason = "the assignment is what is tested"
)]
fn an_assignment_of_a_declared_variable(n: u32) -> u32 {
    let doubled;
    doubled = n * 2;
    itest!(given(n = 4), check_eq(doubled, 8));
    doubled
}

#[situ]
fn an_assignment_that_reads_what_it_changes(mut n: u32) -> u32 {
    n = n * 2 + 1;
    itest!(given(n = 4), check_eq(n, 9));
    n
}

#[situ]
fn a_destructuring_assignment(mut a: u32, mut b: u32) -> (u32, u32) {
    (a, b) = (b, a % b);
    itest!(given(a = 12, b = 8), check_eq(a, 8), check_eq(b, 4));
    (a, b)
}

#[situ]
fn compound_assignments(mut bits: u8, shift: u32) -> u8 {
    bits += 1;
    itest!(given(bits = 1), check_eq(bits, 2));
    bits -= 1;
    itest!(given(bits = 1), check_eq(bits, 0));
    bits *= 3;
    itest!(given(bits = 3), check_eq(bits, 9));
    bits /= 2;
    itest!(given(bits = 9), check_eq(bits, 4));
    bits %= 4;
    itest!(given(bits = 7), check_eq(bits, 3));
    bits |= 0b100;
    itest!(given(bits = 0b001), check_eq(bits, 0b101));
    bits &= 0b110;
    itest!(given(bits = 0b011), check_eq(bits, 0b010));
    bits ^= 0b111;
    itest!(given(bits = 0b010), check_eq(bits, 0b101));
    bits <<= shift;
    itest!(given(bits = 1, shift = 3), check_eq(bits, 8));
    bits >>= 1;
    itest!(given(bits = 8), check_eq(bits, 4));
    bits
}

#[situ]
fn an_assignment_through_a_reference(slot: &mut u32) {
    *slot += 1;
    itest!(given(slot = &mut 3), check_eq(*slot, 4));
}

#[situ]
fn an_assignment_to_an_element(buffer: &mut [u8], index: usize, byte: u8) {
    buffer[index] = byte;
    itest!(
        given(buffer = &mut [0; 3], index = 1, byte = 7),
        check_eq(buffer, &[0, 7, 0])
    );
    itest!(
        "outside",
        given(buffer = &mut [0; 3], index = 3, byte = 7),
        check_panic("out of bounds")
    );
}

#[situ]
fn an_assignment_to_a_field(point: &mut Point, by: i32) {
    point.x += by;
    itest!(
        given(point = &mut Point { x: 1, y: 0 }, by = 2),
        check_eq(point.x, 3)
    );
}

#[situ]
fn an_expression_statement(words: &mut Vec<String>, word: &str) {
    words.push(word.to_uppercase());
    itest!(
        given(words = &mut vec![], word = "a"),
        check_eq(*words, ["A"])
    );
}

#[situ]
fn an_expression_statement_with_a_question_mark(text: &mut String, n: u8) -> std::fmt::Result {
    write!(text, "<{n}>")?;
    itest!(
        given(text = &mut String::new(), n = 3),
        check_eq(*text, "<3>")
    );
    Ok(())
}

#[situ]
fn block_like_statements(numbers: &[u32], mut total: u32) -> u32 {
    for number in numbers {
        total += number;
    }
    itest!(
        "after a loop",
        given(numbers = &[1, 2], total = 3),
        check_eq(total, 6)
    );
    if total > 9 {
        total = 9;
    }
    itest!("after an if", given(total = 10), check_eq(total, 9));
    match total {
        0 => total = 1,
        n => total = n + 10,
    }
    itest!("after a match", given(total = 2), check_eq(total, 12));
    while total > 100 {
        total /= 2;
    }
    itest!("after a while", given(total = 300), check_eq(total, 75));
    {
        total += 1;
        total += 1;
    }
    itest!("after a block", given(total = 1), check_eq(total, 3));
    total
}

#[situ]
fn macro_statements(n: u32, words: &[&str]) -> String {
    assert!(n < 10, "n is {n}, which is too large");
    itest!("holds", given(n = 9), check_runs());
    itest!("does not hold", given(n = 10), check_panic("n is 10"));
    assert_eq!(words.len(), n as usize);
    itest!("equal", given(n = 1, words = &["a"]), check_runs());
    itest!("not equal", given(n = 2, words = &["a"]), check_panic());
    println!("{words:?}");
    itest!("prints", given(words = &["a"]), check_runs());
    String::new()
}

macro_rules! bump {
    ($place:expr, $by:expr) => {
        $place += $by
    };
}

#[situ]
fn a_macro_of_this_file(mut n: u32) -> u32 {
    bump!(n, 5);
    itest!(given(n = 1), check_eq(n, 6));
    n
}

#[situ]
fn a_macro_with_braces(mut n: u32) -> u32 {
    bump! { n, 5 }
    itest!(given(n = 1), check_eq(n, 6));
    n
}

#[situ]
fn return_statements(n: i32) -> i32 {
    if n < 0 {
        return -n;
        itest!(given(n = -3), check_return(3));
    }
    n
}

#[situ]
fn a_bare_return(log: &mut Vec<u8>) {
    if log.is_empty() {
        return;
        itest!(check_return(()));
    }
    log.clear();
}

#[situ]
fn statements_that_only_leave(limit: u32) -> u32 {
    let mut n = 0;
    loop {
        n += 1;
        if n % 2 == 0 {
            continue;
            itest!("continue", check_continue());
        }
        if n > limit {
            break;
            itest!("break", check_break());
        }
        if n == u32::MAX {
            panic!("no number is left");
            itest!("panic", check_panic("no number"));
        }
    }
    n
}

#[situ]
fn tests_after_tests(text: &str) -> usize {
    let length = text.len();
    itest!(given(text = "a"), check_eq(length, 1));
    blocktest!(given(length = 2), check_eq(doubled, 4));
    itest!("once more", given(text = ""), check_eq(length, 0));
    let doubled = length * 2;
    itest!(given(length = 4), check_eq(doubled, 8));
    doubled
}
