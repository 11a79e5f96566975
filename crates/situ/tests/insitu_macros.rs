//! Macros, format strings, attributes and unusual names in and around fragments.
#![cfg(feature = "test")]
#![deny(warnings)]
#![allow(
    dead_code,
    reason = "nothing calls the functions themselves: only their fragments run"
)]

use situ::prelude::*;
use std::fmt::Write as _;

mod listing;

#[test]
fn the_tests_that_the_configuration_keeps_are_run() {
    let names = listing::in_situ_tests();
    let left_out: Vec<&String> = names
        .iter()
        .filter(|name| name.contains("left_out"))
        .collect();
    assert!(left_out.is_empty(), "{left_out:?}");
    for kept in [
        "situ_configured_statements::kept",
        "situ_Configured::kept_method_kept",
        "situ_from_a_macro::",
    ] {
        assert!(
            names.iter().any(|name| name.starts_with(kept)),
            "{kept} is missing from {names:#?}"
        );
    }
}

#[situ]
fn format_strings(name: &str, width: usize, n: f64) -> String {
    let text = format!("{name:>width$}|{n:.2}|{0}|{{name}}", name.len());
    itest!(
        given(name = "ab", width = 4, n = 0.5),
        check_eq(text, "  ab|0.50|2|{name}")
    );
    let escaped = format!("{{width}} {}", 3);
    itest!("what is escaped is no read", check_eq(escaped, "{width} 3"));
    let named = format!("{left}-{right:?}", left = width + 1, right = name);
    itest!(
        "named arguments are no reads",
        given(name = "a", width = 1),
        check_eq(named, "2-\"a\"")
    );
    let mut out = String::new();
    blocktest!(
        "write",
        given(out = String::new(), name = "x"),
        next(1),
        check_eq(out, "x!")
    );
    write!(out, "{name}!").unwrap();
    text + &escaped + &named + &out
}

struct Named {
    name: String,
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

#[situ]
impl Named {
    fn greeting(&self) -> String {
        let text = format!("hello {self}, {}", self.name);
        itest!(
            given(
                self = Named {
                    name: "you".to_string()
                }
            ),
            check_eq(text, "hello you, you")
        );
        text
    }
}

macro_rules! largest {
    ($first:expr $(, $rest:expr)* $(,)?) => {{
        let mut largest = $first;
        $( if $rest > largest { largest = $rest; } )*
        largest
    }};
}

macro_rules! with_tokens {
    (let $name:ident be $value:expr) => {
        let $name = $value;
    };
}

#[situ]
fn macros_of_this_file(a: u32, b: u32) -> u32 {
    let top = largest!(a, b, 3);
    itest!(given(a = 1, b = 7), check_eq(top, 7));
    macro_rules! local {
        ($n:expr) => {
            $n + 100
        };
    }
    let high = local!(top);
    itest!("a macro of the body", given(top = 1), check_eq(high, 101));
    with_tokens!(let odd be high | 1);
    println!("{odd}");
    let is_small = matches!(a, 0..=9 if b > 1);
    itest!(
        "a pattern is no expression",
        given(a = 3, b = 2),
        check_true(is_small)
    );
    high + u32::from(is_small)
}

macro_rules! doubling {
    ($name:ident, $factor:expr, $type:ty) => {
        #[situ]
        fn $name(n: $type) -> $type {
            let doubled = n * $factor;
            itest!(given(n = 4), check_eq(doubled, 4 * $factor));
            doubled
        }
    };
}

doubling!(from_a_macro, 1 + 1, u8);

#[situ]
fn configured_statements(n: u32) -> u32 {
    #[cfg(not(test))]
    let next = n + missing();
    itest!(
        "left out with its target",
        given(n = 1),
        check_eq(next, missing())
    );
    #[cfg(test)]
    let next = n + 1;
    itest!("kept", given(n = 1), check_eq(next, 2));
    #[cfg(not(test))]
    itest!("left out", given(n = 1), check_eq(next, missing()));
    blocktest!("over both", given(n = 1, next = 0), check_return(4));
    #[cfg(not(test))]
    let n = missing();
    let m = match n {
        #[cfg(not(test))]
        1 => missing(),
        other => other * 2,
    };
    m + next_of(n).max(next)
}

fn next_of(n: u32) -> u32 {
    n + 1
}

#[situ]
fn configured_expressions(n: u32) -> Both {
    let all = [
        n,
        #[cfg(not(test))]
        [n].map(|value| {
            blocktest!(
                "left out with an element",
                given(value = 1),
                check_return(missing())
            );
            missing(value)
        }),
    ];
    #[cfg(not(test))]
    all[0].pick(|value: u32| {
        blocktest!(
            "left out with a method call",
            given(value = 1),
            check_return(missing())
        );
        missing(value)
    })?;
    Both {
        count: all.len(),
        #[cfg(not(test))]
        missing: [n].map(|value| {
            blocktest!(
                "left out with a field",
                given(value = 1),
                check_return(missing())
            );
            missing(value)
        }),
    }
}

struct Both {
    count: usize,
    #[cfg(not(test))]
    missing: Missing,
}

struct Configured;

#[situ]
impl Configured {
    #[cfg(not(test))]
    fn left_out(&self) -> Missing {
        let missing = Missing::new();
        itest!(check_eq(missing, Missing));
        missing
    }

    #[cfg(test)]
    fn kept_method(&self) -> u32 {
        let kept = 3;
        itest!("kept", check_eq(kept, 3));
        kept
    }
}

#[situ]
#[cfg(not(test))]
fn left_out() -> Missing {
    let missing = Missing::new();
    itest!(check_eq(missing, Missing));
    missing
}

#[deprecated]
fn old(n: u32) -> u32 {
    n * 3
}

/// Documented, and marked in many ways.
#[situ]
#[inline]
#[must_use]
#[allow(deprecated, reason = "the fragment calls what is deprecated")]
fn attributes_of_the_function(n: u32) -> u32 {
    let thrice = old(n);
    itest!(given(n = 1), check_eq(thrice, 3));
    thrice
}

#[situ]
#[expect(deprecated, reason = "only the last line calls what is deprecated")]
fn an_expectation_is_not_copied(n: u32) -> u32 {
    let next = n + 1;
    itest!(given(n = 1), check_eq(next, 2));
    old(next)
}

#[situ]
fn attributes_of_a_statement(n: u32) -> u32 {
    #[allow(deprecated, reason = "this statement calls what is deprecated")]
    let thrice = old(n);
    itest!(given(n = 1), check_eq(thrice, 3));
    thrice
}

mod unusual_names {
    use situ::prelude::*;

    #[derive(Debug, PartialEq)]
    pub struct Failure;

    pub type Result<T> = std::result::Result<T, Failure>;

    #[derive(Debug, PartialEq)]
    pub enum Option {
        Some,
        None,
    }

    #[situ]
    pub fn aliases(text: &str) -> Result<u32> {
        blocktest!("err", given(text = ""), check_return(Err(Failure)));
        blocktest!(
            "ok",
            given(text = "ab"),
            check_return(Ok(2)),
            check_ok(returned())
        );
        let length = measured(text)?;
        Ok(length)
    }

    fn measured(text: &str) -> Result<u32> {
        if text.is_empty() {
            Err(Failure)
        } else {
            Ok(text.len() as u32)
        }
    }

    #[situ]
    pub fn own_option(n: u32) -> Option {
        blocktest!("some", given(n = 1), check_return(Option::Some));
        blocktest!(
            "none",
            given(n = 0),
            check_matches(returned(), Option::None)
        );
        if n == 0 {
            return Option::None;
        }
        Option::Some
    }

    fn value() -> u32 {
        7
    }

    fn cond(n: u32) -> u32 {
        n
    }

    #[situ]
    pub fn own_functions_and_variables(result: u32, test: u32, returned: u32) -> u32 {
        let given = value() + cond(result);
        itest!(given(result = 1), check_eq(given, 8));
        let mock = test + returned + given;
        itest!(given(test = 1, returned = 2, given = 3), check_eq(mock, 6));
        let out = mock * 2;
        itest!(given(mock = 3), check_eq(out, 6));
        out
    }
}

/// Declares a static whose name is an argument, as macros for regular expressions do.
macro_rules! words {
    ($name:ident = $($word:literal),*) => {
        static $name: &[&str] = &[$($word),*];
    };
}

#[situ]
fn statics_that_macros_declare(text: &str) -> (bool, usize) {
    words!(COLOURS = "red", "green");
    thread_local! {
        static CALLS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }
    // Declares nothing that the tests need, and needs what they have not got.
    assert!(!text.is_empty());
    let is_colour = COLOURS.contains(&text);
    itest!(given(text = "green"), check(is_colour));
    itest!(given(text = "grin"), check_eq(is_colour, false));
    let calls = CALLS.with(|calls| calls.replace(calls.get() + text.len()));
    itest!(
        "each test has its own",
        given(text = "abc"),
        check_eq(calls, 0)
    );
    (is_colour, calls)
}
