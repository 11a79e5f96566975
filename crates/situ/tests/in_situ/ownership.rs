//! Borrows, moves, guards and drops in fragments behave as in the original.

use situ::prelude::*;
use std::sync::{Arc, Mutex};

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("ownership.rs"));
}

#[situ]
fn a_guard_is_released_when_it_leaves(shared: &Mutex<Vec<u32>>, n: u32) -> Option<u32> {
    blocktest!(
        "out",
        given(shared = &Mutex::new(vec![]), n = 0),
        check_return(None),
        check(!shared.is_poisoned()),
        check(shared.try_lock().is_ok())
    );
    blocktest!(
        "through",
        given(shared = &Mutex::new(vec![1]), n = 3),
        check_eq(last, 3),
        check(!shared.is_poisoned())
    );
    let mut list = shared.lock().unwrap();
    if n == 0 {
        return None;
    }
    list.push(n);
    let last = *list.last()?;
    drop(list);
    Some(last)
}

macro_rules! some_or_out {
    ($value:expr) => {
        match $value {
            Some(value) => value,
            None => return None,
        }
    };
}

#[situ]
fn an_unknown_macro_poisons_nothing(shared: Arc<Mutex<u32>>, n: Option<u32>) -> Option<u32> {
    blocktest!(
        "through",
        given(shared = Arc::new(Mutex::new(1)), n = Some(2)),
        next(2),
        check_eq(inner, 2),
        check_eq(*guard, 1),
        check(!std::thread::panicking())
    );
    blocktest!(
        "out",
        given(shared = Arc::new(Mutex::new(1)), n = None),
        check_return(None),
        check(!shared.is_poisoned())
    );
    let guard = shared.lock().unwrap();
    let inner = some_or_out!(n);
    Some(*guard + inner)
}

#[situ]
fn a_moved_vector(list: Vec<String>) -> Vec<String> {
    blocktest!(given(list = vec!["a".into()]), check_eq(owned, ["a", "b"]));
    let mut owned = list;
    owned.push("b".to_string());
    owned
}

struct Node {
    next: Option<Box<Node>>,
    value: u32,
}

#[situ]
fn a_reference_that_walks(mut node: &Node) -> u32 {
    blocktest!(
        given(
            node = &Node {
                next: Some(Box::new(Node {
                    next: None,
                    value: 7
                })),
                value: 1
            }
        ),
        check_return(7)
    );
    while let Some(next) = &node.next {
        node = next;
    }
    node.value
}

#[situ]
fn a_mutable_reference_that_walks(list: &mut Option<Box<Node>>) {
    let mut at = list;
    while let Some(node) = at {
        at = &mut node.next;
    }
    itest!(given(at = &mut None), check(at.is_none()));
    *at = Some(Box::new(Node {
        next: None,
        value: 1,
    }));
}

#[situ]
fn an_iterator_behind_a_reference(numbers: &mut dyn Iterator<Item = u32>) -> u32 {
    let mut sum = 0;
    blocktest!(
        given(numbers = &mut [1, 2, 3].into_iter(), sum = 0),
        check_eq(sum, 6),
        check_flow(While.Body.times(3))
    );
    while let Some(number) = numbers.next().filter(|number| *number < 100) {
        sum += number;
    }
    sum
}

#[situ]
fn a_writer_known_by_its_bound_alone(out: &mut impl std::io::Write, n: u32) -> std::io::Result<()> {
    blocktest!(
        "ok",
        given(out = &mut Vec::new(), n = 3),
        check_ok(returned())
    );
    blocktest!(
        "what was written",
        given(out = &mut Vec::new(), n = 3),
        check_eq(*out, b"n=3\n")
    );
    writeln!(out, "n={n}")?;
    Ok(())
}

#[situ]
fn a_generic_writer<W: std::io::Write>(mut out: W, n: u32) -> std::io::Result<W> {
    blocktest!(given(W = Vec<u8>, out = vec![], n = 3), check_eq(returned().as_ref().unwrap(), b"n=3"));
    write!(out, "n={n}")?;
    Ok(out)
}

#[situ]
fn a_reader(mut input: impl std::io::Read) -> std::io::Result<String> {
    let mut text = String::new();
    blocktest!(
        given(input = std::io::Cursor::new("abc"), text = String::new()),
        check_eq(returned().as_ref().unwrap(), "abc")
    );
    input.read_to_string(&mut text)?;
    Ok(text)
}

#[situ]
fn text_or_owned(name: impl Into<String>, list: impl IntoIterator<Item = u8>) -> String {
    let mut owned: String = name.into();
    itest!(given(name = "a"), check_eq(owned, "a"));
    for byte in list {
        itest!(given(list = [1, 2]), check_eq(items(), [1, 2]));
        owned.push(char::from(byte));
    }
    owned
}
