//! Tests as a reader sees them.

use super::*;
use crate::generate::extract::table::rows::groups;
use crate::generate::extract::table::test_text::{Wording, text as shown_text};

#[track_caller]
fn check(candidates: &[Candidate], wording: Wording, expected: &str) {
    let scene = Scene::new();
    let group = groups(StatementIdx::new(0), candidates, &scene.writing(), &mut 0).remove(0);
    let all: Vec<&Candidate> = candidates.iter().collect();
    let text = shown_text(&all, &group, wording, None, &scene.writing());
    assert_eq!(text.as_deref(), Some(expected));
}

#[test]
fn one_candidate_is_a_plain_test() {
    let one = candidate(
        vec![("line", text("a=b")), ("declared", int(1))],
        vec![place("name", text("a"))],
    );
    check(
        &[one],
        Wording::Short,
        "itest!(given(line = \"a=b\", declared = 1), check_eq(name, \"a\"));",
    );
    let nothing_given = candidate(vec![], vec![place("mask", int(7))]);
    check(
        std::slice::from_ref(&nothing_given),
        Wording::Short,
        "itest!(check_eq(mask, 7));",
    );
    check(
        &[nothing_given],
        Wording::Typed,
        "itest!(check_eq(mask, 7u8));",
    );
}

#[test]
fn several_are_one_test_with_each_for_what_differs() {
    let of = |line: &str, name: &str| {
        candidate(
            vec![("line", text(line)), ("mark", Value::Char('='))],
            vec![place("name", text(name))],
        )
    };
    let both = [of("a=b", "a"), of("cc=d", "cc")];
    let expected = "itest!(each((line, expected), [(\"a=b\", \"a\"), (\"cc=d\", \"cc\")]), given(mark = '='), \
                    check_eq(name, expected));";
    check(&both, Wording::Short, expected);
    let same = [of("a=b", "a"), of("a=c", "a")];
    let expected =
        "itest!(each(line, [\"a=b\", \"a=c\"]), given(mark = '='), check_eq(name, \"a\"));";
    check(&same, Wording::Short, expected);
}

#[test]
fn places_that_are_no_variables_are_given_by_one() {
    let of = |size: u8, end: u8| {
        let givens = vec![("self.size", int(size)), ("items[0]", int(size))];
        candidate(
            givens,
            vec![place("self.size", int(end)), place("end", int(end))],
        )
    };
    let expected = "itest!(each((size, items_0, expected_size, expected_end), [(1u8, 1u8, 2, 2), (3u8, 3u8, 4, 4)]), \
                    given(self.size = size, items[0] = items_0), check_eq(self.size, expected_size), \
                    check_eq(end, expected_end));";
    check(&[of(1, 2), of(3, 4)], Wording::Short, expected);
    let receiver =
        |text: &str| candidate(vec![("self", string(text))], vec![Claim::Condition(true)]);
    let expected = "itest!(each(subject, [String::from(\"a\"), String::from(\"b\")]), given(self = subject), \
                    check_true(cond()));";
    check(&[receiver("a"), receiver("b")], Wording::Short, expected);
}

#[test]
fn operands_that_differ_have_columns_of_their_own() {
    let of = |first: bool, whole: bool| {
        candidate(
            vec![("a", Value::Bool(first))],
            vec![Claim::Condition(whole), Claim::Operand(1, first)],
        )
    };
    let expected = "itest!(each((a, expected, operand_1), [(true, false, true), (false, true, false)]), \
                    check_eq(cond(), expected), check_eq(cond(1), operand_1));";
    check(
        &[of(true, false), of(false, true)],
        Wording::Short,
        expected,
    );
}

#[test]
fn what_says_the_type_of_its_place_says_that_of_the_value_too_where_it_must() {
    let scene = Scene::new();
    let listed = Value::Seq {
        kind: SeqKind::Vec,
        type_name: "alloc::vec::Vec<u8>".to_owned(),
        items: vec![int(7)],
    };
    let one = candidate(vec![], vec![place("all", listed)]);
    let mut group = groups(
        StatementIdx::new(0),
        std::slice::from_ref(&one),
        &scene.writing(),
        &mut 0,
    )
    .remove(0);
    group.say_types();
    let of =
        |wording: Wording| shown_text(&[&one], &group, wording, None, &scene.writing()).unwrap();
    assert_eq!(
        of(Wording::Short),
        "itest!(check_eq(&all as &Vec<u8>, &vec![7]));"
    );
    assert_eq!(
        of(Wording::Typed),
        "itest!(check_eq(&all as &Vec<u8>, &vec![7u8]));"
    );
}

#[test]
fn a_name_comes_first() {
    let scene = Scene::new();
    let one = candidate(vec![], vec![place("mask", int(7))]);
    let group = groups(
        StatementIdx::new(0),
        std::slice::from_ref(&one),
        &scene.writing(),
        &mut 0,
    )
    .remove(0);
    let named = shown_text(
        &[&one],
        &group,
        Wording::Short,
        Some("a name"),
        &scene.writing(),
    );
    assert_eq!(
        named.as_deref(),
        Some("itest!(\"a name\", check_eq(mask, 7));")
    );
    assert_eq!(
        shown_text(&[], &group, Wording::Short, None, &scene.writing()),
        None
    );
}
