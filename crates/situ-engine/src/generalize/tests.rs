//! What a copy of a test keeps.

use super::assertion::can_pair;
use super::mending::Mending;
use super::scope::{Kind, Scope};
use super::scopes::scopes_of;
use super::slice::Copy;
use super::test_code::TestCode;
use super::unit_tests::{TestCrate, TestFile, UnitTest, is_test};
use crate::source::{SourceFile, byte_range};
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::Item;

/// The first test of a source.
fn test_in(source: &str) -> UnitTest {
    let tree = syn::parse_file(source).unwrap();
    let beside = Rc::new(tree.items.clone());
    let source = SourceFile {
        path: "src/lib.rs".into(),
        module: Vec::new(),
        conditions: Vec::new(),
        text: source.to_owned(),
        tree,
    };
    let krate = TestCrate { name: "mine".to_owned(), outside_of: None, root: "src/lib.rs".into() };
    let file = Rc::new(TestFile { path: "src/lib.rs".into(), krate: Rc::new(krate), source });
    let function = beside.iter().find_map(|item| match item {
        Item::Fn(function) if is_test(&function.attrs) => Some(function.clone()),
        _ => None,
    });
    let item = function.unwrap();
    UnitTest { range: byte_range(&item), file, module: Vec::new(), item, beside }
}

/// The copy of a test that keeps a call and an assertion, both told by how they begin, with `ARG` for the first argument.
fn copy(source: &str, scope: impl Fn(&Scope) -> bool, call: &str, assertion: &str) -> Option<String> {
    let test = test_in(source);
    let scopes = scopes_of(&test, &TestCode::default());
    let scope = scopes.iter().find(|one| scope(one)).unwrap();
    let begins = |range: &std::ops::Range<usize>, text: &str| test.text()[range.clone()].starts_with(text);
    let call = scope.body.calls.iter().find(|site| begins(&site.range, call)).unwrap();
    let chosen = scope.body.assertions.iter().position(|one| begins(&one.range, assertion)).unwrap();
    assert!(can_pair(call, &scope.body.assertions[chosen]), "{assertion}");
    let argument = test.text()[call.arguments[0].range.clone()].to_owned();
    let name = if scope.gives(&argument) { argument } else { "ARG".to_owned() };
    let looking = BTreeSet::from(["depth".to_owned()]);
    let copy = Copy {
        text: test.text(),
        scope,
        call,
        replaced: &[(0, name)],
        chosen: &[chosen],
        reached: "",
        looking: &looking,
        mending: &Mending::default(),
    };
    copy.statements().map(|statements| statements.join(" "))
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
    assert_eq!(text, format!("let mut stack = new(3); {changes} assert_eq!(stack.depth(), 2);"));
    let text = copy(STACK, own, "stack.push(2)", "assert_eq!(rest").unwrap();
    let kept = "let mut stack = new(3); let _ = stack.push(1); let _ = stack.push(ARG); let rest = stack.pop();";
    assert_eq!(text, format!("{kept} assert_eq!(rest, Some(2));"));
}

#[test]
fn a_call_that_goes_with_its_assertion_makes_no_copy() {
    let source = "#[test] fn t() { assert_eq!(f(1), 2); assert_eq!(g(), 3); }";
    assert_eq!(copy(source, own, "f(1)", "assert_eq!(g()"), None);
    assert_eq!(copy(source, own, "f(1)", "assert_eq!(f(1)").unwrap(), "assert_eq!(f(ARG), 2);");
}

#[test]
fn the_variable_of_a_loop_is_the_parameter_and_nothing_else_of_it_is_known() {
    let is_loop = |scope: &Scope| scope.kind == Kind::Loop;
    let source = "#[test] fn t() { let m = make(); for word in [\"a\"] { assert!(m.f(word).len() > word.len()); } }";
    let text = copy(source, is_loop, "m.f(word)", "assert!").unwrap();
    assert_eq!(text, "let m = make(); assert!(m.f(word).len() > word.len());");
    let table = "#[test] fn t() { for (word, size) in [(\"a\", 1)] { assert_eq!(f(word), size); } }";
    assert_eq!(copy(table, is_loop, "f(word)", "assert_eq!"), None);
}

#[test]
fn a_function_beside_the_test_stands_in_the_place_of_its_call() {
    let is_helper = |scope: &Scope| scope.kind == Kind::Helper;
    let source = "fn check(text: &str, size: usize) { let found = f(text); assert_eq!(found, size); assert!(found < 9); }\n\
                  #[test] fn t() { check(\"ab\", 2); }";
    let text = copy(source, is_helper, "f(text)", "assert_eq!").unwrap();
    assert_eq!(text, "let size: usize = 2; let found = f(text); assert_eq!(found, size);");
}
