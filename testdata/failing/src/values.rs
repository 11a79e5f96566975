//! Oracles about values that do not hold.

use situ::prelude::*;

#[situ]
pub fn equality(line: &str, n: u32) -> u32 {
    let length = line.len() as u32 + n;
    itest!("eq", given(line = "ab", n = 1), check_eq(length, 4));
    itest!("ne", given(line = "ab", n = 1), check_ne(length, 3));
    itest!("several", given(line = "ab", n = 1), check_eq(length, 3), check_eq(n, 2), check_eq(length, 5));
    length
}

#[situ]
pub fn plain_checks(n: i32, words: &[&str]) -> bool {
    let doubled = n * 2;
    itest!("less", given(n = 3), check(doubled < 6));
    itest!("equal", given(n = 3), check(doubled == n + 4));
    itest!("call", given(n = 1, words = &["a"]), check(words.is_empty()));
    let large = doubled > 10;
    itest!("true", given(doubled = 3), check_true(large));
    itest!("false", given(doubled = 30), check_false(large));
    large && words.is_empty()
}

#[situ]
pub fn shapes(text: &str) -> Option<u8> {
    let parsed = text.parse::<u8>();
    itest!("ok", given(text = "256"), check_ok(parsed));
    itest!("err", given(text = "255"), check_err(parsed));
    itest!("matches", given(text = "7"), check_matches(parsed, Ok(8 | 9)));
    let number = parsed.ok();
    itest!("some", given(parsed = "x".parse::<u8>()), check_some(number));
    itest!("none", given(parsed = Ok(3)), check_none(number));
    number
}

#[situ]
pub fn approximation(degrees: f64) -> f64 {
    let radians = degrees.to_radians();
    itest!("far", given(degrees = 10.0), check_approx(radians, 0.2, 1e-3));
    itest!("not a number", given(degrees = f64::NAN), check_approx(radians, f64::NAN, 1e-3));
    radians
}

#[situ]
pub fn identity<'a>(left: &'a String, right: &'a String) -> &'a String {
    let longer = if left.len() > right.len() { left } else { right };
    itest!(
        "equal, but not the same",
        given(left = &"a".to_string(), right = &"a".to_string()),
        check_same(longer, left)
    );
    longer
}

/// Neither `Debug` nor `Clone`.
#[derive(PartialEq)]
pub struct Silent(pub u8);

#[situ]
pub fn silent(silent: Silent) -> u8 {
    let inner = silent.0;
    itest!("input", given(silent = Silent(3)), check_eq(inner, 4));
    let again = Silent(inner);
    itest!("output", given(inner = 3), check(again == Silent(4)));
    again.0
}

#[situ]
pub fn inputs_as_they_were(mut n: u32, mut list: Vec<u32>) -> Vec<u32> {
    n += 1;
    itest!("changed", given(n = 1), check_eq(n, 3));
    list.push(n);
    itest!("changed list", given(list = vec![1], n = 2), check_eq(list, [1]));
    let moved = list;
    itest!("moved", given(list = vec![1]), check_eq(moved, [2]));
    moved
}

pub struct Canvas {
    pub width: u32,
}

#[situ]
impl Canvas {
    pub fn area(&self, height: u32) -> u32 {
        let area = self.width * height;
        itest!("place", given(self.width = 3, height = 2), check_eq(area, 7));
        itest!("self", given(self = Canvas { width: 3 }, height = 2), check_eq(area, 7));
        area
    }
}

#[situ]
pub fn a_condition(a: bool, n: u32) -> u32 {
    if a && n > 3 {
        itest!("whole", given(a = true, n = 3), check_true(cond()));
        itest!("operand", given(n = 4), check_false(cond(2)));
        return 1;
    }
    for word in ["a", "b"] {
        itest!("items", check_eq(items(), ["a", "c"]));
        if word.len() > n as usize {
            return 2;
        }
    }
    match n % 3 {
        0 => {
            itest!("scrutinee", given(n = 4), check_eq(scrutinee(), 0));
            3
        }
        _ => 4,
    }
}

#[situ]
pub fn several_lines(words: &[&str]) -> Vec<String> {
    blocktest!("a fragment of some length", given(words = &["b", "a"]), check_eq(sorted, ["b", "a"]));
    let mut sorted: Vec<String> = Vec::new();
    for word in words {
        let upper = word.to_uppercase();
        sorted.push(upper.to_lowercase());
    }
    sorted.sort();
    sorted
}

#[situ]
pub fn a_usize_does_not_go_negative(bytes: &[u8]) -> usize {
    let count = bytes.len();
    let last = count - 1;
    itest!("a usize stays one", given(count = 0), check_eq(last as i64, -1));
    last
}

#[situ]
pub fn closures(numbers: &[u32]) -> Vec<u32> {
    closuretest!("closure", args(&3), check_return(7));
    numbers.iter().map(|n| n * 2).collect()
}

fn sample() -> Vec<u32> {
    (1..4).map(|n| n * n).collect()
}

#[situ]
pub fn what_a_given_was(list: Vec<u32>, text: &str) -> usize {
    let count = list.len() + text.len();
    itest!("a call", given(list = sample(), text = "a"), check_eq(count, 5));
    itest!("a case", each(input, ["a", "bb"]), given(list = vec![], text = input), check_eq(count, 1));
    count
}

#[situ]
pub fn an_oracle_that_panics(n: u32) -> u32 {
    let next = n + 1;
    itest!("in the oracle", given(n = 3), check_eq(next / (n - 3), 4));
    next
}

#[situ]
pub fn long_values(n: usize, text: &str) -> usize {
    let numbers: Vec<usize> = (0..n).collect();
    itest!("a long list", given(n = 5_000), check_eq(numbers, (0..5_000).map(|n| n.max(1)).collect::<Vec<_>>()));
    let upper = text.to_uppercase();
    itest!(
        "a difference far inside",
        given(text = &("a".repeat(400) + "b" + &"a".repeat(400))),
        check_eq(upper, "A".repeat(801))
    );
    numbers.len() + upper.len()
}

#[situ]
pub fn the_start_of_a_text(text: &str) -> usize {
    let start = &text[..1];
    itest!("as long as the whole", given(text = "abc"), check_same(start, text));
    start.len()
}
