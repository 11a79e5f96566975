//! Every `check_…` about values.

use situ::prelude::*;
use std::collections::BTreeMap;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("oracles.rs"));
}

#[situ]
fn equality(a: u32, name: &str) -> String {
    let text = format!("{name}{a}");
    itest!(
        "eq",
        given(a = 1, name = "n"),
        check_eq(text, "n1"),
        check_eq("n1", text),
        check_eq(text.len(), 2)
    );
    itest!(
        "ne",
        given(a = 1, name = "n"),
        check_ne(text, "n2"),
        check_ne(text, name)
    );
    text
}

#[situ]
fn truth(n: i32) -> bool {
    let positive = n > 0;
    itest!("true", given(n = 1), check_true(positive));
    itest!(
        "false",
        given(n = 0),
        check_false(positive),
        check_true(!positive)
    );
    positive
}

#[situ]
fn plain_check(numbers: &[i32]) -> i32 {
    let sum: i32 = numbers.iter().sum();
    itest!(
        "less",
        given(numbers = &[1, 2]),
        check(sum < 4),
        check(sum <= 3),
        check(2 < sum)
    );
    itest!(
        "equal",
        given(numbers = &[1, 2]),
        check(sum == 3),
        check(sum != 4)
    );
    itest!(
        "more",
        given(numbers = &[1, 2]),
        check(sum > 2 && sum >= 3 || numbers.is_empty())
    );
    itest!(
        "call",
        given(numbers = &[1, 2]),
        check(!numbers.is_empty()),
        check(numbers.iter().all(|n| *n < sum))
    );
    sum
}

#[situ]
fn options(text: &str) -> Option<char> {
    let first = text.chars().next();
    itest!("some", given(text = "a"), check_some(first));
    itest!("none", given(text = ""), check_none(first));
    let copied = first.map(|letter| letter.to_string());
    itest!(
        "not moved",
        given(first = Some('x')),
        check_some(copied),
        check_eq(copied.as_deref(), Some("x"))
    );
    copied.and(first)
}

#[situ]
fn results(text: &str) -> Result<u8, String> {
    let parsed = text.parse::<u8>().map_err(|error| error.to_string());
    itest!(
        "ok",
        given(text = "255"),
        check_ok(parsed),
        check_eq(parsed, Ok(255))
    );
    itest!(
        "err",
        given(text = "256"),
        check_err(parsed),
        check(parsed.as_ref().unwrap_err().contains("too large"))
    );
    parsed
}

#[situ]
fn approximation(degrees: f64, narrow: f32) -> f64 {
    let radians = degrees.to_radians();
    itest!(
        "close",
        given(degrees = 10.0),
        check_approx(radians, 0.17453, 1e-4)
    );
    itest!(
        "exact",
        given(degrees = 0.0),
        check_approx(radians, 0.0, 0.0)
    );
    let half = narrow / 2.0;
    itest!(
        "narrow",
        given(narrow = 0.3),
        check_approx(half, 0.15, 1e-6)
    );
    radians + f64::from(half)
}

#[situ]
fn identity<'a>(left: &'a String, right: &'a String) -> &'a String {
    let longer = if left.len() > right.len() {
        left
    } else {
        right
    };
    itest!(
        "right",
        given(left = &"a".to_string(), right = &"bb".to_string()),
        check_same(longer, right)
    );
    itest!(
        "left",
        given(left = &"aaa".to_string(), right = &"bb".to_string()),
        check_same(left, longer)
    );
    longer
}

#[derive(Debug)]
enum Token {
    Number(u32),
    Pair { key: String, value: u32 },
    End,
}

#[situ]
fn patterns(token: Token) -> u32 {
    let next = match token {
        Token::Number(n) if n > 9 => Token::Pair {
            key: "n".to_string(),
            value: n,
        },
        Token::Number(n) => Token::Number(n + 1),
        other => other,
    };
    itest!(
        "tuple",
        given(token = Token::Number(1)),
        check_matches(next, Token::Number(2))
    );
    itest!(
        "struct",
        given(token = Token::Number(10)),
        check_matches(next, Token::Pair { value: 10, .. })
    );
    itest!(
        "or",
        given(token = Token::End),
        check_matches(next, Token::End | Token::Number(_))
    );
    itest!(
        "range",
        given(token = Token::Number(4)),
        check_matches(next, Token::Number(3..=5))
    );
    match next {
        Token::Number(n) | Token::Pair { value: n, .. } => n,
        Token::End => 0,
    }
}

/// Comparable, but neither `Debug` nor `Clone`.
#[derive(PartialEq)]
struct Silent(u8);

#[situ]
fn what_cannot_be_printed(n: u8) -> Option<Silent> {
    let silent = Silent(n / 2);
    itest!("check", given(n = 4), check(silent == Silent(2)));
    itest!(
        "equal",
        given(n = 4),
        check_eq(silent, Silent(2)),
        check_ne(silent, Silent(3))
    );
    let maybe = if n > 3 { Some(silent) } else { None };
    itest!(
        "some",
        given(n = 4, silent = Silent(1)),
        check_some(maybe),
        check_matches(maybe, Some(Silent(1)))
    );
    blocktest!(
        "returned",
        given(maybe = Some(Silent(1))),
        check_return(Some(Silent(1)))
    );
    maybe
}

#[situ]
fn many_oracles_look_at_one_place(words: &[&str]) -> BTreeMap<usize, Vec<String>> {
    let mut by_length: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    blocktest!(
        given(words = &["a", "bb", "c"], by_length = BTreeMap::new()),
        check_eq(by_length.len(), 2),
        check_eq(by_length[&1], ["a", "c"]),
        check(by_length.contains_key(&2)),
        check_none(by_length.get(&3)),
        check_eq(
            by_length,
            BTreeMap::from([
                (1, vec!["a".to_string(), "c".to_string()]),
                (2, vec!["bb".to_string()])
            ])
        )
    );
    for word in words {
        by_length
            .entry(word.len())
            .or_default()
            .push(word.to_string());
    }
    by_length
}
