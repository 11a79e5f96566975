//! Small functions with all their insertions.

use super::*;
use expect_test::{Expect, expect};

/// Compares the instrumented text of a file with the expected one, a statement per line. `S` are
/// the sites of the crate, marks and ids are `#`, paths into the recorder start with `rt`.
#[track_caller]
fn check(wanted: &Wanted, source: &str, expected: Expect) {
    let (_, woven) = planned(source, wanted);
    let code = woven
        .split(" #[allow(warnings)] pub(crate) fn __situ_types")
        .next()
        .unwrap();
    let code = code
        .replace("::situ_recorder::", "rt::")
        .replace("&crate::__SITU_SITES", "S");
    let mut shown = String::new();
    for (number, part) in code.split("0x").enumerate() {
        let rest = part.trim_start_matches(|c: char| number > 0 && c.is_ascii_hexdigit());
        shown.push_str(if number > 0 { "#" } else { "" });
        shown.push_str(rest);
    }
    let lines = shown.replace("; ", ";\n").replace("{ ", "{\n");
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    expected.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
}

fn statements() -> Wanted {
    Wanted {
        all_statements: true,
        ..Wanted::default()
    }
}

fn of_fragments() -> Wanted {
    Wanted {
        fragments: true,
        ..Wanted::default()
    }
}

#[test]
fn a_let_has_its_inputs_before_and_its_variable_behind_it() {
    check(
        &statements(),
        "fn f(s: &str) { let t = s.trim(); }",
        expect![[r#"
        fn f(s: &str) {
        rt::probe::reach(S, 0);
        rt::marks::mark(#);
        let mut __situ_2 = rt::probe::begin(S, 1);
        if __situ_2.on() {
        rt::cap!(__situ_2, 0, s);
        __situ_2.close();
        } let t = s.trim();
        if __situ_2.on() {
        rt::cap!(__situ_2, 1, t);
        __situ_2.close();
        } __situ_2.end();
        }
    "#]],
    );
}

#[test]
fn an_assignment_has_its_place_behind_it() {
    check(
        &statements(),
        "fn f(n: usize, s: &mut S) { s.count = n + 1; }",
        expect![[r#"
        fn f(n: usize, s: &mut S) {
        rt::probe::reach(S, 0);
        rt::marks::mark(#);
        let mut __situ_2 = rt::probe::begin(S, 1);
        if __situ_2.on() {
        rt::cap!(__situ_2, 0, s.count);
        rt::cap!(__situ_2, 1, n);
        __situ_2.close();
        } s.count = n + 1;
        if __situ_2.on() {
        rt::cap!(__situ_2, 2, s.count);
        __situ_2.close();
        } __situ_2.end();
        }
    "#]],
    );
}

#[test]
fn each_operand_of_a_condition_tells_its_value() {
    check(
        &statements(),
        "fn f(a: u8, b: u8) { if a > 1 && b > 2 {} }",
        expect![[r#"
        fn f(a: u8, b: u8) {
        rt::probe::reach(S, 0);
        rt::marks::mark(#);
        let mut __situ_2 = rt::probe::begin(S, 1);
        if __situ_2.on() {
        rt::cap!(__situ_2, 0, a);
        rt::cap!(__situ_2, 1, b);
        __situ_2.close();
        } if match ((match (a > 1) {
        __situ_o => __situ_2.operand(3, __situ_o) }) && (match (b > 2) {
        __situ_o => __situ_2.operand(4, __situ_o) })) {
        __situ_c => __situ_2.end_condition(2, __situ_c) } {
        rt::marks::mark(#);
        } }
    "#]],
    );
}

#[test]
fn a_condition_with_let_is_told_by_its_branches() {
    check(
        &statements(),
        "fn f(s: Option<u8>) { if let Some(x) = s { g(x) } }",
        expect![[r#"
        fn f(s: Option<u8>) {
        rt::probe::reach(S, 0);
        rt::marks::mark(#);
        let mut __situ_2 = rt::probe::begin(S, 1);
        if __situ_2.on() {
        rt::cap!(__situ_2, 0, s);
        __situ_2.close();
        } if let Some(x) = s {
        __situ_2.end_condition(1, true);
        rt::marks::mark(#);
        let mut __situ_3 = rt::probe::begin(S, 2);
        if __situ_3.on() {
        rt::cap!(__situ_3, 0, x);
        __situ_3.close();
        } match rt::probe::same(g(x)) {
        __situ_r3 => {
        if __situ_3.on() {
        rt::cap!(__situ_3, 1, __situ_r3);
        __situ_3.close();
        } __situ_3.end();
        __situ_r3 } } } __situ_2.end_condition_unless_ended(1);
        }
    "#]],
    );
}

#[test]
fn what_a_match_is_about_passes_through_a_capture() {
    check(
        &statements(),
        "fn f(s: &str) { match s.len() { 0 => {} _ => {} } }",
        expect![[r#"
        fn f(s: &str) {
        rt::probe::reach(S, 0);
        rt::marks::mark(#);
        let mut __situ_2 = rt::probe::begin(S, 1);
        if __situ_2.on() {
        rt::cap!(__situ_2, 0, s);
        __situ_2.close();
        } match match rt::probe::same(s.len()) {
        __situ_r2 => {
        if __situ_2.on() {
        rt::cap!(__situ_2, 1, __situ_r2);
        __situ_2.close();
        } __situ_2.end();
        __situ_r2 } } {
        0 => {
        rt::marks::mark(#);
        } _ => {
        rt::marks::mark(#);
        } } }
    "#]],
    );
}

#[test]
fn a_loop_tells_its_items() {
    check(
        &statements(),
        "fn f(v: &[u8]) { for x in v {} }",
        expect![[r#"
        fn f(v: &[u8]) {
        rt::probe::reach(S, 0);
        rt::marks::mark(#);
        let mut __situ_2 = rt::probe::begin(S, 1);
        if __situ_2.on() {
        rt::cap!(__situ_2, 0, v);
        __situ_2.close();
        } for x in v {
        if __situ_2.item() {
        rt::cap!(__situ_2, 1, x);
        __situ_2.close();
        }  rt::marks::mark(#);
        } __situ_2.end();
        }
    "#]],
    );
}

#[test]
fn a_tail_passes_through_a_capture_of_its_type() {
    check(
        &statements(),
        "fn f(n: u8) -> u8 { n + 1 }",
        expect![[r#"
        fn f(n: u8) -> u8 {
        rt::probe::reach(S, 0);
        rt::marks::mark(#);
        let mut __situ_2 = rt::probe::begin(S, 1);
        if __situ_2.on() {
        rt::cap!(__situ_2, 0, n);
        __situ_2.close();
        } match rt::probe::same::<u8>(n + 1) {
        __situ_r2 => {
        if __situ_2.on() {
        rt::cap!(__situ_2, 1, __situ_r2);
        __situ_2.close();
        } __situ_2.end();
        __situ_r2 } } }
    "#]],
    );
}

#[test]
fn a_question_mark_tells_the_statement_that_it_leaves() {
    check(
        &statements(),
        "fn f(s: &str) -> Option<u8> { let n = s.get(1)?; None }",
        expect![[r#"
        fn f(s: &str) -> Option<u8> {
        rt::probe::reach(S, 0);
        rt::marks::mark(#);
        let mut __situ_2 = rt::probe::begin(S, 1);
        if __situ_2.on() {
        rt::cap!(__situ_2, 1, s);
        __situ_2.close();
        } let n = (match (s.get(1)) {
        __situ_q => if rt::exits::leaves(&__situ_q) {
        return match rt::probe::same::<Option<u8>>(rt::exits::leaving(__situ_q)) {
        __situ_left => {
        if __situ_2.on() {
        rt::cap!(__situ_2, 0, __situ_left);
        __situ_2.close();
        } __situ_2.leave(rt::recording::Way::Question, "");
        __situ_left } } } else {
        __situ_q } })?;
        if __situ_2.on() {
        rt::cap!(__situ_2, 2, n);
        __situ_2.close();
        } __situ_2.end();
        let mut __situ_4 = rt::probe::begin(S, 2);
        match rt::probe::same::<Option<u8>>(None) {
        __situ_r4 => {
        if __situ_4.on() {
        rt::cap!(__situ_4, 0, __situ_r4);
        __situ_4.close();
        } __situ_4.end();
        __situ_r4 } } }
    "#]],
    );
}

#[test]
fn a_fragment_is_left_with_what_it_has_changed() {
    check(
        &of_fragments(),
        "fn f(v: &mut Vec<u8>) { v.push(1); if v.len() > 3 { return } v.pop(); }",
        expect![[r#"
        fn f(v: &mut Vec<u8>) {
        rt::probe::reach(S, 0);
        rt::marks::mark(#);
        let mut __situ_2 = rt::probe::begin(S, 1);
        if __situ_2.on() {
        rt::cap!(__situ_2, 0, v);
        __situ_2.close();
        } v.push(1);
        if v.len() > 3 {
        rt::marks::mark(#);
        {
        if __situ_2.on() {
        rt::cap!(__situ_2, 2, v);
        __situ_2.close();
        } __situ_2.leave(rt::recording::Way::Return, "");
        return } } else {
        rt::marks::mark(#);
        } v.pop();
        if __situ_2.on() {
        rt::cap!(__situ_2, 1, v);
        __situ_2.close();
        } __situ_2.end();
        }
    "#]],
    );
}

#[test]
fn a_closure_tells_its_arguments_and_result() {
    check(
        &of_fragments(),
        "fn f(k: u8) { g(|x: u8| x & k); }",
        expect![[r#"
        fn f(k: u8) {
        rt::probe::reach(S, 0);
        rt::marks::mark(#);
        g(|x: u8| {
        let mut __situ_2 = rt::probe::begin(S, 1);
        if __situ_2.on() {
        rt::cap!(__situ_2, 0, k);
        __situ_2.close();
        } if __situ_2.on() {
        rt::cap!(__situ_2, 1, x);
        __situ_2.close();
        } match rt::probe::same({
        rt::marks::mark(#);
        x & k }) {
        __situ_r2 => {
        if __situ_2.on() {
        rt::cap!(__situ_2, 2, __situ_r2);
        __situ_2.close();
        } __situ_2.end();
        __situ_r2 } } });
        }
    "#]],
    );
}

#[test]
fn a_function_tells_its_arguments_and_result() {
    check(
        &Wanted {
            functions: true,
            ..Wanted::default()
        },
        "fn f(n: u8) -> u8 { n + 1 }",
        expect![[r#"
        fn f(n: u8) -> u8 {
        rt::marks::mark(#);
        let mut __situ_1 = rt::probe::enter(S, 0);
        if __situ_1.on() {
        rt::cap!(__situ_1, 0, n);
        __situ_1.close();
        }  match rt::probe::same::<u8>(n + 1) {
        __situ_r1 => {
        if __situ_1.on() {
        rt::cap!(__situ_1, 1, __situ_r1);
        __situ_1.close();
        } __situ_1.end();
        __situ_r1 } } }
    "#]],
    );
}

#[test]
fn an_outgoing_call_tells_its_arguments_and_result() {
    check(
        &Wanted {
            calls: true,
            ..Wanted::default()
        },
        "fn f(n: u8) { dep::send(n, n + 1); }",
        expect![[r#"
        fn f(n: u8) {
        let __situ_running = rt::calls::activate(#);
        rt::probe::reach(S, 0);
        rt::marks::mark(#);
        (match ({
        let mut __situ_2 = rt::calls::begin(S, 1, "p");
        if __situ_2.on() {
        rt::cap!(__situ_2, 0, n);
        __situ_2.close();
        } __situ_2.opened() }, dep::send(n, match (n + 1) {
        __situ_v2 => {
        rt::cap_argument!(rt::calls::awaiting(S, 1), cap, 1, __situ_v2);
        __situ_v2 } })) {
        (mut __situ_2, __situ_r2) => {
        if __situ_2.returned() {
        rt::cap!(__situ_2, 2, __situ_r2);
        __situ_2.close();
        } __situ_2.end();
        __situ_r2 } });
        }
    "#]],
    );
}

#[test]
fn what_is_made_from_a_secret_is_not_written() {
    check(
        &statements(),
        "fn f(password: &str) { let t = password.trim(); }",
        expect![[r#"
        fn f(password: &str) {
        rt::look!(Always, "p", password);
        rt::probe::reach(S, 0);
        rt::marks::mark(#);
        let mut __situ_2 = rt::probe::begin(S, 1);
        if __situ_2.on() {
        rt::cap_secret!(__situ_2, 0, password);
        __situ_2.close();
        } let t = password.trim();
        if __situ_2.on() {
        rt::cap_secret!(__situ_2, 1, t);
        __situ_2.close();
        } __situ_2.end();
        }
    "#]],
    );
}
