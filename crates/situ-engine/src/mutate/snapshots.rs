//! Small functions with all their mutants.

use super::diff::unified;
use super::sites::mutants_of;
use crate::source::SourceFile;
use expect_test::{Expect, expect};

/// Compares the mutants of a file with the expected ones: the operator's name and the diff without
/// its header.
#[track_caller]
fn check(source: &str, expected: Expect) {
    let file = mutants_of(&SourceFile::root(source), "src/lib.rs".into(), 1, &[]);
    let own = file.mutants.iter().filter(|mutant| !mutant.is_copy);
    let shown = own.map(|mutant| {
        let diff = unified(&file, mutant, source);
        let lines = diff.lines().filter(|line| {
            !["---", "+++", "@@ "]
                .iter()
                .any(|head| line.starts_with(head))
        });
        let lines: Vec<&str> = lines.collect();
        let under = mutant
            .conditions
            .iter()
            .map(|condition| format!(" under {condition}"))
            .collect::<String>();
        format!("{}{under}\n{}\n", mutant.operator, lines.join("\n"))
    });
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn an_expression_has_those_of_each_operator_in_it() {
    check(
        "fn f(a: u8, b: u8) -> bool {\n    a + 1 < b\n}\n",
        expect![[r#"
        body
        -    a + 1 < b
        +    true
        body
        -    a + 1 < b
        +    false
        comparison
        -    a + 1 < b
        +    (a + 1) == b
        comparison
        -    a + 1 < b
        +    (a + 1) > b
        comparison
        -    a + 1 < b
        +    (a + 1) <= b
        arithmetic
        -    a + 1 < b
        +    a - 1 < b
        arithmetic
        -    a + 1 < b
        +    a * 1 < b
        literal
        -    a + 1 < b
        +    a + 2 < b
        literal
        -    a + 1 < b
        +    a + 0 < b
    "#]],
    );
}

#[test]
fn a_condition_is_decided_and_its_operands_are_changed() {
    check(
        "fn f(a: bool, b: bool) {\n    if a && !b {\n        g();\n    }\n}\n",
        expect![[r#"
        body
        -    if a && !b {
        -        g();
        -    }
        condition
        -    if a && !b {
        +    if true {
        condition
        -    if a && !b {
        +    if false {
        condition
        -    if a && !b {
        +    if !(a && !b) {
        logical
        -    if a && !b {
        +    if a || !b {
        logical
        -    if a && !b {
        +    if a {
        logical
        -    if a && !b {
        +    if !b {
        unary
        -    if a && !b {
        +    if a && b {
        removal
        -        g();
    "#]],
    );
}

#[test]
fn statements_are_left_out_and_ways_out_are_put_in() {
    check(
        "fn f(v: &mut Vec<u8>) {\n    v.push(1);\n    v.sort();\n}\n",
        expect![[r#"
        body
        -    v.push(1);
        -    v.sort();
        removal
        -    v.push(1);
        literal
        -    v.push(1);
        +    v.push(2);
        literal
        -    v.push(1);
        +    v.push(0);
        exits
        -    v.sort();
        +    return;
        +    v.sort();
        removal
        -    v.sort();
    "#]],
    );
}

#[test]
fn the_arms_and_guards_of_a_match_are_passed_over() {
    check(
        "fn f(a: u8) -> &'static str {\n    match a {\n        0 => \"a\",\n        n if n > 3 => \"b\",\n        _ => \"c\",\n    }\n}\n",
        expect![[r#"
            body
            -    match a {
            -        0 => "a",
            -        n if n > 3 => "b",
            -        _ => "c",
            -    }
            +    ""
            body
            -    match a {
            -        0 => "a",
            -        n if n > 3 => "b",
            -        _ => "c",
            -    }
            +    "xyzzy"
            literal
            -        0 => "a",
            +        1 => "a",
            match_arm
            -        0 => "a",
            literal
            -        0 => "a",
            +        0 => "",
            match_arm
            -        n if n > 3 => "b",
            guard
            -        n if n > 3 => "b",
            +        n if true => "b",
            guard
            -        n if n > 3 => "b",
            +        n if false => "b",
            comparison
            -        n if n > 3 => "b",
            +        n if n == 3 => "b",
            comparison
            -        n if n > 3 => "b",
            +        n if n < 3 => "b",
            comparison
            -        n if n > 3 => "b",
            +        n if n >= 3 => "b",
            literal
            -        n if n > 3 => "b",
            +        n if n > 4 => "b",
            literal
            -        n if n > 3 => "b",
            +        n if n > 2 => "b",
            literal
            -        n if n > 3 => "b",
            +        n if n > 3 => "",
            literal
            -        _ => "c",
            +        _ => "",
        "#]],
    );
}

#[test]
fn the_ends_of_a_range_move() {
    check(
        "fn f(n: usize) {\n    for i in 0..n {\n        g(i);\n    }\n}\n",
        expect![[r#"
        body
        -    for i in 0..n {
        -        g(i);
        -    }
        literal
        -    for i in 0..n {
        +    for i in 1..n {
        range_end
        -    for i in 0..n {
        +    for i in 0..n + 1 {
        range_end
        -    for i in 0..n {
        +    for i in 0..n - 1 {
        removal
        -        g(i);
    "#]],
    );
}

#[test]
fn a_statement_with_a_question_mark_is_changed_inside() {
    check(
        "fn f(s: &str) -> Option<usize> {\n    let at = s.find('a')?;\n    Some(at)\n}\n",
        expect![[r#"
        body
        -    let at = s.find('a')?;
        -    Some(at)
        +    None
        body
        -    let at = s.find('a')?;
        -    Some(at)
        +    Some(0)
        body
        -    let at = s.find('a')?;
        -    Some(at)
        +    Some(1)
        method
        -    let at = s.find('a')?;
        +    let at = s.rfind('a')?;
        literal
        -    let at = s.find('a')?;
        +    let at = s.find('b')?;
        exits
        -    Some(at)
        +    return None;
        +    Some(at)
        option
        -    Some(at)
        +    None
    "#]],
    );
}

#[test]
fn a_body_becomes_values_of_its_type() {
    check(
        "fn f(s: &str) -> Result<Vec<u8>, String> {\n    g(s)\n}\n",
        expect![[r#"
        body
        -    g(s)
        +    Ok(vec![])
        body
        -    g(s)
        +    Ok(vec![0])
        body
        -    g(s)
        +    Ok(vec![1])
    "#]],
    );
}

#[test]
fn what_stands_under_a_condition_keeps_it() {
    check(
        "fn f(mut n: u8) -> u8 {\n    #[cfg(unix)]\n    g(n);\n    #[cfg(unix)]\n    n += 1;\n    n\n}\n",
        expect![[r#"
            body
            -    #[cfg(unix)]
            -    g(n);
            -    #[cfg(unix)]
            -    n += 1;
            -    n
            +    0
            body
            -    #[cfg(unix)]
            -    g(n);
            -    #[cfg(unix)]
            -    n += 1;
            -    n
            +    1
            removal
            -    g(n);
            removal
            -    n += 1;
            literal
            -    n += 1;
            +    n += 2;
            literal
            -    n += 1;
            +    n += 0;
            exits
            -    n
            +    return 0;
            +    n
        "#]],
    );
}

#[test]
fn tests_beside_the_code_stay_out_of_it() {
    check(
        "#[situ]\nfn f(n: u8) -> u8 {\n    let m = n | 1;\n    itest!(given(n = 2), check_eq(m, 3));\n    m\n}\n",
        expect![[r#"
            body
            -    let m = n | 1;
                 itest!(given(n = 2), check_eq(m, 3));
            -    m
            +    0
            body
            -    let m = n | 1;
                 itest!(given(n = 2), check_eq(m, 3));
            -    m
            +    1
            bits
            -    let m = n | 1;
            +    let m = n & 1;
            bits
            -    let m = n | 1;
            +    let m = n ^ 1;
            literal
            -    let m = n | 1;
            +    let m = n | 2;
            literal
            -    let m = n | 1;
            +    let m = n | 0;
            exits
            -    m
            +    return 0;
            +    m
        "#]],
    );
}

#[test]
fn test_code_constants_of_types_and_what_only_programmers_see_have_none() {
    check(
        "#[test]\nfn t() { assert!(1 + 1 == 2); }\n#[mutants::skip]\nfn s(n: u8) -> u8 { n + 1 }\nimpl Debug for S { fn fmt(&self, f: &mut F) -> R { f.write(\"s\") } }\nfn a(n: [u8; 1 + 2]) {}\n",
        expect![[""]],
    );
}
