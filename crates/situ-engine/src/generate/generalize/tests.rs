//! What a copy of a test keeps.

use super::find::test_code::{Helper, TestCode};
use super::find::unit_tests::{TestCrate, TestFile, UnitTest, is_test};
use super::scope::assertion::can_pair;
use super::scope::scopes::scopes_of;
use super::scope::{Kind, Scope};
use super::slice::Copy;
use super::slice::unused_fixes::Mending;
use super::slice::unused_fixes::tests::warning;
use crate::source::targets::effects::{Effects, Sought};
use crate::source::{SourceFile, byte_range};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use syn::Item;

/// Returns the first test of a source.
fn test_in(source: &str) -> UnitTest {
    let source = SourceFile::root(source);
    let beside = Rc::new(source.tree.items.clone());
    let krate = TestCrate {
        name: "mine".to_owned(),
        outside_of: None,
        root: "src/lib.rs".into(),
    };
    let file = Rc::new(TestFile {
        path: "src/lib.rs".into(),
        krate: Rc::new(krate),
        source,
    });
    let function = beside.iter().find_map(|item| match item {
        Item::Fn(function) if is_test(&function.attrs) => Some(function.clone()),
        _ => None,
    });
    let item = function.unwrap();
    UnitTest {
        range: byte_range(&item),
        file,
        module: Vec::new(),
        item,
        beside,
        expanded: None,
    }
}

/// Returns the copy of a test that keeps a call and an assertion, both given by their beginnings,
/// with `ARG` for the first argument.
fn copy(
    source: &str,
    scope: impl Fn(&Scope) -> bool,
    call: &str,
    assertion: &str,
) -> Option<String> {
    mended(source, scope, call, assertion, &Mending::default())
}

/// Returns such a copy after repairs.
fn mended(
    source: &str,
    scope: impl Fn(&Scope) -> bool,
    call: &str,
    assertion: &str,
    mending: &Mending,
) -> Option<String> {
    let test = test_in(source);
    let scopes = scopes_of(&test, &code());
    let scope = scopes.iter().find(|one| scope(one)).unwrap();
    let begins = |range: &Range<usize>, text: &str| test.text()[range.clone()].starts_with(text);
    let call = scope
        .body
        .calls
        .iter()
        .find(|site| begins(&site.range, call) && scope.owns(site.statement))
        .unwrap();
    let chosen = scope
        .body
        .assertions
        .iter()
        .position(|one| begins(&one.range, assertion) && scope.owns(one.statement))
        .unwrap();
    assert!(
        can_pair(call, &scope.body.assertions[chosen]),
        "{assertion}"
    );
    let argument = test.text()[call.arguments[0].range.clone()].to_owned();
    let name = if scope.gives_at(&argument, call.statement) {
        argument
    } else {
        "ARG".to_owned()
    };
    let looking = BTreeSet::from(["depth".to_owned()]);
    let copy = Copy {
        text: test.text(),
        scope,
        call,
        replaced: &[(0, name)],
        chosen: &[chosen],
        reached: "",
        looking: &looking,
        mending,
    };
    copy.statements().map(|statements| statements.join(" "))
}

/// Test code of a workspace that has some functions.
fn code() -> TestCode {
    let functions = "fn f(_: u8) -> u8 { 0 } fn put() {} fn note(to: u8) { LOG.lock().unwrap().push(to); } \
                     fn check_saved(text: &str) { assert!(text != \"\"); std::fs::write(\"x\", text).unwrap(); }";
    let effects = Effects::of(
        Sought::Changing,
        std::iter::once(&syn::parse_file(functions).unwrap()),
    );
    let asserting = Helper {
        parameters: vec!["text".to_owned()],
        calls: Vec::new(),
        asserts: true,
    };
    let helpers = [("check_saved".to_owned(), asserting)].into();
    let mut code = TestCode::default();
    (code.effects, code.helpers) = (Rc::new(effects), helpers);
    code
}

fn own(scope: &Scope) -> bool {
    scope.kind == Kind::Own
}

const STACK: &str = "#[test] fn t() { let word = \"a\"; let mut stack = new(3); println!(\"{word}\"); \
                     let first = stack.push(1); assert!(stack.push(2)); assert_eq!(stack.depth(), 2); assert_eq!(first, 0); \
                     let rest = stack.pop(); assert_eq!(rest, Some(2)); let other = find(word).unwrap(); assert!(other); }";

#[test]
fn what_an_assertion_needs_stays_and_all_else_goes() {
    let text = copy(STACK, own, "find(", "assert!(other)").unwrap();
    assert_eq!(text, "let other = find(ARG).unwrap(); assert!(other);");
    let text = copy(STACK, own, "stack.push(1)", "assert_eq!(stack.depth()").unwrap();
    let changes = "let _ = stack.push(ARG); let _ = stack.push(2);";
    assert_eq!(
        text,
        format!("let mut stack = new(3); {changes} assert_eq!(stack.depth(), 2);")
    );
    let text = copy(STACK, own, "stack.push(2)", "assert_eq!(rest").unwrap();
    let kept = "let mut stack = new(3); let _ = stack.push(1); let _ = stack.push(ARG); let rest = stack.pop();";
    assert_eq!(text, format!("{kept} assert_eq!(rest, Some(2));"));
}

#[test]
fn a_call_that_goes_with_its_assertion_makes_no_copy() {
    let source = "#[test] fn t() { assert_eq!(f(1), 2); assert_eq!(g(), 3); }";
    assert_eq!(copy(source, own, "f(1)", "assert_eq!(g()"), None);
    assert_eq!(
        copy(source, own, "f(1)", "assert_eq!(f(1)").unwrap(),
        "assert_eq!(f(ARG), 2);"
    );
}

#[test]
fn the_variable_of_a_loop_is_the_parameter_and_nothing_else_of_it_is_known() {
    let is_loop = |scope: &Scope| scope.kind == Kind::Loop;
    let source = "#[test] fn t() { let m = make(); for word in [\"a\"] { assert!(m.f(word).len() > word.len()); } }";
    let text = copy(source, is_loop, "m.f(word)", "assert!").unwrap();
    assert_eq!(
        text,
        "let m = make(); assert!(m.f(word).len() > word.len());"
    );
    let table =
        "#[test] fn t() { for (word, size) in [(\"a\", 1)] { assert_eq!(f(word), size); } }";
    assert_eq!(copy(table, is_loop, "f(word)", "assert_eq!"), None);
}

#[test]
fn a_function_beside_the_test_stands_in_the_place_of_its_call() {
    let is_helper = |scope: &Scope| scope.kind == Kind::Helper;
    let source = "fn check(text: &str, size: usize) { let found = f(text); assert_eq!(found, size); assert!(found < 9); }\n\
                  #[test] fn t() { check(\"ab\", 2); }";
    let text = copy(source, is_helper, "f(text)", "assert_eq!").unwrap();
    assert_eq!(
        text,
        "let size: usize = 2; let found = f(text); assert_eq!(found, size);"
    );
}

fn pass(scope: &Scope) -> bool {
    scope.kind == Kind::Pass
}

#[test]
fn an_element_that_a_loop_goes_over_is_a_case_by_itself() {
    let table = "#[test] fn t() { for (word, size) in [(\"a\", 1), (\"b\", 1)] { assert_eq!(f(word), size); } }";
    assert_eq!(
        copy(table, pass, "f(word)", "assert_eq!").unwrap(),
        "let size = 1; assert_eq!(f(word), size);"
    );
    let count = |source: &str| {
        let test = test_in(source);
        scopes_of(&test, &code())
            .iter()
            .filter(|scope| pass(scope))
            .count()
    };
    assert_eq!(
        count(table),
        1,
        "elements that only differ in the argument are one case"
    );
    let named = "const CASES: &[(&str, u8)] = &[(\"a\", 1), (\"b\", 2)];\n\
                 #[test] fn t() { for (word, size) in CASES { assert_eq!(f(word), *size); } }";
    assert_eq!(count(named), 2);
    let text = copy(named, pass, "f(word)", "assert_eq!").unwrap();
    assert_eq!(text, "let size: &u8 = &1; assert_eq!(f(word), *size);");
    let helper = "fn check(cases: &[(&str, u8)]) { for &(word, size) in cases { assert_eq!(f(word), size); } }\n\
                  #[test] fn t() { check(&[(\"a\", 1)]); }";
    assert_eq!(
        copy(helper, pass, "f(word)", "assert_eq!").unwrap(),
        "let size: u8 = 1; assert_eq!(f(word), size);"
    );
    let declared = "#[test] fn t() { let cases: Vec<(&str, Option<&[u8]>)> = vec![(\"a\", Some(&[1]))]; \
                    for (word, size) in cases { assert_eq!(f(word), size); } }";
    let text = copy(declared, pass, "f(word)", "assert_eq!").unwrap();
    assert_eq!(
        text,
        "let size: Option<&[u8]> = Some(&[1]); assert_eq!(f(word), size);"
    );
    let range =
        "#[test] fn t() { for day in 3..9 { let time = day * 60; assert_eq!(f(time), g(day)); } }";
    let text = copy(range, pass, "f(time)", "assert_eq!").unwrap();
    assert_eq!(text, "let day = 3; assert_eq!(f(ARG), g(day));");
}

#[test]
fn what_is_changed_through_another_variable_is_changed() {
    let block = "#[test] fn t() { let mut buf = [0; 9]; { let mut rest = &mut buf[..]; put(&mut rest, 1).unwrap(); } \
                 let read = get(1, &buf); assert_eq!(read, 1); }";
    let text = copy(block, own, "get(1", "assert_eq!").unwrap();
    let put = "let mut rest = &mut buf[..]; let _ = put(&mut rest, 1);";
    assert_eq!(
        text,
        format!(
            "let mut buf = [0; 9]; {{ {put} }} let read = get(ARG, &buf); assert_eq!(read, 1);"
        )
    );
    let same = "#[test] fn t() { let mut buf = [0; 9]; let rest = &mut buf[..]; assert!(put(rest, 1)); assert_eq!(buf[0], f(1)); }";
    let text = copy(same, own, "f(1)", "assert_eq!").unwrap();
    let put = "let rest = &mut buf[..]; let _ = put(rest, 1);";
    assert_eq!(
        text,
        format!("let mut buf = [0; 9]; {put} assert_eq!(buf[0], f(ARG));")
    );
    let shadowed = "#[test] fn t() { let mut buf = [0; 9]; let mut rest = &mut buf[..]; let mut rest = vec![1]; \
                    assert!(put(&mut rest, f(1))); assert_eq!(buf[0], 0); }";
    assert_eq!(
        copy(shadowed, own, "f(1)", "assert_eq!"),
        None,
        "it changes another variable"
    );
    let cycle = "#[test] fn t() { let mut r = f(1); for v in 0..9 { assert!(r.next()); assert_eq!(r.next(), v); } }";
    let text = copy(cycle, own, "f(1)", "assert_eq!").unwrap();
    let body = "let _ = r.next(); assert_eq!(r.next(), v);";
    assert_eq!(
        text,
        format!("let mut r = f(ARG); for v in 0..9 {{ {body} }}")
    );
    let inner = "#[test] fn t() { { let mut it = f(1); assert_eq!(it.next(), 1); assert_eq!(it.next(), 2); } }";
    let text = copy(inner, own, "f(1)", "assert_eq!(it.next(), 2").unwrap();
    assert_eq!(
        text,
        "{ let mut it = f(ARG); let _ = it.next(); assert_eq!(it.next(), 2); }"
    );
}

#[test]
fn what_is_said_of_variables_that_are_gone_is_not_said() {
    let source = "#[test] fn t() { for (word, size) in [(\"a\", 1), (\"b\", 2)] { \
                  match f(word) { Err(e) => panic!(\"{e} for {size}\"), Ok(n) => assert_eq!(n, size, \"of {word}\") } } }";
    let text = copy(
        source,
        |scope| scope.kind == Kind::Loop,
        "f(word)",
        "panic!",
    )
    .unwrap();
    assert_eq!(text, "match f(word) { Err(e) => panic!(), Ok(n) => () }");
    let text = copy(source, pass, "f(word)", "assert_eq!").unwrap();
    let arms = "Err(e) => panic!(\"{e} for {size}\"), Ok(n) => assert_eq!(n, size, \"of {word}\")";
    assert_eq!(text, format!("let size = 1; match f(word) {{ {arms} }}"));
}

#[test]
fn closures_are_followed_like_functions_and_loops() {
    let named = "#[test] fn t() { let check = |word: &str, size| assert_eq!(f(word), size); check(\"a\", 1); }";
    let text = copy(
        named,
        |scope| scope.kind == Kind::Helper,
        "f(word)",
        "assert_eq!",
    )
    .unwrap();
    assert_eq!(text, "let size = 1; assert_eq!(f(word), size)");
    let each = "#[test] fn t() { [\"a\"].iter().for_each(|word| assert!(f(word))); }";
    assert_eq!(
        copy(each, |scope| scope.kind == Kind::Loop, "f(word)", "assert!").unwrap(),
        "assert!(f(word))"
    );
}

#[test]
fn a_variable_of_the_same_name_before_is_another_one() {
    let source = "#[test] fn t() { let size = 1; assert_eq!(f(1), size); let size = 2; let found = f(2); assert_eq!(found, size); }";
    let text = copy(source, own, "f(2)", "assert_eq!(found").unwrap();
    assert_eq!(
        text,
        "let size = 2; let found = f(ARG); assert_eq!(found, size);"
    );
}

#[test]
fn what_the_compiler_calls_unused_is_gone_with_what_is_assigned_to_it() {
    let dead = |source: &str, place: &str, name: &str| {
        let mut mending = Mending::default();
        let start = source.find(place).unwrap();
        let bound = (name.to_owned(), Some(start));
        assert!(mending.learn(
            &warning("unused_variables", "unused variable", start, start + 1),
            &[(bound, start..start + 1)]
        ));
        mending
    };
    let pair =
        "#[test] fn t() { let (found, rest) = f(1); assert!(found.rest); assert_eq!(rest, 2); }";
    let text = mended(
        pair,
        own,
        "f(1)",
        "assert!(found",
        &dead(pair, "rest) =", "rest"),
    )
    .unwrap();
    assert_eq!(text, "let (found, _) = f(ARG); assert!(found.rest);");
    let counted = "#[test] fn t() { let mut count = 0; let it = f(1); while it.more() { count += 1; } assert!(it.is_done()); \
                   assert_eq!(count, 2); }";
    let text = mended(
        counted,
        own,
        "f(1)",
        "assert!(it",
        &dead(counted, "mut count", "count"),
    )
    .unwrap();
    assert_eq!(
        text,
        "let it = f(ARG); while it.more() {  } assert!(it.is_done());"
    );
    let arms = "#[test] fn t() { match f(1) { Ok(found) => { assert!(found); } Err(found) => { assert_eq!(found, 2); } } }";
    let text = mended(
        arms,
        own,
        "f(1)",
        "assert!(found",
        &dead(arms, "found) => { assert_eq", "found"),
    )
    .unwrap();
    assert_eq!(
        text,
        "match f(ARG) { Ok(found) => { assert!(found); } Err(_) => {  } }"
    );
}

#[test]
fn an_assertion_that_binds_or_changes_something_stays_for_those_that_need_it() {
    let bound =
        "#[test] fn t() { let_assert!(Some(found) = f(1)); check!(other()); check!(found > 0); }";
    let text = copy(bound, own, "f(1)", "check!(found").unwrap();
    assert_eq!(
        text,
        "let_assert!(Some(found) = f(ARG)); check!(found > 0);"
    );
    let value =
        "#[test] fn t() { let found = assert_ok!(f(1)); assert!(found > 0); assert!(found < 9); }";
    assert_eq!(
        copy(value, own, "f(1)", "assert!(found < 9").unwrap(),
        "let found = assert_ok!(f(ARG)); assert!(found < 9);"
    );
    let custom = "#[test] fn t() { let mut reader = new(); assert_read!(reader, 1); assert_eq!(reader.f(1), 2); }";
    let filled = "#[test] fn t() { let out = &mut [0; 9]; let r = f(1); assert_read!(r, &mut out[1..]); assert_eq!(out[1], 2); }";
    let text = copy(filled, own, "f(1)", "assert_eq!").unwrap();
    assert!(
        text.contains("let r = f(ARG); assert_read!(r, &mut out[1..]);"),
        "{text}"
    );
    let text = copy(custom, own, "reader.f(1)", "assert_eq!").unwrap();
    assert_eq!(
        text,
        "let mut reader = new(); assert_read!(reader, 1); assert_eq!(reader.f(ARG), 2);"
    );
}

#[test]
fn what_nothing_looks_at_keeps_its_type_and_what_has_its_name_already_is_not_named_again() {
    let typed = "#[test] fn t() { let one: Tag = f(1).unwrap(); let two: Tag = f(2).unwrap(); assert!(one.fits()); assert!(two.fits()); }";
    let text = copy(typed, own, "f(1)", "assert!(two").unwrap();
    assert_eq!(
        text,
        "let _: Tag = f(ARG).unwrap(); let two: Tag = f(2).unwrap(); assert!(two.fits());"
    );
    let same = "fn check(text: &str, size: usize) { assert_eq!(f(text), size); }\n\
                #[test] fn t() { let size = two(); check(\"ab\", size); }";
    let text = copy(
        same,
        |scope| scope.kind == Kind::Helper,
        "f(text)",
        "assert_eq!",
    )
    .unwrap();
    assert_eq!(text, "let size = two(); assert_eq!(f(text), size);");
}

#[test]
fn what_is_unwrapped_for_its_effect_stays_and_what_is_a_claim_goes() {
    let source = "#[test] fn t() { load().unwrap(); f(\"x\").unwrap(); assert_eq!(f(1), 2); }";
    assert_eq!(
        copy(source, own, "f(1)", "assert_eq!").unwrap(),
        "load().unwrap(); assert_eq!(f(ARG), 2);"
    );
}

#[test]
fn what_changes_something_outside_stays_with_what_it_needs() {
    // Set-up, what stays of it, and what of it goes.
    let all = [
        (
            "let dir = base(); create_dir_all(&dir).unwrap();",
            "let dir = base(); create_dir_all(&dir).unwrap();",
        ),
        (
            "let dir = base(); if !dir.exists() { fs::create_dir(&dir)?; }",
            "let dir = base(); if !dir.exists() { fs::create_dir(&dir)?; }",
        ),
        (
            "let dir = base(); let _ = fs::remove_dir_all(&dir);",
            "let dir = base(); let _ = fs::remove_dir_all(&dir);",
        ),
        (
            "let dir = base(); assert!(fs::create_dir(&dir).is_ok());",
            "let dir = base(); let _ = fs::create_dir(&dir).is_ok();",
        ),
        (
            "let dir = base(); assert!(dir.exists()); fs::read(&dir).unwrap();",
            "",
        ),
        (
            "let v = value(); env::set_var(\"X\", &v);",
            "let v = value(); env::set_var(\"X\", &v);",
        ),
        (
            "let v = value(); unsafe { std::env::set_var(\"X\", &v) };",
            "let v = value(); unsafe { std::env::set_var(\"X\", &v) };",
        ),
        (
            "let v = value(); note(v); assert_eq!(note(v), 1);",
            "let v = value(); note(v); let _ = note(v);",
        ),
        (
            "let v = value(); LOG.lock().unwrap().push(v);",
            "let v = value(); LOG.lock().unwrap().push(v);",
        ),
        (
            "let v = value(); unsafe { LEVEL = v; }",
            "let v = value(); unsafe { LEVEL = v; }",
        ),
        (
            "let names = all(); for name in &names { fs::write(name, b\"x\").unwrap(); }",
            "let names = all(); for name in &names { fs::write(name, b\"x\").unwrap(); }",
        ),
        (
            "let names = all(); names.iter().for_each(|name| fs::write(name, b\"x\").unwrap());",
            "let names = all(); names.iter().for_each(|name| fs::write(name, b\"x\").unwrap());",
        ),
        (
            "let p = path(); let mut file = File::create(&p).unwrap(); file.write_all(b\"x\").unwrap(); drop(file);",
            "let p = path(); let mut file = File::create(&p).unwrap(); file.write_all(b\"x\").unwrap(); drop(file);",
        ),
        (
            "let p = path(); let mut file = File::create(&p)?; writeln!(file, \"x\").unwrap();",
            "let p = path(); let mut file = File::create(&p)?; writeln!(file, \"x\").unwrap();",
        ),
        (
            "let dir = tempdir().unwrap(); let path = dir.path().join(\"x\"); fs::write(&path, b\"x\").unwrap();",
            "let dir = tempdir().unwrap(); let path = dir.path().join(\"x\"); fs::write(&path, b\"x\").unwrap();",
        ),
        (
            "let (dir, path) = (tempdir().unwrap(), 1);",
            "let _held = (tempdir().unwrap(), 1);",
        ),
        (
            "let guard = LOCK.lock().unwrap(); assert!(guard.is_empty());",
            "let _guard = LOCK.lock().unwrap();",
        ),
        (
            "let guard: Guard = LOCK.lock().unwrap();",
            "let _guard: Guard = LOCK.lock().unwrap();",
        ),
        (
            "let save = |name: &str| fs::write(name, b\"x\"); save(\"a\").unwrap();",
            "let save = |name: &str| fs::write(name, b\"x\"); save(\"a\").unwrap();",
        ),
        ("let save = |name: &str| fs::write(name, b\"x\");", ""),
        (
            "let text = words(); check_saved(&text);",
            "let text = words(); check_saved(&text);",
        ),
        (
            "let config = new(); logging::install(&config).unwrap();",
            "let config = new(); logging::install(&config).unwrap();",
        ),
        (
            "let word = new(); serde_json::from_str::<Word>(&word).unwrap(); f(word).unwrap();",
            "",
        ),
    ];
    for (before, stays) in all {
        let source =
            format!("#[test] fn t() {{ {before} let found = f(1); assert_eq!(found, 2); }}");
        let text = copy(&source, own, "f(1)", "assert_eq!(found").unwrap();
        let kept = [stays, "let found = f(ARG); assert_eq!(found, 2);"].join(" ");
        assert_eq!(text, kept.trim_start(), "{before}");
    }
}

#[test]
fn a_call_that_changes_something_outside_is_what_later_assertions_are_about() {
    let saved = "#[test] fn t() { let v = value(); note(7).unwrap(); assert_eq!(f(v), 2); }";
    let kept = "let v = value(); note(ARG).unwrap(); assert_eq!(f(v), 2);";
    assert_eq!(copy(saved, own, "note(7)", "assert_eq!").unwrap(), kept);
    let locked = "#[test] fn t() { let held = note(7); assert!(f(1)); assert!(held.is_ok()); }";
    assert_eq!(
        copy(locked, own, "note(7)", "assert!(f(1)").unwrap(),
        "let _held = note(ARG); assert!(f(1));"
    );
}

#[test]
fn a_call_that_nothing_looks_at_is_apart_from_the_assertion() {
    let is_apart = |source: &str, call: &str, assertion: &str| {
        let test = test_in(source);
        let scope = scopes_of(&test, &code()).remove(0);
        let begins =
            |range: &Range<usize>, text: &str| test.text()[range.clone()].starts_with(text);
        let call = scope
            .body
            .calls
            .iter()
            .find(|site| begins(&site.range, call))
            .unwrap();
        let chosen = scope
            .body
            .assertions
            .iter()
            .position(|one| begins(&one.range, assertion))
            .unwrap();
        let (mending, looking) = (Mending::default(), BTreeSet::new());
        let copy = Copy {
            text: test.text(),
            scope: &scope,
            call,
            replaced: &[(call.arguments.len() - 1, "ARG".to_owned())],
            chosen: &[chosen],
            reached: "",
            looking: &looking,
            mending: &mending,
        };
        copy.is_apart()
    };
    let source = "#[test] fn t() { let first = f(1); assert_eq!(first, 2); let other = f(3); assert_eq!(other, 4); }";
    assert!(is_apart(source, "f(1)", "assert_eq!(other"));
    assert!(!is_apart(source, "f(1)", "assert_eq!(first"));
    let shadowed = "#[test] fn t() { let mut x = new(); f(&mut x, 1); let mut x = new(); f(&mut x, 2); assert_eq!(x, 3); }";
    assert!(
        is_apart(shadowed, "f(&mut x, 1)", "assert_eq!")
            && !is_apart(shadowed, "f(&mut x, 2)", "assert_eq!")
    );
    assert!(!is_apart(
        "#[test] fn t() { set_level(1); assert_eq!(level(), 1); }",
        "set_level(1)",
        "assert_eq!"
    ));
    assert!(!is_apart(
        "#[test] fn t() { s.push(1); assert!(s.ok()); }",
        "s.push(1)",
        "assert!"
    ));
}
