//! Placing tests.

use super::{check, check_body, read, refuses};
use crate::edit::{Formatting, Proposal, compose};
use cargo_metadata::Edition;

#[test]
fn a_test_stands_right_after_its_statement_and_behind_other_tests_of_it() {
    check_body(
        "    let a = 1;⟨A itest!(check(a));⟩\n    b();\n",
        "    let a = 1;\n    itest!(check(a));\n    b();\n",
    );
    check_body(
        "    let a = 1;⟨A itest!(check(a));⟩ // the first\n    // of b\n    b();\n",
        "    let a = 1; // the first\n    itest!(check(a));\n    // of b\n    b();\n",
    );
    check_body(
        "    let a = 1;⟨A itest!(check(a));⟩\n    // why\n    itest!(check(x));\n    blocktest!(check_runs());\n    b();\n",
        "    let a = 1;\n    // why\n    itest!(check(x));\n    itest!(check(a));\n    blocktest!(check_runs());\n    b();\n",
    );
    check_body(
        "    if x {\n        y();\n    }⟨A itest!(check(a));⟩\n",
        "    if x {\n        y();\n    }\n    itest!(check(a));\n",
    );
}

#[test]
fn a_test_stands_first_in_a_body() {
    check_body(
        "    if x {⟨S itest!(check(cond()));⟩\n        y();\n    }\n",
        "    if x {\n        itest!(check(cond()));\n        y();\n    }\n",
    );
    check_body(
        "    if x { // why\n        itest!(check(!cond()));\n        y();\n    }\n"
            .replace("x {", "x {⟨S itest!(check(cond()));⟩")
            .as_str(),
        "    if x { // why\n        itest!(check(!cond()));\n        itest!(check(cond()));\n        y();\n    }\n",
    );
    check_body(
        "    while x {⟨S itest!(check(cond()));⟩\n    }\n",
        "    while x {\n        itest!(check(cond()));\n    }\n",
    );
    check_body(
        "    {⟨S itest!(check(a));⟩\n        #![allow(x)]\n        y();\n    }\n",
        "    {\n        #![allow(x)]\n        itest!(check(a));\n        y();\n    }\n",
    );
}

#[test]
fn a_test_stands_before_a_statement_with_its_attributes_and_comments() {
    check_body(
        "    a();\n\n    // one\n    /* two */\n    #[cfg(x)]\n    ⟨B blocktest!(check_runs());⟩b();\n",
        "    a();\n\n    blocktest!(check_runs());\n    // one\n    /* two */\n    #[cfg(x)]\n    b();\n",
    );
    check_body(
        "    a();\n    blocktest!(check(a));\n    ⟨B blocktest!(check_runs());⟩b()\n",
        "    a();\n    blocktest!(check(a));\n    blocktest!(check_runs());\n    b()\n",
    );
    check_body(
        "    ⟨B blocktest!(check_runs());⟩/// said\n    let a = 1;\n",
        "    blocktest!(check_runs());\n    /// said\n    let a = 1;\n",
    );
}

#[test]
fn tests_of_the_statement_above_come_before_those_of_the_one_below() {
    check_body(
        "    a();⟨A itest!(check(a));⟩\n    ⟨B blocktest!(check(b));⟩b();⟨A itest!(check(c));⟩\n",
        "    a();\n    itest!(check(a));\n    blocktest!(check(b));\n    b();\n    itest!(check(c));\n",
    );
    let (text, mut proposals) = read(
        "#[situ] fn f() {\n    a();⟨A itest!(check(a));⟩\n    ⟨B blocktest!(check(b));⟩b();\n}",
    );
    proposals.reverse();
    let all: Vec<&Proposal> = proposals.iter().collect();
    let composed = compose(&text, &all, &Formatting::plain(Edition::E2021)).unwrap();
    assert!(
        composed.contains("    a();\n    itest!(check(a));\n    blocktest!(check(b));\n    b();\n"),
        "{composed}"
    );
    let twice = "    ⟨B blocktest!(check(b));⟩⟨B blocktest!(check(a));⟩b();\n";
    check_body(
        twice,
        "    blocktest!(check(b));\n    blocktest!(check(a));\n    b();\n",
    );
}

#[test]
fn a_body_on_one_line_stays_on_it() {
    check_body(
        "    if x {⟨S itest!(check(cond()));⟩ y() }\n",
        "    if x { itest!(check(cond())); y() }\n",
    );
    check_body(
        "    if x {⟨S itest!(check(cond()));⟩y()}\n",
        "    if x { itest!(check(cond())); y()}\n",
    );
    check_body(
        "    if x {⟨S itest!(check(cond()));⟩}\n",
        "    if x { itest!(check(cond())); }\n",
    );
    check_body(
        "    if x {⟨S itest!(check(cond()));⟩ }\n",
        "    if x { itest!(check(cond())); }\n",
    );
    check_body(
        "    a();⟨A itest!(check(a));⟩ b();\n",
        "    a(); itest!(check(a)); b();\n",
    );
    check_body(
        "    if x { a();⟨A itest!(check(a));⟩}\n",
        "    if x { a(); itest!(check(a)); }\n",
    );
    check_body(
        "    a(); ⟨B blocktest!(check(b));⟩b();\n",
        "    a(); blocktest!(check(b)); b();\n",
    );
    check_body(
        "    a(); ⟨B blocktest!(check(b));⟩/* of b */ b();\n"
            .replace(
                "⟨B blocktest!(check(b));⟩/* of b */ ",
                "/* of b */ ⟨B blocktest!(check(b));⟩",
            )
            .as_str(),
        "    a(); blocktest!(check(b)); /* of b */ b();\n",
    );
}

#[test]
fn a_test_of_several_lines_opens_the_body_there() {
    check_body(
        "    if x { y() } else {⟨S itest!(\n    check(a)\n);⟩ z() }\n",
        "    if x { y() } else {\n        itest!(\n            check(a)\n        );\n        z()\n    }\n",
    );
    check_body(
        "    if x { y();⟨A itest!(\n    check(a)\n);⟩ }\n",
        "    if x {\n        y();\n        itest!(\n            check(a)\n        );\n    }\n",
    );
    check_body(
        "    if x { y();⟨A itest!(\n    check(a)\n);⟩ ⟨B blocktest!(\n    check(b)\n);⟩z();⟨A itest!(check(z));⟩ } // why\n",
        "    if x {\n        y();\n        itest!(\n            check(a)\n        );\n        blocktest!(\n            check(b)\n        );\n        \
         z(); itest!(check(z));\n    } // why\n",
    );
    check_body(
        "    if x {y();⟨A itest!(\n    check(a)\n);⟩z();⟨A itest!(check(z));⟩}\n",
        "    if x {\n        y();\n        itest!(\n            check(a)\n        );\n        z(); itest!(check(z));\n    }\n",
    );
    check_body(
        "    a(); ⟨B blocktest!(\n    check(b)\n);⟩b(); c();\n",
        "    a();\n    blocktest!(\n        check(b)\n    );\n    b(); c();\n",
    );
    check_body(
        "    match x { 1 => ⟨B itest!(\n    check(a)\n);⟩y(), _ => z() }\n",
        "    match x { 1 => {\n        itest!(\n            check(a)\n        );\n        y()\n    }, _ => z() }\n",
    );
    check_body(
        "    let sign = if number < 0 {⟨S itest!(given(number = -1), check_true(cond()));⟩ \"the number is negative\" } else { \"\" };\n",
        "    let sign = if number < 0 {\n        itest!(given(number = -1), check_true(cond()));\n        \"the number is negative\"\n    } else { \"\" };\n",
    );
}

#[test]
fn a_statement_without_semicolon_gets_one_when_a_test_follows() {
    check_body(
        "    if x { y = 1⟨A itest!(check(y));⟩ }\n",
        "    if x { y = 1; itest!(check(y)); }\n",
    );
    check_body(
        "    return 1⟨A itest!(check_return(1));⟩\n",
        "    return 1;\n    itest!(check_return(1));\n",
    );
    check_body(
        "    loop {}⟨A itest!(check(a));⟩\n",
        "    loop {}\n    itest!(check(a));\n",
    );
}

#[test]
fn a_body_without_braces_gets_them() {
    check_body(
        "    match x { 1 => ⟨B itest!(check_eq(scrutinee(), 1));⟩y(), _ => z() }\n",
        "    match x { 1 => { itest!(check_eq(scrutinee(), 1)); y() }, _ => z() }\n",
    );
    check_body(
        "    v.map(|x| ⟨B blocktest!(check_return(1));⟩x + 1);\n",
        "    v.map(|x| { blocktest!(check_return(1)); x + 1 });\n",
    );
}

#[test]
fn a_literal_of_several_lines_keeps_its_text() {
    check_body(
        "    let a = 1;⟨A itest!(check_eq(a, \"x\n  y\"),\n    check(a));⟩\n",
        "    let a = 1;\n    itest!(check_eq(a, \"x\n  y\"),\n        check(a));\n",
    );
}

#[test]
fn long_tests_are_broken_at_their_clauses() {
    let long = "itest!(given(one = \"a long text of some thirty letters\"), check_eq(another, \"a text of some thirty letters, too\"));";
    check_body(
        &format!("    let a = 1;⟨A {long}⟩\n"),
        "    let a = 1;\n    itest!(\n        given(one = \"a long text of some thirty letters\"),\n        check_eq(another, \"a text of some thirty letters, too\")\n    );\n",
    );
}

#[test]
fn what_stands_there_already_is_not_added_again() {
    check_body(
        "    let a = 1;⟨A itest!(check(a));⟩\n    itest!(\n        \"named\",\n        check(a)\n    );\n",
        "    let a = 1;\n    itest!(\n        \"named\",\n        check(a)\n    );\n",
    );
    check_body(
        "    a();⟨A itest!(check(a));⟩⟨A itest!(check( a ));⟩\n",
        "    a();\n    itest!(check(a));\n",
    );
}

#[test]
fn indentation_and_line_endings_are_those_of_the_file() {
    check_body(
        "\tif x {\n\t\ta();⟨A itest!(\n    check(a)\n);⟩\n\t}\n",
        "\tif x {\n\t\ta();\n\t\titest!(\n\t\t\tcheck(a)\n\t\t);\n\t}\n",
    );
    check(
        "fn f() {\r\n  a();⟨A itest!(check(a));⟩\n  b();\r\n}",
        "use situ::prelude::*;\r\n\r\n#[situ]\r\nfn f() {\r\n  a();\n  itest!(check(a));\r\n  b();\r\n}",
    );
    check(
        "\u{feff}fn f() { a();⟨A itest!(check(a));⟩ }",
        "\u{feff}use situ::prelude::*;\n\n#[situ]\nfn f() { a(); itest!(check(a)); }",
    );
}

#[test]
fn no_test_goes_where_it_would_never_run() {
    refuses("#[cfg(test)]\nmod tests { fn f() { a();⟨A itest!(check(a));⟩ } }");
    refuses("#[test]\nfn f() { a();⟨A itest!(check(a));⟩ }");
    refuses("fn f() { impl X { fn g() { a();⟨A itest!(check(a));⟩ } } }");
    refuses("const X: u8 = { a();⟨A itest!(check(a));⟩ 1 };");
    refuses("fn f() { m!(a();⟨A itest!(check(a));⟩) }");
    refuses("fn f() { a(⟨A itest!(check(a));⟩); }");
}
