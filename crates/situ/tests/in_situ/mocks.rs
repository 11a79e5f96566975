//! `mock`, `mock_seq`, `check_called`: calls of a shape become values.

use situ::prelude::*;

use crate::steps::{step, taken};

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("mocks.rs"));
}

fn now() -> u64 {
    panic!("the real clock is never asked")
}

fn rand(low: u32, high: u32) -> u32 {
    panic!("no real random number between {low} and {high}")
}

fn price(item: &str) -> u32 {
    panic!("no real price of {item}")
}

#[derive(Debug, PartialEq)]
struct Failure;

struct Request;

impl Request {
    fn header(self, _name: &str, _value: &str) -> Request {
        panic!("no real header")
    }

    fn send(self) -> Result<String, Failure> {
        panic!("no real request")
    }
}

struct Http;

impl Http {
    fn get(&self, url: &str) -> Result<String, Failure> {
        panic!("no real {url}")
    }

    fn request(&self, url: &str) -> Request {
        panic!("no real {url}")
    }
}

struct Client {
    http: Http,
    base: String,
}

#[situ]
fn a_plain_call(offset: u64) -> u64 {
    let later = now() + offset;
    itest!(
        given(offset = 3),
        mock(now(), 17),
        check_eq(later, 20),
        check_called(now(), 1)
    );
    later
}

mod clock {
    pub fn ticks() -> u8 {
        panic!("no real ticks")
    }
}

#[situ]
fn a_call_by_its_path() -> u8 {
    let next = clock::ticks().wrapping_add(1);
    itest!(
        "it has the call's own type",
        mock(clock::ticks(), 255),
        check_eq(next, 0)
    );
    next
}

#[situ]
fn arguments_that_are_not_looked_at(seed: u32, spread: u32) -> u32 {
    let rolled = rand(seed, 6) + 1;
    itest!("one", mock(rand(_, 6), 4), check_eq(rolled, 5));
    itest!("rest", mock(rand(..), 4), check_eq(rolled, 5));
    itest!("both", mock(rand(_, _), 4), check_eq(rolled, 5));
    let noisy = rand(noise('a'), spread) + 2;
    itest!(
        "they are not evaluated",
        mock(rand(_, _), 4),
        check_eq(noisy, 6),
        check_eq(taken(), "")
    );
    itest!(
        "the compared ones are",
        given(spread = 9),
        mock(rand(_, 9), 5),
        check_eq(noisy, 7),
        check_eq(taken(), "")
    );
    rolled + noisy
}

fn noise(name: char) -> u32 {
    step(name);
    0
}

#[situ]
fn arguments_that_are_compared(fruit: &str, low: u32) -> u32 {
    let total = price("apple") * 2 + price(fruit);
    itest!(
        "the next of that shape is tried",
        given(fruit = "pear"),
        mock(price("apple"), 3),
        mock(price("pear"), 5),
        check_eq(total, 11),
        check_called(price("apple"), 1),
        check_called(price("pear"), 1)
    );
    itest!(
        "any at last",
        given(fruit = "fig"),
        mock(price("apple"), 3),
        mock(price(_), 7),
        check_eq(total, 13)
    );
    let rolled = rand(low + 1, 6);
    itest!(
        "an expression",
        given(low = 2),
        mock(rand(low + 1, 6), 4),
        check_eq(rolled, 4)
    );
    itest!(
        "a first argument and the rest",
        given(low = 2),
        mock(rand(3, ..), 4),
        check_eq(rolled, 4)
    );
    total + rolled
}

#[situ]
fn a_value_that_needs_its_type(text: &str) -> Result<u32, std::num::ParseIntError> {
    let number = text.parse::<u32>()? + 1;
    itest!("ok", mock(text.parse::<u32>(), Ok(3)), check_eq(number, 4));
    itest!(
        "err",
        mock(text.parse::<u32>(), "x".parse()),
        check_err(returned())
    );
    Ok(number)
}

#[situ]
impl Client {
    fn page(&self, name: &str) -> Result<usize, Failure> {
        let body = self.http.get(name)?;
        itest!(
            "ok",
            mock(self.http.get(_), Ok("abc".to_string())),
            check_eq(body, "abc")
        );
        itest!(
            "rest",
            mock(self.http.get(..), Ok(String::new())),
            check_eq(body, "")
        );
        itest!(
            "failure",
            mock(self.http.get(_), Err(Failure)),
            check_return(Err(Failure))
        );
        itest!(
            "compared",
            given(name = "x"),
            mock(self.http.get("x"), Ok("b".to_string())),
            check_eq(body, "b")
        );
        Ok(body.len())
    }

    fn chain(&self) -> Result<String, Failure> {
        let answer = self
            .http
            .request(&self.base)
            .header("accept", "text")
            .send()?;
        itest!(
            "whole",
            mock(self.http.request(..).header(..).send(), Ok("a".to_string())),
            check_eq(answer, "a")
        );
        itest!(
            "parts",
            mock(
                self.http.request(_).header("accept", _).send(),
                Ok("b".to_string())
            ),
            check_eq(answer, "b")
        );
        Ok(answer)
    }

    fn own_method(&self) -> u32 {
        let doubled = self.secret() * 2;
        itest!(mock(self.secret(), 4), check_eq(doubled, 8));
        let both = Self::shared(1) + Self::shared(2);
        itest!(
            mock(Self::shared(1), 10),
            mock(Self::shared(2), 20),
            check_eq(both, 30)
        );
        doubled + both
    }

    fn secret(&self) -> u32 {
        panic!("no real secret of {}", self.base)
    }

    fn shared(n: u32) -> u32 {
        panic!("no real shared {n}")
    }
}

#[situ]
fn every_call_of_the_shape(numbers: &[u32]) -> u32 {
    let mut sum = 0;
    blocktest!(
        given(numbers = &[5, 6, 7], sum = 0),
        mock(rand(..), 2),
        check_eq(sum, 8),
        check_called(rand(..), 4)
    );
    sum += rand(1, 2);
    for number in numbers {
        sum += rand(*number, 9);
    }
    sum
}

#[situ]
fn values_in_sequence() -> Vec<u32> {
    let mut lines = Vec::new();
    blocktest!(
        "loop",
        given(lines = vec![]),
        end(first_block),
        mock_seq(read_number(), [Some(3), Some(4), None]),
        check_eq(lines, [3, 4]),
        check_called(read_number(), 3)
    );
    while let Some(number) = read_number() {
        lines.push(number);
    }
    let pair = (rand(1, 2), rand(3, 4));
    itest!("sites", mock_seq(rand(..), [7, 8]), check_eq(pair, (7, 8)));
    lines.push(pair.0 + pair.1);
    lines
}

fn read_number() -> Option<u32> {
    panic!("nothing is really read")
}

#[situ]
fn calls_in_order(fruits: &[&str]) -> u32 {
    let mut sum = 0;
    blocktest!(
        "across mocks",
        given(sum = 0, fruits = &["fig", "pear", "fig"]),
        mock(price("fig"), 1),
        mock(price("pear"), 2),
        mock_seq(rand(..), [10, 20]),
        check_eq(sum, 34),
        check_order(
            rand(..),
            price("fig"),
            price("pear"),
            price("fig"),
            rand(..)
        ),
        check_order(price(_), price(..), price("fig")),
        check_called(price(..), 3)
    );
    sum += rand(0, 1);
    for fruit in fruits {
        sum += price(fruit);
    }
    sum += rand(1, sum);
    sum
}

#[situ]
fn texts_bytes_and_paths(folder: &std::path::Path, text: String) -> bool {
    let is_saved = save(folder.join("a.txt"), &text) && save(folder.join("b.txt"), text);
    itest!(
        given(folder = "out".as_ref(), text = "hello".to_string()),
        mock(save("out/a.txt", "hello"), true),
        mock(save("out/b.txt", b"hello"), false),
        check_false(is_saved),
        check_order(save("out/a.txt", ..), save("out/b.txt", ..))
    );
    is_saved
}

fn save(path: impl AsRef<std::path::Path>, bytes: impl AsRef<[u8]>) -> bool {
    panic!(
        "{} bytes are not really written to {}",
        bytes.as_ref().len(),
        path.as_ref().display()
    )
}

#[situ]
fn a_call_that_does_not_happen(n: u32) -> u64 {
    let time = if n > 3 { now() } else { 0 };
    itest!(
        "not",
        given(n = 3),
        mock(now(), 1),
        check_eq(time, 0),
        check_called(now(), 0)
    );
    itest!(
        "once",
        given(n = 4),
        mock(now(), 1),
        check_eq(time, 1),
        check_called(now(), 1)
    );
    time
}

#[situ]
fn calls_in_arguments_of_macros(name: &str) -> String {
    let text = format!("{name} at {} or {time}", now(), time = now() + 1);
    itest!(
        given(name = "it"),
        mock(now(), 5),
        check_eq(text, "it at 5 or 6"),
        check_called(now(), 2)
    );
    let mut list = vec![now(), now()];
    itest!(mock_seq(now(), [1, 2]), check_eq(list, [1, 2]));
    assert_eq!(now(), 3, "not three");
    itest!(mock(now(), 3), check_runs());
    list.push(0);
    text + &list.len().to_string()
}

#[situ]
fn nested_calls(item: &str) -> u32 {
    let outer = rand(price(item), 9);
    itest!(
        "inner argument is not evaluated",
        mock(rand(..), 1),
        check_eq(outer, 1)
    );
    itest!(
        "inner is mocked, outer compares it",
        mock(price(_), 4),
        mock(rand(4, 9), 1),
        check_eq(outer, 1)
    );
    let largest = u32::max(price(item), 3);
    itest!("only the inner", mock(price(_), 8), check_eq(largest, 8));
    outer + largest
}

#[situ]
fn in_a_closure_and_a_thread(items: &[&str]) -> u32 {
    let sum: u32 = items.iter().map(|item| price(item)).sum();
    itest!(
        given(items = &["a", "b"]),
        mock_seq(price(_), [3, 4]),
        check_eq(sum, 7)
    );
    itest!(
        "borrowed once more than it has to be",
        given(items = &["a", "b"]),
        mock(price("a"), 3),
        mock(price("b"), 4),
        check_eq(sum, 7)
    );
    let from_thread = std::thread::spawn(move || rand(1, 2)).join().unwrap();
    itest!(
        mock(rand(..), 6),
        check_eq(from_thread, 6),
        check_called(rand(..), 1)
    );
    sum + from_thread
}

#[situ]
fn a_mock_may_use_givens_and_be_a_statement(mut n: u32) -> u32 {
    blocktest!(
        given(n = 3),
        mock(audit(_), step('m')),
        mock(rand(..), n * 10),
        check_eq(n, 30),
        check_eq(taken(), "m")
    );
    audit(n);
    n = rand(0, n);
    n
}

fn audit(n: u32) {
    panic!("no real audit of {n}")
}

#[situ]
fn what_a_mock_lends_lives_as_long_as_the_test(size: usize) -> usize {
    blocktest!(
        given(size = 2),
        mock(buffer(_), &mut vec![0, 0]),
        check_return(3),
        check_eq(list[1], 1)
    );
    let list = buffer(size);
    list[size - 1] += 1;
    list.push(2);
    list.len()
}

fn buffer(size: usize) -> &'static mut Vec<u8> {
    panic!("no buffer of {size}")
}
