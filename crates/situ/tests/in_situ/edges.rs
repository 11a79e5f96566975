//! Corners of the clauses that real code reaches sooner or later.

use situ::prelude::*;
use std::error::Error;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("edges.rs"));
}

fn now() -> u64 {
    panic!("the real clock is never asked")
}

#[situ]
fn mocks_and_cases_of_a_condition(limit: u64, words: &[&str]) -> u64 {
    if now() > limit {
        itest!(
            "mocked",
            given(limit = 3),
            mock(now(), 4),
            check_true(cond()),
            check_called(now(), 1)
        );
        itest!(
            "cases",
            each((limit, over), [(3, true), (4, false)]),
            mock(now(), 4),
            check_eq(cond(), over)
        );
        return 1;
    }
    for word in words.iter().filter(|word| !word.is_empty()) {
        itest!(
            "cases of items",
            each((words, count), [(&["a", ""][..], 1), (&[], 0)]),
            check_eq(items().len(), count)
        );
        if word.len() > 3 {
            return word.len() as u64;
        }
    }
    0
}

#[situ]
fn boxed_errors(text: &str) -> Result<u32, Box<dyn Error>> {
    blocktest!("converted", given(text = "x"), check_err(returned()));
    blocktest!(
        "message",
        given(text = "12 "),
        check(
            returned()
                .as_ref()
                .unwrap_err()
                .to_string()
                .contains("invalid digit")
        )
    );
    blocktest!(
        "into",
        given(text = "7"),
        check_eq(returned().as_ref().unwrap_err().to_string(), "seven")
    );
    blocktest!(
        "ok",
        given(text = "8"),
        check_eq(*returned().as_ref().unwrap(), 9)
    );
    let number: u32 = text.parse()?;
    if number == 7 {
        return Err("seven".into());
    }
    let shorter = u8::try_from(number)?;
    Ok(u32::from(shorter) + 1)
}

#[situ]
fn the_question_mark_of_a_control_flow(numbers: &[u32]) -> ControlFlow<u32, usize> {
    blocktest!(
        "breaks",
        given(numbers = &[1, 9]),
        check_return(ControlFlow::Break(9))
    );
    blocktest!(
        "continues",
        given(numbers = &[1, 2]),
        check_return(ControlFlow::Continue(2))
    );
    numbers.iter().try_for_each(|n| {
        if *n > 5 {
            ControlFlow::Break(*n)
        } else {
            ControlFlow::Continue(())
        }
    })?;
    ControlFlow::Continue(numbers.len())
}

#[situ]
fn exits_that_are_not_its_own(numbers: &[&str]) -> Vec<Option<u32>> {
    blocktest!("closure", given(numbers = &["x"]), check_eq(first, [None]));
    blocktest!(
        "function",
        given(numbers = &["4"]),
        check_eq(second, Some(4))
    );
    fn parsed(text: &str) -> Option<u32> {
        let number: u32 = text.parse().ok()?;
        if number == 3 {
            return None;
        }
        Some(number)
    }
    let first: Vec<Option<u32>> = numbers
        .iter()
        .map(|text| {
            let number: u32 = text.parse().ok()?;
            if number == 0 {
                return None;
            }
            Some(number)
        })
        .collect();
    let second = numbers.first().and_then(|text| parsed(text));
    first.into_iter().chain([second]).collect()
}

#[derive(Debug, PartialEq, Clone, Copy)]
enum State {
    Idle,
    Busy(u32),
}

#[situ]
impl State {
    fn next(self) -> Option<Self> {
        blocktest!(
            "idle",
            given(self = State::Idle),
            check_return(Some(Self::Busy(1)))
        );
        blocktest!("last", given(self = Self::Busy(3)), check_return(None));
        blocktest!(
            "tuple",
            given(self = State::Busy(1)),
            check_matches(returned(), Some(State::Busy(2)))
        );
        let next = match self {
            Self::Idle => Self::Busy(1),
            Self::Busy(3) => return None,
            Self::Busy(n) => Self::Busy(n + 1),
        };
        Some(next)
    }

    fn name(&self) -> &'static str {
        blocktest!(
            "by reference",
            given(self = State::Busy(2)),
            check_return("busy"),
            check_flow(If.Then)
        );
        if let Self::Busy(n) = self
            && *n > 1
        {
            return "busy";
        }
        "idle"
    }
}

struct Shelf {
    books: Vec<String>,
}

#[situ]
impl Shelf {
    fn longest(&self) -> &str {
        blocktest!(
            "a borrow of self",
            given(
                self = Shelf {
                    books: vec!["a".to_string(), "bb".to_string()]
                }
            ),
            check_return("bb"),
            check_eq(returned().len(), 2)
        );
        blocktest!(
            "none",
            given(self = Shelf { books: vec![] }),
            check_return("")
        );
        let mut longest = "";
        for book in &self.books {
            if book.len() > longest.len() {
                longest = book;
            }
        }
        longest
    }

    fn first_mut(&mut self) -> Option<&mut String> {
        blocktest!(
            "a mutable borrow of self",
            given(
                self = Shelf {
                    books: vec!["a".to_string()]
                }
            ),
            check_matches(returned(), Some(_))
        );
        let first = self.books.first_mut()?;
        first.push('!');
        Some(first)
    }
}

static COUNT: AtomicU32 = AtomicU32::new(100);

#[situ]
fn a_static_with_inner_state() -> u32 {
    let before = COUNT.fetch_add(1, Ordering::Relaxed);
    itest!(
        given(COUNT = AtomicU32::new(5)),
        check_eq(before, 5),
        check_eq(COUNT.load(Ordering::Relaxed), 6)
    );
    before
}

const SIZE: usize = 4;

#[situ]
fn a_constant_that_is_a_length() -> usize {
    let block = [0_u8; SIZE];
    itest!("as it is", check_eq(block.len(), 4));
    let doubled = block.len() * SIZE;
    itest!(
        "given",
        given(block = [0; SIZE], SIZE = 2),
        check_eq(doubled, 8)
    );
    doubled
}

#[situ]
fn what_cannot_be_sent_to_a_thread(shared: Rc<u32>) -> u32 {
    let next = *shared + 1;
    itest!(
        given(shared = Rc::new(3)),
        timeout_ms(60_000),
        repeat(2),
        check_eq(next, 4)
    );
    next
}

#[situ]
fn slices_and_texts(text: &str, bytes: &[u8]) -> usize {
    let (head, tail) = text.split_at(1);
    itest!(
        "identity of a text",
        given(text = "abc"),
        check_same(head, &text[..1]),
        check_eq(tail, "bc")
    );
    itest!(
        "unsized places",
        given(text = "abc"),
        check_eq(text[1..], *"bc"),
        check_ne(*head, *"b")
    );
    let rest = &bytes[1..];
    itest!(
        "slices",
        given(bytes = &[1, 2, 3]),
        check_eq(rest, [2, 3]),
        check_eq(*rest, [2, 3])
    );
    itest!(
        "against a vector",
        given(bytes = &[1, 2, 3]),
        check_eq(rest, vec![2, 3])
    );
    head.len() + tail.len() + rest.len()
}

#[situ]
fn paths_through_everything(mut values: Vec<Option<u32>>) -> u32 {
    blocktest!(
        "while let",
        given(values = vec![Some(1), Some(2)]),
        end(first_block),
        check_flow(While.Body.times(2)),
        check_eq(sum, 3)
    );
    blocktest!(
        "match in a while",
        given(values = vec![Some(1), None]),
        end(first_block),
        check_flow(While.Body.Match.Arm(2)),
        check_eq(sum, 101)
    );
    let mut sum: u32 = 0;
    while let Some(value) = values.pop() {
        match value {
            Some(n) => sum += n,
            None => sum += 100,
        }
    }
    blocktest!(
        "loop of a let",
        given(sum = 3),
        check_flow(Loop.Body.If.Then),
        check_eq(power, 4)
    );
    blocktest!(
        "if let",
        given(sum = 3),
        check_flow(If.Then),
        check_eq(low, 3)
    );
    blocktest!(
        "else if let",
        given(sum = 12),
        check_flow(If.ElseIf.Then),
        check_eq(low, 10)
    );
    let power = loop {
        if sum.is_power_of_two() {
            break sum;
        }
        sum += 1;
    };
    let low = if let 0..=9 = sum {
        sum - 1
    } else if let 10..=19 = sum {
        10
    } else {
        0
    };
    power + low
}

#[situ]
fn assignments_by_patterns(pair: (u32, u32)) -> u32 {
    let c;
    blocktest!(
        "let",
        given(pair = (1, 2)),
        end(first_assign),
        check_eq((a, b), (1, 2))
    );
    blocktest!(
        "destructured",
        given(pair = (1, 2)),
        end(first_assign),
        check_eq((c, d), (2, 1))
    );
    let (a, b) = pair;
    let mut d = a;
    (c, d) = (d + 1, b - d);
    a + b + c + d
}

#[situ]
fn a_value_out_of_a_labelled_block(n: u32) -> u32 {
    let found = 'search: {
        blocktest!("found", given(n = 9), check_break("search"));
        blocktest!("not found", given(n = 1), check_value(0));
        if n > 5 {
            break 'search n;
        }
        0
    };
    found + 1
}

#[situ]
fn a_test_between_parts_of_an_else_chain(n: i32) -> i32 {
    if n < 0 {
        itest!("first", given(n = -1), check_true(cond()));
        -1
    } else if let 0..=9 = n {
        itest!("second", given(n = 9), check_true(cond()));
        blocktest!("its block", given(n = 4), check_value(8));
        n * 2
    } else {
        blocktest!("the last", given(n = 40), check_value(41));
        n + 1
    }
}
