//! Candidates as clauses.

use super::*;
use crate::generate::extract::candidate::clauses::{Comparison, generic_givens};
use crate::values::Style;

#[track_caller]
fn check(claim: &Claim, comparison: Comparison, expected: &[&str]) {
    let scene = Scene::new();
    assert_eq!(
        scene
            .writing()
            .oracles(claim, comparison)
            .unwrap_or_default(),
        expected
    );
}

#[test]
fn plain_values_have_oracles_of_their_own() {
    check(
        &place("a", Value::Bool(true)),
        Comparison::Equal,
        &["check_true(a)"],
    );
    check(
        &Claim::Condition(false),
        Comparison::Equal,
        &["check_false(cond())"],
    );
    check(
        &Claim::Operand(2, true),
        Comparison::Equal,
        &["check_true(cond(2))"],
    );
    let none = structure(
        "core::option::Option<u8>",
        Some("None"),
        Shape::Unit,
        vec![],
    );
    check(&place("a", none), Comparison::Equal, &["check_none(a)"]);
    check(
        &place("a", list(vec![])),
        Comparison::Equal,
        &["check(a.is_empty())"],
    );
    check(
        &place("a", string("x")),
        Comparison::Equal,
        &["check_eq(a, \"x\")"],
    );
    check(
        &place("a", list(vec![string("x")])),
        Comparison::Equal,
        &["check_eq(a, vec![\"x\"])"],
    );
    check(&place("a", int(3)), Comparison::Equal, &["check_eq(a, 3)"]);
    check(
        &place("a", int(3)),
        Comparison::EqualTyped,
        &["check_eq(a, 3u8)"],
    );
    check(&place("a", int(3)), Comparison::No, &[]);
}

#[test]
fn each_way_to_leave_has_its_oracle() {
    check(
        &Claim::Returns(int(3)),
        Comparison::Equal,
        &["check_return(3)"],
    );
    check(
        &Claim::BlockValue(int(3)),
        Comparison::Equal,
        &["check_value(3)"],
    );
    check(
        &Claim::Breaks(String::new()),
        Comparison::Equal,
        &["check_break()"],
    );
    check(
        &Claim::Continues("outer".to_owned()),
        Comparison::Equal,
        &["check_continue(\"outer\")"],
    );
    check(
        &Claim::Panics(String::new()),
        Comparison::Equal,
        &["check_panic()"],
    );
    check(
        &Claim::Panics("no \"x\"".to_owned()),
        Comparison::Equal,
        &["check_panic(\"no \\\"x\\\"\")"],
    );
}

#[test]
fn what_stands_behind_a_mutable_reference_is_compared_itself() {
    let changed = Value::Ref {
        mutable: true,
        inner: Box::new(list(vec![int(1)])),
    };
    check(
        &place("out", changed),
        Comparison::Equal,
        &["check_eq(*out, vec![1])"],
    );
}

#[test]
fn values_without_equality_are_compared_by_their_parts() {
    let point = structure(
        "mine::Point",
        None,
        Shape::Named,
        vec![("x", int(1)), ("y", int(2))],
    );
    check(
        &place("p", point),
        Comparison::Parts,
        &["check_eq(p.x, 1)", "check_eq(p.y, 2)"],
    );
    let lines = structure(
        "mine::Lines",
        None,
        Shape::Tuple,
        vec![("0", list(vec![int(7), int(8)]))],
    );
    check(
        &place("l", lines),
        Comparison::Parts,
        &["check_eq(l.0, vec![7, 8])"],
    );
    let inner = structure("mine::Point", None, Shape::Named, vec![("x", int(1))]);
    let points = structure(
        "mine::Points",
        None,
        Shape::Tuple,
        vec![("0", list(vec![inner]))],
    );
    check(
        &place("p", points),
        Comparison::Parts,
        &["check_eq(p.0.len(), 1)"],
    );
    let fields = vec![("key", string("k")), ("size", int(3))];
    let entry = structure("mine::Line", Some("Entry"), Shape::Named, fields);
    let expected = ["check_matches(&line, crate::Line::Entry { key, size: 3 } if key == \"k\")"];
    check(&place("line", entry), Comparison::Parts, &expected);
    check(&place("n", int(1)), Comparison::Parts, &[]);
}

#[test]
fn comparisons_become_weaker_until_nothing_is_compared() {
    let weaker = |claim: &Claim| {
        let mut steps = vec![Comparison::Equal];
        while steps.last() != Some(&Comparison::No) {
            steps.push(steps[steps.len() - 1].weaker(claim));
        }
        steps
    };
    let iterator = Value::Built {
        type_name: "core::str::iter::Chars".to_owned(),
        head: String::new(),
        args: vec![text("ab")],
        tail: ".chars()".to_owned(),
    };
    let (equal, typed) = (Comparison::Equal, Comparison::EqualTyped);
    assert_eq!(
        weaker(&place("a", int(1))),
        [equal, typed, Comparison::Parts, Comparison::No]
    );
    assert_eq!(
        weaker(&place("a", iterator.clone())),
        [equal, typed, Comparison::Elements, Comparison::No]
    );
    check(
        &place("a", iterator),
        Comparison::Elements,
        &["check(a.clone().eq(\"ab\".chars()))"],
    );
}

#[test]
fn givens_say_their_types_unless_their_place_does() {
    let scene = Scene::new();
    let short = Style {
        typed_by_place: true,
        ..Style::default()
    };
    let given = |name: &str, value: Value| scene.writing().given(name, &value, short).unwrap();
    assert_eq!(given("declared", int(1)), "1");
    assert_eq!(given("of_any_type", int(1)), "1u8");
    assert_eq!(given("local", int(1)), "1u8");
    assert_eq!(given("local", string("")), "String::new()");
    assert_eq!(
        given("self", reference(string("a"))),
        "String::from(\"a\")",
        "a receiver is borrowed by the test"
    );
    assert_eq!(
        given("self", text("a")),
        "\"a\"",
        "one without a size is given by a reference"
    );
}

#[test]
fn generic_parameters_are_said_where_the_test_must_say_them() {
    let mut one = candidate(vec![], vec![]);
    let named = |name: &str| Value::Str(name.to_owned());
    one.generics = vec![
        ("T".to_owned(), named("u8")),
        ("U".to_owned(), named("u16")),
        ("N".to_owned(), int(3)),
    ];
    let scene = Scene::new();
    let said = |needed: &[&str]| {
        let needed: Vec<String> = needed.iter().map(|name| (*name).to_owned()).collect();
        generic_givens(&needed, &one, &scene.writing())
    };
    assert_eq!(
        said(&["T", "N"]).unwrap(),
        [
            ("T".to_owned(), "u8".to_owned()),
            ("N".to_owned(), "3".to_owned())
        ]
    );
    assert_eq!(
        said(&["T", "V"]),
        None,
        "a test without one of them does not compile"
    );
}
