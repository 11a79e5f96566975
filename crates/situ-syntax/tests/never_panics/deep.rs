//! Nesting far deeper than anyone writes. An overflown stack ends the process, so each case has one of its own.

use std::process::Command;
use std::thread;

use proc_macro2::TokenStream;

use crate::verdict::{Verdict, expand, judge};

const DEPTH: usize = 3_000;

/// The stack that the compiler gives to the thread on which macros run.
const COMPILER_STACK: usize = 8 << 20;

/// Names the case that a child process is to try.
const CASE: &str = "SITU_DEEP_CASE";

/// Each case is a statement: what opens a level, what is innermost, what closes a level.
const CASES: &[(&str, &str, &str, &str)] = &[
    ("parentheses", "(", "x", ")"),
    ("blocks", "{", "x", "}"),
    ("ifs", "if x > 0 {", "x", "} else { 0 }"),
    ("else ifs", "if x > 0 { 1 } else ", "{ x }", ""),
    ("a binary chain", "x + ", "x", ""),
    ("unary operators", "-", "x", ""),
    ("calls", "f(", "x", ")"),
    ("a method chain", "", "x", ".m()"),
    ("closures", "|| ", "x", ""),
    ("arrays", "[", "x", "]"),
    ("macro arguments", "m!(", "x", ")"),
    ("matches", "match x { _ => ", "x", "}"),
];

#[test]
fn deep_nesting_is_expanded_or_refused_and_never_overflows_the_stack() {
    let this = std::env::current_exe().expect("a test knows its own program");
    let mut overflown = Vec::new();
    for (name, ..) in CASES {
        let mut child = Command::new(&this);
        child.args(["--exact", "deep::one_case_in_a_process_of_its_own", "--ignored"]).env(CASE, name);
        let output = child.output().expect("the test's own program starts");
        if !output.status.success() {
            overflown.push(*name);
        }
    }
    assert!(overflown.is_empty(), "{DEPTH} levels are too many for: {overflown:?}");
}

#[test]
fn long_code_is_not_deep_code() {
    let statements = "if words.len() > 3 { y += x * 2 - 1; }".repeat(1_000);
    let markup = "<p> a </p> ".repeat(1_000);
    let function = format!(
        "fn f(x: i64, words: &[u8]) -> i64 {{ let mut y = x; itest!(given(x = 1), check_eq(y, 1)); {statements} html! {{ {markup} }}; y }}"
    );
    let item = syn::parse_str(&function).expect("it is a function");
    assert_eq!(judge(TokenStream::new(), &item), Ok(Verdict::Expanded));
}

#[test]
#[ignore = "run by the test above, which says which case"]
fn one_case_in_a_process_of_its_own() {
    let name = std::env::var(CASE).unwrap_or_else(|_| CASES[0].0.to_string());
    let (_, open, inner, close) = CASES.iter().find(|case| case.0 == name).expect("a case of this name");
    let (open, close) = (open.repeat(DEPTH), close.repeat(DEPTH));
    let function =
        format!("fn f(x: i64) -> i64 {{ let y = {open}{inner}{close}; itest!(given(x = 1), check_eq(y, 1)); y }}");
    let run = move || {
        let item = function.parse().expect("nested as it is, it is tokens");
        expand(TokenStream::new(), item).expect("no panic").to_string()
    };
    let thread = thread::Builder::new().stack_size(COMPILER_STACK).spawn(run).expect("a thread can be started");
    thread.join().expect("no panic");
}
