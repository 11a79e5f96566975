//! Generic parameters, lifetimes and `Self` in fragments.

use situ::prelude::*;
use std::fmt::{Debug, Display};

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("generics.rs"));
}

#[situ]
fn a_generic_function<T: Copy + Into<u64>>(items: &[T]) -> u64 {
    let first: u64 = items[0].into();
    itest!("bytes", given(T = u8, items = &[7, 8]), check_eq(first, 7));
    itest!(
        "words",
        given(T = u32, items = &[70_000]),
        check_eq(first, 70_000)
    );
    blocktest!(
        "sum",
        given(T = u16, items = &[1, 2, 3], first = 1),
        check_return(6)
    );
    let mut sum: u64 = 0;
    for item in items {
        let item: u64 = (*item).into();
        sum += item;
    }
    sum.max(first)
}

#[situ]
fn a_type_with_a_comma<T: Default + IntoIterator>(more: usize) -> usize {
    let count = T::default().into_iter().count() + more;
    itest!("as a type", given(T = std::collections::BTreeMap<u8, u8>, more = 2), check_eq(count, 2));
    itest!(
        "as an expression",
        given(T = std::collections::BTreeMap::<u8, u8>, more = 3),
        check_eq(count, 3)
    );
    itest!(
        "at the end",
        given(more = 1, T = [(u8, u8); 2]),
        check_eq(count, 3)
    );
    count
}

#[situ]
fn a_bound_says_what_a_value_becomes<S: AsRef<str>>(sign: S) -> Option<bool> {
    match sign.as_ref().trim() {
        "==" => {
            itest!("a text", given(sign = " == "), check_eq(scrutinee(), "=="));
            itest!(
                "an owned text",
                given(sign = String::from("!")),
                check_eq(scrutinee(), "!")
            );
            itest!(
                "texts",
                each((sign, is_equal), [("== ", true), ("<", false)]),
                check_eq(scrutinee() == "==", is_equal)
            );
            Some(true)
        }
        _ => None,
    }
}

#[situ]
fn a_bound_says_so_behind_a_reference<S: ?Sized + AsRef<str>, N: Into<u64>>(
    text: &S,
    more: N,
) -> u64 {
    let length = text.as_ref().trim().len();
    itest!(given(text = " ab"), check_eq(length, 2));
    let sum = more.into() + 1;
    itest!(given(more = 4_u8), check_eq(sum, 5));
    sum + length as u64
}

#[situ]
fn a_value_that_is_not_converted_keeps_its_type<N: Into<u64> + Copy>(n: N) -> N {
    let same = n;
    itest!(given(n = 4_u8), check_eq(same, 4_u8));
    same
}

trait Measured {
    type Unit: From<u8> + Into<u64>;
    const MOST: u64;
}

impl Measured for u8 {
    type Unit = u16;
    const MOST: u64 = 9;
}

#[situ]
fn an_associated_type_on_the_way_to_a_given<M: Measured>(size: u8) -> bool {
    let unit = <M::Unit>::from(size);
    let length = Into::<u64>::into(unit);
    if length > M::MOST {
        itest!(
            given(M = u8),
            each((length, expected), [(9, false), (10, true)]),
            check_eq(cond(), expected)
        );
        return true;
    }
    false
}

#[situ]
fn a_type_named_in_the_fragment<T>(count: usize) -> usize
where
    T: Default + Debug,
{
    let bytes = size_of::<T>() * count;
    itest!(given(T = u32, count = 3), check_eq(bytes, 12));
    let text = format!("{:?}", T::default());
    itest!(given(T = String), check_eq(text, "\"\""));
    bytes + text.len()
}

#[situ]
fn a_constant_parameter<const N: usize>(fill: u8) -> usize {
    let block = [fill; N];
    itest!(given(N = 3, fill = 1), check_eq(block, [1, 1, 1]));
    let doubled = N * 2;
    itest!(given(N = 4), check_eq(doubled, 8));
    let text = format!("{N}");
    itest!("in a format string", given(N = 5), check_eq(text, "5"));
    block.len() + doubled + text.len()
}

#[situ]
fn a_parameter_the_fragment_does_not_use<T: Display>(value: T, n: u32) -> String {
    let next = n + 1;
    itest!(given(n = 1), check_eq(next, 2));
    format!("{value} {next}")
}

#[situ]
fn lifetimes<'a, 'b: 'a>(left: &'a str, right: &'b str) -> &'a str {
    let longer: &'a str = if left.len() < right.len() {
        right
    } else {
        left
    };
    itest!(
        "right",
        given(left = "a", right = "bb"),
        check_eq(longer, "bb")
    );
    itest!(
        "of a temporary",
        given(left = String::from("ccc").as_str(), right = "bb"),
        check_eq(longer, "ccc")
    );
    blocktest!("return", given(longer = " x "), check_return("x"));
    longer.trim()
}

struct Window<T, const N: usize> {
    values: [T; N],
    next: usize,
}

#[situ]
impl<T, const N: usize> Window<T, N>
where
    T: Copy + PartialOrd,
{
    fn push(&mut self, value: T) -> T {
        let old = self.values[self.next];
        itest!(
            given(
                T = i64,
                N = 2,
                self = Window {
                    values: [5, 6],
                    next: 1
                }
            ),
            check_eq(old, 6)
        );
        self.values[self.next] = value;
        itest!(
            "floats",
            given(
                T = f64,
                N = 3,
                self = Self {
                    values: [0.5; 3],
                    next: 2
                },
                value = 1.5
            ),
            check_eq(self.values, [0.5, 0.5, 1.5])
        );
        self.next = (self.next + 1) % N;
        itest!(
            "wraps",
            given(
                T = u8,
                N = 3,
                self = Self {
                    values: [0; 3],
                    next: 2
                }
            ),
            check_eq(self.next, 0)
        );
        old
    }

    fn largest(&self) -> Option<T> {
        blocktest!(
            given(
                T = char,
                N = 3,
                self = Window {
                    values: ['a', 'z', 'b'],
                    next: 0
                }
            ),
            check_return(Some('z'))
        );
        let mut best = *self.values.first()?;
        for value in self.values {
            if value > best {
                best = value;
            }
        }
        Some(best)
    }
}

struct Parser<'text> {
    rest: &'text str,
}

#[situ]
impl<'text> Parser<'text> {
    fn word(&mut self) -> Option<&'text str> {
        let end = self.rest.find(' ').unwrap_or(self.rest.len());
        itest!(given(self = Parser { rest: "ab cd" }), check_eq(end, 2));
        itest!(
            "of a temporary",
            given(
                self = Parser {
                    rest: &String::from("abc d")
                }
            ),
            check_eq(end, 3)
        );
        let (word, rest): (&'text str, &'text str) = self.rest.split_at(end);
        itest!(
            "halves",
            given(self = Parser { rest: "ab cd" }, end = 2),
            check_eq((word, rest), ("ab", " cd"))
        );
        self.rest = rest.trim_start();
        itest!(
            "rest",
            given(self = Parser { rest: "" }, rest = "  cd"),
            check_eq(self.rest, "cd")
        );
        blocktest!("empty", given(word = ""), check_return(None));
        blocktest!("not empty", given(word = "a"), check_return(Some("a")));
        if word.is_empty() { None } else { Some(word) }
    }
}

struct Chain(Option<Box<Chain>>);

#[situ]
impl Chain {
    fn depth(&self) -> usize {
        let mut depth = 0;
        let mut at = self;
        blocktest!(
            "moved along",
            given(self = Chain(Some(Box::new(Chain(None))))),
            start(first_assign),
            check(at.0.is_some())
        );
        while let Some(next) = &at.0 {
            at = next;
            itest!(given(next = &Box::new(Chain(None))), check(at.0.is_none()));
            depth += 1;
        }
        depth
    }
}

#[situ]
fn an_opaque_return_type(words: &str) -> impl Iterator<Item = usize> {
    let count = words.split(' ').count();
    itest!(given(words = "a b"), check_eq(count, 2));
    blocktest!(
        "what it returns",
        given(count = 3),
        check_eq(returned().collect::<Vec<_>>(), [0, 1, 2])
    );
    0..count
}

#[situ]
fn a_parameter_only_in_the_type_of_a_given<T: Copy>(items: &[T]) -> T {
    let first = items[0];
    itest!(
        "it follows from the value",
        given(items = &[3_u8]),
        check_eq(first, 3)
    );
    itest!(
        "or is said",
        given(T = u64, items = &[3]),
        check_eq(first, 3_u64)
    );
    first
}

#[situ]
trait Corners {
    fn corners(&self) -> u32;

    fn doubled(&self) -> u32 {
        let doubled = self.corners() * 2;
        itest!(
            "Self follows from self",
            given(self = Square),
            check_eq(doubled, 8)
        );
        itest!(
            "or is said",
            given(Self = Square, self = Square),
            check_eq(doubled, 8)
        );
        doubled
    }
}

struct Square;

impl Corners for Square {
    fn corners(&self) -> u32 {
        4
    }
}

#[situ]
fn an_opaque_parameter(text: impl AsRef<str>) -> usize {
    let length = text.as_ref().len();
    itest!("a str", given(text = "abc"), check_eq(length, 3));
    itest!("a String", given(text = String::new()), check_eq(length, 0));
    length
}

#[situ]
fn a_closure_whose_type_cannot_be_named<F: Fn(u32) -> u32>(change: F, n: u32) -> u32 {
    let changed = change(n);
    itest!(
        "it has the bound's types",
        given(change = |n| n + 1, n = u32::MAX),
        check_panic("overflow")
    );
    itest!("or a pointer stands for it", given(F = fn(u32) -> u32, change = |n| n + 1, n = 1), check_eq(changed, 2));
    changed
}

#[situ]
fn a_bound_in_a_where_clause<F>(mut change: F, text: &str) -> usize
where
    F: for<'x> FnMut(&'x str) -> &'x str,
{
    let length = change(text).len();
    itest!(
        given(change = |text| text.trim(), text = " a "),
        check_eq(length, 1)
    );
    length
}

#[situ]
fn generics_that_follow_from_the_values<T: Ord + Copy>(items: &mut [T]) -> Option<T> {
    blocktest!(
        given(items = &mut [3_u8, 1, 2]),
        check_return(Some(1)),
        check_eq(*items, [1, 2, 3])
    );
    items.sort();
    items.first().copied()
}

struct Filled<T, const N: usize>([T; N]);

impl<T, const N: usize> Filled<T, N> {
    const SIZE: usize = N;
}

#[situ(from_slices)]
impl<T: Copy, const N: usize> TryFrom<&[T]> for Filled<T, N> {
    type Error = usize;

    fn try_from(items: &[T]) -> Result<Self, Self::Error> {
        if items.len() != Self::SIZE {
            itest!(
                "a trait over references",
                given(T = u8, N = 2, items = &[1, 2, 3]),
                check_true(cond())
            );
            return Err(items.len());
        }
        <[T; N]>::try_from(items)
            .map(Filled)
            .map_err(|_| items.len())
    }
}

#[situ]
fn a_parameter_may_be_a_type_with_lifetimes<'a, T: Display, I: Iterator<Item = &'a u8>>(
    first: T,
    rest: I,
) -> usize {
    let size = size_of::<T>() + first.to_string().len();
    itest!(
        given(T = &str, first = "ab"),
        check_eq(size, size_of::<&str>() + 2)
    );
    let bound = size_of::<I>() / size;
    itest!("not named", given(I = std::slice::Iter<'_, u8>, size = size_of::<&[u8]>()), check_eq(bound, 1));
    bound + rest.count()
}

struct Options<'a> {
    indent: &'a str,
}

impl<'a> From<&'a str> for Options<'a> {
    fn from(indent: &'a str) -> Options<'a> {
        Options { indent }
    }
}

#[situ]
fn what_becomes_something_that_borrows<'a, O: Into<Options<'a>>>(text: &str, options: O) -> String {
    blocktest!(
        given(text = "x", options = "  "),
        check_return(String::from("  x"))
    );
    let options = options.into();
    format!("{}{text}", options.indent)
}

mod numbers {
    pub trait One {
        fn one() -> Self;
        fn is_one(&self) -> bool;
    }

    impl One for i32 {
        fn one() -> Self {
            1
        }

        fn is_one(&self) -> bool {
            *self == 1
        }
    }

    pub trait Number: Sized + One + std::ops::Add<Output = Self> {}

    impl Number for i32 {}
}

#[situ]
fn a_trait_that_only_a_bound_brings<T: numbers::Number>(n: T) -> bool {
    let next = n + T::one();
    itest!(
        "a function",
        given(T = i32, n = 2),
        setup({
            use numbers::One;
        }),
        check_eq(next, 3)
    );
    let is_one = next.is_one();
    itest!(
        "a method",
        setup({
            use numbers::One as _;
        }),
        given(next = 1),
        check_true(is_one)
    );
    is_one
}
