//! Nesting far deeper than anyone writes. An overflown stack ends the process, so each case has one of its own.

use std::process::Command;
use std::thread;

use proc_macro2::TokenStream;
use situ_syntax::{Purpose, theory};

use crate::verdict::{Verdict, expand, judge};

/// How many levels: around the limits, where code is still expanded, and far beyond them.
const DEPTHS: [usize; 6] = [100, 190, 290, 390, 1_190, 3_000];

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
    ("matches of matches", "match ", "x", " { _ => x }"),
    (
        "ifs in conditions",
        "if ",
        "true",
        " { true } else { false }",
    ),
    ("assignments", "x = ", "x", ""),
    ("compound assignments", "x <<= ", "x", ""),
    ("returns", "return ", "x", ""),
    ("closures with parameters", "|x| ", "x", ""),
    ("references", "&", "x", ""),
    ("question marks", "", "x", "?"),
    ("comparisons", "x == 1 || ", "true", ""),
    (
        "a chain in a group in macro arguments",
        "",
        "m!((LEVELS-x))",
        "LEVEL-",
    ),
    (
        "operators in a test",
        "",
        "x; itest!(given(x = LEVELSx), check_eq(y, 1))",
        "LEVEL-",
    ),
    (
        "groups in a test",
        "",
        "x; itest!(given(x = LEVELS1), check_eq(y, 1))",
        "LEVEL{1}+",
    ),
];

/// Theories and what belongs to them, each with an expression in it.
const ITEMS: &[(&str, &str)] = &[
    ("theory", "fn holds(x: i64) { assert!(EXPRESSION > x); }"),
    ("datapoint", "const POINT: i64 = EXPRESSION;"),
    (
        "datapoints",
        "fn points() -> Vec<i64> { vec![1, EXPRESSION] }",
    ),
    ("stub", "trait T { fn f(&self) -> i64 { EXPRESSION } }"),
    ("stub_for", "trait T { fn f(&self) -> i64 { EXPRESSION } }"),
    ("derive", "enum E { A = EXPRESSION }"),
    ("property", "fn holds(x: i64) -> bool { EXPRESSION > x }"),
    ("proptests", "fn holds(x in EXPRESSION) {}"),
    ("assume", "EXPRESSION > x"),
];

#[test]
fn deep_nesting_is_expanded_or_refused_and_never_overflows_the_stack() {
    assert_each_survives(
        "one_case_in_a_process_of_its_own",
        CASES.iter().map(|case| case.0),
    );
}

#[test]
fn deep_theories_are_expanded_or_refused_and_never_overflow_the_stack() {
    assert_each_survives(
        "one_item_in_a_process_of_its_own",
        ITEMS.iter().map(|item| item.0),
    );
}

/// Runs an ignored test of this file once for each name, in a process of its own.
fn assert_each_survives<'a>(test: &str, names: impl Iterator<Item = &'a str>) {
    let this = std::env::current_exe().expect("a test knows its own program");
    let mut overflown = Vec::new();
    for name in names {
        let mut child = Command::new(&this);
        child
            .args(["--exact", &format!("deep::{test}"), "--ignored"])
            .env(CASE, name);
        let output = child.output().expect("the test's own program starts");
        if !output.status.success() {
            overflown.push(name);
        }
    }
    assert!(overflown.is_empty(), "too deep for: {overflown:?}");
}

#[test]
fn long_code_is_not_deep_code() {
    let arms = "-1 => { y += 1 } &2 => { y += 1 } ".repeat(500);
    let statements = "if words.len() > 3 { y += x * 2 - 1; }".repeat(1_000);
    let choice = format!("match x {{ {arms} _ => {{}} }}");
    let class = format!("let is_vowel = {}x == 1;", "x <= 1 || ".repeat(500));
    let statements = format!("{statements} {choice} {class}");
    let markup = "<p> a </p> ".repeat(1_000);
    let function = format!(
        "fn f(x: i64, words: &[u8]) -> i64 {{ let mut y = x; itest!(given(x = 1), check_eq(y, 1)); {statements} html! {{ {markup} }}; y }}"
    );
    let item = syn::parse_str(&function).expect("it is a function");
    assert_eq!(judge(TokenStream::new(), &item), Ok(Verdict::Expanded));
}

#[test]
#[ignore = "run by a test above, which says which case"]
fn one_case_in_a_process_of_its_own() {
    let name = std::env::var(CASE).unwrap_or_else(|_| CASES[0].0.to_string());
    let (_, open, inner, close) = CASES
        .iter()
        .find(|case| case.0 == name)
        .expect("a case of this name");
    for depth in DEPTHS {
        let expression = match close.strip_prefix("LEVEL") {
            Some(level) => inner.replace("LEVELS", &level.repeat(depth)),
            None => format!("{}{inner}{}", open.repeat(depth), close.repeat(depth)),
        };
        let function = format!(
            "fn f(x: i64) -> i64 {{ let y = {expression}; itest!(given(x = 1), check_eq(y, 1)); y }}"
        );
        on_the_compilers_stack(move || {
            expand(TokenStream::new(), tokens(&function)).expect("no panic")
        });
    }
}

#[test]
#[ignore = "run by a test above, which says which item"]
fn one_item_in_a_process_of_its_own() {
    let name = std::env::var(CASE).unwrap_or_else(|_| ITEMS[0].0.to_string());
    let (_, item) = ITEMS
        .iter()
        .find(|item| item.0 == name)
        .expect("an item of this name");
    for (depth, (open, close)) in DEPTHS
        .into_iter()
        .flat_map(|depth| [(depth, ("(", ")")), (depth, ("-", ""))])
    {
        let item = item.replace(
            "EXPRESSION",
            &format!("{}1{}", open.repeat(depth), close.repeat(depth)),
        );
        let name = name.clone();
        on_the_compilers_stack(move || {
            let (none, item, purpose) = (
                TokenStream::new(),
                tokens(&item),
                Purpose::Explore { has_answers: false },
            );
            match name.as_str() {
                "theory" => theory::expand_theory(none, item, purpose),
                "datapoint" => theory::expand_datapoint(none, item),
                "datapoints" => theory::expand_datapoints(none, item),
                "stub" => theory::expand_stub(none, item, purpose),
                "stub_for" => theory::expand_stub_for(item, purpose),
                "derive" => theory::expand_derive_data_points(item),
                "property" => theory::expand_property(none, item, purpose),
                "proptests" => theory::expand_proptests(item, purpose),
                _ => theory::expand_assume(item),
            }
        });
    }
}

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("nested as it is, it is tokens")
}

fn on_the_compilers_stack(expand: impl FnOnce() -> TokenStream + Send + 'static) {
    let run = move || expand().to_string();
    let thread = thread::Builder::new()
        .stack_size(COMPILER_STACK)
        .spawn(run)
        .expect("a thread can be started");
    thread.join().expect("no panic");
}
