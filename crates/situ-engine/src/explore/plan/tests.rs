//! What is inserted for which types.

use super::{Answers, plan};
use crate::record::plan::weave;
use crate::source::{SourceFile, parse};
use std::collections::BTreeSet;

fn woven(source: &str) -> String {
    woven_with(source, Answers::default())
}

fn woven_with(source: &str, answers: Answers) -> String {
    let tree = parse(source).unwrap();
    let file = SourceFile {
        path: "src/lib.rs".into(),
        module: Vec::new(),
        conditions: Vec::new(),
        text: source.to_owned(),
        tree,
    };
    let plan = plan(&[file], answers);
    let woven = weave(source, &plan.insertions[0], &plan.pieces, &BTreeSet::new()).text;
    parse(&woven).unwrap_or_else(|error| panic!("{error}:\n{woven}"));
    woven
}

#[test]
fn open_structs_and_enums_are_made_field_by_field() {
    let text = woven("pub struct Point { pub x: i32, pub y: i32 } enum Op { Push(u8), Pop, Set { at: usize } }");
    assert!(text.contains("Self { x: (&&&&::situ_explore::Slot::<i32>::new()).build(parts.get(0)?)?, y:"), "{text}");
    assert!(text.contains("1 => Some(Self::Pop)") && text.contains("2 => Some(Self::Set {"), "{text}");
}

#[test]
fn what_has_private_fields_and_constructors_is_made_by_these() {
    let source = "pub struct Stack { items: Vec<u8> } impl Stack { pub fn new() -> Self { Stack { items: Vec::new() } } \
                  pub fn parse(text: &str) -> Option<Self> { None } pub fn push(&mut self, item: u8) {} \
                  pub fn with(self, items: &[u8]) -> Self { self } fn hidden(&mut self) {} }";
    let text = woven(source);
    assert!(text.contains("0 => Self::new(), 1 => Self::parse(&"), "{text}");
    assert!(text.contains("let _ = made.push(") && text.contains("made = made.with(&"), "{text}");
    assert!(!text.contains("made.hidden") && !text.contains("Self { items"), "{text}");
}

#[test]
fn private_fields_without_a_constructor_are_set_and_what_borrows_is_left_alone() {
    let text = woven("struct Pair { a: u8 } struct Text<'t> { text: &'t str } struct Of<T> { it: T }");
    assert!(text.contains("Self { a: ") && !text.contains("Explore for Text"), "{text}");
    assert!(text.contains("impl<T: ::situ_explore::Explore> ::situ_explore::Explore for Of<T>"), "{text}");
}

#[test]
fn a_type_that_says_itself_how_it_is_made_is_asked() {
    let source =
        "pub struct Even { value: u32 } impl<'a> arbitrary::Arbitrary<'a> for Even {} pub struct Odd { value: u32 }";
    let text = woven_with(source, Answers { arbitrary: true, proptest: false });
    assert!(text.contains("T: for<'a> ::arbitrary::Arbitrary<'a>") && !text.contains("::proptest::"), "{text}");
    assert!(!text.contains("Explore for Even") && text.contains("Explore for Odd"), "{text}");
    assert!(woven(source).contains("Explore for Even"), "without the crate its trait means nothing");
}
