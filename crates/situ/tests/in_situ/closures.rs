//! `closuretest!`: a closure of the next statement, called with `args` and `given` captures.

use situ::prelude::*;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("closures.rs"));
}

#[situ]
fn the_first_closure(numbers: &[i32]) -> Vec<i32> {
    closuretest!("a square", args(&3), check_return(9));
    closuretest!("of a negative", args(&-2), check_eq(returned(), 4));
    let mut squares: Vec<i32> = numbers.iter().map(|n| n * n).collect();
    squares.sort();
    squares
}

#[situ]
fn a_closure_of_the_tail(words: &[&str]) -> Vec<usize> {
    closuretest!(args(&"abc"), check_return(3));
    words.iter().map(|word| word.len()).collect()
}

#[situ]
fn the_nth_closure(numbers: Vec<u32>) -> u32 {
    closuretest!("first", args(&3), check_return(true));
    closuretest!("first, said so", nth(1), args(&4), check_return(false));
    closuretest!("second", nth(2), args(4), check_return(8));
    closuretest!("third", nth(3), args(1, 2), check_return(4));
    numbers
        .into_iter()
        .filter(|n| n % 2 == 1)
        .map(|n| n * 2)
        .fold(0, |sum, n| sum * 2 + n)
}

#[situ]
fn a_closure_by_its_name(n: u32) -> u32 {
    closuretest!("double", of(double), args(4), check_return(8));
    let double = |n: u32| n * 2;
    closuretest!("thrice", of(thrice), args(4), check_return(12));
    let thrice = |n: u32| [n; 3].iter().map(|m| m.max(&1)).sum::<u32>();
    double(n) + thrice(n)
}

#[situ]
fn captures_are_given(numbers: &[u32], offset: u32) -> Vec<u32> {
    closuretest!(given(offset = 10), args(&1), check_return(11));
    numbers.iter().map(|n| n + offset).collect()
}

#[situ]
fn a_changed_capture(numbers: &[u32]) -> u32 {
    let mut total = 0;
    closuretest!(given(total = 5), args(&3), check_eq(total, 8));
    numbers.iter().for_each(|n| total += n);
    total
}

#[situ]
fn its_return_needs_no_clause(numbers: &[u32]) -> Vec<u32> {
    let mut seen = Vec::new();
    closuretest!(given(seen = vec![1]), args(&3), check_eq(seen, [1, 3]));
    let mut tripled: Vec<u32> = numbers
        .iter()
        .map(|n| {
            seen.push(*n);
            n * 3
        })
        .collect();
    tripled.sort();
    tripled
}

#[situ]
fn return_and_question_mark_inside(texts: &[&str]) -> Vec<Option<u32>> {
    closuretest!("return", args(&""), check_return(None));
    closuretest!("question mark", args(&"x"), check_none(returned()));
    closuretest!("tail", args(&"4"), check_return(Some(5)));
    texts
        .iter()
        .map(|text| {
            if text.is_empty() {
                return None;
            }
            let number: u32 = text.parse().ok()?;
            Some(number + 1)
        })
        .collect()
}

#[situ]
fn locals_of_its_body(numbers: &[u32]) -> Vec<u32> {
    closuretest!(args(&3), check_eq(next, 4), check_return(8));
    let doubled = numbers.iter().map(|n| {
        let next = n + 1;
        next * 2
    });
    doubled.collect()
}

#[situ]
fn patterns_types_and_move(pairs: Vec<(u32, String)>, suffix: String) -> Vec<String> {
    closuretest!(
        "pattern",
        args((2, "ab".to_string())),
        check_return("abab".to_string())
    );
    let repeated = pairs
        .into_iter()
        .map(|(times, text)| text.repeat(times as usize));
    closuretest!(
        "typed and moved",
        given(suffix = "!".to_string()),
        args("a".to_string()),
        check_eq(returned(), "a!")
    );
    let exclaimed = repeated.map(move |text: String| -> String { text + &suffix });
    exclaimed.collect()
}

#[situ]
fn no_arguments(fallback: u32, value: Option<u32>) -> u32 {
    closuretest!(given(fallback = 3), args(), check_return(6));
    value.unwrap_or_else(|| fallback * 2)
}

#[situ]
fn a_closure_that_panics(divisors: &[u32]) -> Vec<u32> {
    closuretest!("by zero", args(&0), check_panic("divide by zero"));
    closuretest!("by two", args(&2), check_return(50));
    divisors.iter().map(|d| 100 / d).collect()
}

#[situ]
fn a_nested_closure_is_counted_where_it_opens(rows: &[Vec<u32>]) -> u32 {
    closuretest!("outer", args(&vec![1, 2]), check_return(5));
    closuretest!("inner", nth(2), args(&4), check_return(5));
    rows.iter()
        .map(|row| row.iter().map(|n| n + 1).sum::<u32>())
        .sum()
}

#[situ]
fn flow_and_mocks_inside(prices: &[u32]) -> Vec<u32> {
    closuretest!(
        "cheap",
        args(&1),
        mock(fee(_), 10),
        check_flow(If.Then),
        check_return(11),
        check_called(fee(_), 1)
    );
    closuretest!("dear", args(&100), check_flow(If.Else), check_return(100));
    prices
        .iter()
        .map(|price| {
            if *price < 5 {
                price + fee(*price)
            } else {
                *price
            }
        })
        .collect()
}

fn fee(price: u32) -> u32 {
    price / 2
}

struct Scale {
    factor: u32,
}

#[situ]
impl Scale {
    fn apply(&self, numbers: &[u32]) -> Vec<u32> {
        closuretest!(
            "self is a capture",
            given(self = Scale { factor: 3 }),
            args(&2),
            check_return(6)
        );
        closuretest!(
            "a field of self is one",
            given(self.factor = 4),
            args(&2),
            check_return(8)
        );
        numbers.iter().map(|n| n * self.factor).collect()
    }
}

#[situ]
fn each_argument(numbers: &[u32]) -> Vec<bool> {
    closuretest!(
        each((n, even), [(0, true), (1, false), (2, true)]),
        args(&n),
        check_return(even)
    );
    numbers.iter().map(|x| x % 2 == 0).collect()
}

#[situ]
fn closures_in_other_places(numbers: &[u32], limit: u32) -> u32 {
    closuretest!(
        "a macro's arguments",
        given(limit = 3),
        args(&4),
        check_return(true)
    );
    assert!(numbers.iter().all(|n| *n > limit), "too small");
    closuretest!("a condition", args(&5), check_return(true));
    if numbers.iter().any(|n| n % 5 == 0 && *n > 4) {
        return 0;
    }
    closuretest!("the header of a loop", args(&3), check_return(6));
    for doubled in numbers.iter().map(|n| n * 2) {
        if doubled > 100 {
            return 1;
        }
    }
    closuretest!("a field", args(1), check_return(2));
    let holder = Holder {
        callback: Box::new(|n| n + 1),
    };
    closuretest!(
        "a comparison",
        args(&"b", &"a"),
        check_return(std::cmp::Ordering::Less)
    );
    ["b", "a"].sort_by(|left, right| left.cmp(right).reverse());
    (holder.callback)(limit)
}

struct Holder {
    callback: Box<dyn Fn(u32) -> u32>,
}

#[situ]
fn closures_of_other_kinds(name: String, limit: u32) -> u32 {
    closuretest!(
        "what it captures is moved",
        given(name = "n".to_string()),
        args(),
        check_eq(returned(), "n!")
    );
    let exclaim = move || {
        let mut name = name;
        name.push('!');
        name
    };
    closuretest!("it returns a closure", args(2), check_eq(returned()(3), 5));
    closuretest!(
        "the one it returns",
        nth(2),
        given(a = 2),
        args(3),
        check_return(5)
    );
    let add = |a: u32| move |b: u32| a + b;
    closuretest!(
        "it changes what it captured",
        given(limit = 1),
        args(&mut 4),
        check_eq(limit, 5)
    );
    let mut change = {
        let mut limit = limit;
        move |n: &mut u32| {
            limit += *n;
            *n = 0;
            limit
        }
    };
    closuretest!("it gives nothing", args(&mut vec![3]), check_runs());
    let clear = |list: &mut Vec<u32>| list.clear();
    clear(&mut vec![]);
    add(1)(2) + change(&mut 1) + exclaim().len() as u32
}

#[situ]
async fn closures_that_wait(n: u32) -> u32 {
    closuretest!("an async closure", args(2), check_return(3));
    let later = async |n: u32| std::future::ready(n).await + 1;
    later(n).await
}

#[situ]
fn a_tail_with_an_attribute(texts: &[&str]) -> usize {
    closuretest!(args(&&"a"), check_return(true));
    texts
        .iter()
        .filter(|text| {
            #[allow(
                clippy::match_like_matches_macro,
                reason = "a tail with an attribute is what is tested"
            )]
            match **text {
                "a" | "b" => true,
                _ => false,
            }
        })
        .count()
}
