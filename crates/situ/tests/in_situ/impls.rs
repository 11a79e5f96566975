//! Impl blocks of every shape: generic, of foreign and unsized types, with associated types, unsafe, of operators.
#![allow(unsafe_code, reason = "unsafe impls must be testable too")]

use situ::prelude::*;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("impls.rs"));
}

struct Byte(u8);

#[situ]
impl Byte {
    pub(crate) const unsafe fn of_an_unsafe_const_method(&self) -> u8 {
        let byte = self.0;
        itest!(given(self = Byte(2)), check_eq(byte, 2));
        byte
    }
}

#[situ]
/// Halves, in an unsafe trait.
///
/// # Safety
///
/// None is asked for: the trait is unsafe only to be implemented so.
unsafe trait Halves {
    fn halved(&self, n: u8) -> u8 {
        let half = n / 2;
        itest!(given(n = 4), check_eq(half, 2));
        half
    }
}

#[situ]
unsafe impl Halves for Byte {
    fn halved(&self, n: u8) -> u8 {
        let half = self.0 / n;
        itest!(
            "of an unsafe impl",
            given(self.0 = 8, n = 4),
            check_eq(half, 2)
        );
        half
    }
}

struct Wrapped<T>(T);

#[situ]
impl Wrapped<u8> {
    fn byte(&self) -> u8 {
        let byte = self.0;
        itest!(
            "of one instance",
            given(self = Wrapped(1)),
            check_eq(byte, 1)
        );
        byte
    }
}

#[situ(wrapped_u16)]
impl Wrapped<u16> {
    fn word(&self) -> u16 {
        let word = self.0.wrapping_add(1);
        itest!(
            "of another",
            given(self = Wrapped(65_535)),
            check_eq(word, 0)
        );
        word
    }
}

#[situ]
impl<T: Clone> Clone for Wrapped<T> {
    fn clone(&self) -> Self {
        blocktest!(given(T = u8, self = Wrapped(1)), check_eq(returned().0, 1));
        Wrapped(self.0.clone())
    }
}

#[situ]
impl<T> std::ops::Deref for Wrapped<T> {
    type Target = T;

    fn deref(&self) -> &Self::Target {
        blocktest!(given(T = u8, self = Wrapped(3)), check_return(&3));
        &self.0
    }
}

#[situ]
impl<T> std::ops::Index<usize> for Wrapped<Vec<T>> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        let element = &self.0[index];
        itest!(
            given(T = u8, self = Wrapped(vec![1, 2]), index = 1),
            check_eq(*element, 2)
        );
        element
    }
}

#[situ]
impl<'a> From<&'a str> for Wrapped<&'a str> {
    fn from(text: &'a str) -> Self {
        let trimmed = text.trim();
        itest!(given(text = " a "), check_eq(trimmed, "a"));
        blocktest!("whole", given(trimmed = "b"), check_eq(returned().0, "b"));
        Wrapped(trimmed)
    }
}

#[situ]
impl std::str::FromStr for Byte {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        blocktest!("no number", given(text = "x"), check_err(returned()));
        blocktest!(
            "a number",
            given(text = "3"),
            check_matches(returned(), Ok(Byte(3)))
        );
        let number: u8 = text.parse()?;
        Ok(Byte(number))
    }
}

#[situ]
impl PartialEq for Byte {
    fn eq(&self, other: &Self) -> bool {
        let equal = self.0 == other.0;
        itest!(given(self = Byte(1), other = &Byte(1)), check_true(equal));
        equal
    }
}

struct Handle(*const u8);

#[situ]
impl Drop for Handle {
    fn drop(&mut self) {
        let empty = self.0.is_null();
        itest!(given(self = Handle(std::ptr::null())), check_true(empty));
        assert!(empty, "a handle was still open");
    }
}

trait Shorten {
    type Short;

    fn shorten(self) -> Self::Short;
}

#[situ]
impl<T, E: std::fmt::Debug> Shorten for Result<T, E> {
    type Short = Option<T>;

    fn shorten(self) -> Self::Short {
        blocktest!(
            given(T = u8, E = String, self = Err("x".to_string())),
            check_return(None)
        );
        self.ok()
    }
}

#[situ]
impl Shorten for &str {
    type Short = char;

    fn shorten(self) -> char {
        let first = self.chars().next().unwrap_or('-');
        itest!(given(self = "abc"), check_eq(first, 'a'));
        first
    }
}

#[situ]
impl Shorten for (u8, u8) {
    type Short = u8;

    fn shorten(self) -> u8 {
        let (low, high) = self;
        itest!(given(self = (1, 2)), check_eq(low + high, 3));
        low + high
    }
}

#[situ]
impl Shorten for fn() -> u8 {
    type Short = u8;

    fn shorten(self) -> u8 {
        let called = self();
        itest!(given(self = || 4), check_eq(called, 4));
        called
    }
}

trait Title: ToOwned {
    fn title(&self) -> Self::Owned;
    fn length(&self) -> usize;
}

#[situ]
impl Title for str {
    fn title(&self) -> Self::Owned {
        blocktest!(
            "an associated type of a supertrait",
            given(self = "ab"),
            check_return("AB".to_string())
        );
        self.to_uppercase()
    }

    fn length(&self) -> usize {
        let length = self.len();
        itest!(
            "of an unsized self",
            given(self = "abc"),
            check_eq(length, 3)
        );
        length
    }
}

trait Total {
    fn total(&self) -> u32;
}

#[situ]
impl<T: Copy + Into<u32>> Total for [T] {
    fn total(&self) -> u32 {
        let total: u32 = self.iter().map(|item| -> u32 { (*item).into() }).sum();
        itest!(
            "of a slice",
            given(T = u8, self = &[1, 2]),
            check_eq(total, 3)
        );
        total
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair([u32; 2]);

#[situ]
impl std::ops::AddAssign<Self> for Pair {
    fn add_assign(&mut self, other: Self) {
        blocktest!(
            "a trait over `Self`",
            given(self = Pair([1, 2]), other = Pair([3, 4])),
            check_eq(self.0, [4, 6])
        );
        self.0[0] += other.0[0];
        self.0[1] += other.0[1];
    }
}

#[situ]
impl std::ops::Add for Pair {
    type Output = Pair;

    fn add(mut self, other: Self) -> Self::Output {
        blocktest!(
            "a trait over `Self` that does not say so, and a type of it",
            given(self = Pair([1, 2]), other = Pair([3, 4])),
            check_return(Pair([4, 6]))
        );
        let sum: Self::Output = {
            self += other;
            self
        };
        sum
    }
}

#[test]
fn pairs_add_up() {
    assert_eq!(Pair([1, 2]) + Pair([3, 4]), Pair([4, 6]));
}
