//! How values of which types are made.

use super::declared::Modules;
use super::planning::{Making, Planning};
use super::sight::Sight;
use super::{Answers, plan};
use crate::record::plan::weave;
use crate::source::{Gives, SourceFile, parse};
use std::collections::BTreeSet;

fn woven(source: &str) -> String {
    woven_with(source, Answers::default())
}

fn woven_with(source: &str, answers: Answers) -> String {
    let plan = plan(&[SourceFile::root(source)], answers);
    let woven = weave(source, &plan.insertions[0], &plan.pieces, &BTreeSet::new()).text;
    parse(&woven).unwrap_or_else(|error| panic!("{error}:\n{woven}"));
    woven
}

/// Describes how values of the type `Level` of a source are constructed: each call as a user writes
/// it, then each method.
fn made(source: &str) -> Vec<String> {
    woven(source);
    let files = [SourceFile::root(source)];
    let modules = Modules::of(&files);
    let planning = Planning::new(&files, &modules, Answers::default());
    let level = planning
        .declared
        .types
        .iter()
        .find(|one| one.key.ends_with("Level"))
        .expect("a type");
    match planning.making(level) {
        Making::Fields(Sight::Everywhere) => vec!["fields".to_owned()],
        Making::Fields(Sight::Below(depth)) => vec![format!("fields below {depth}")],
        Making::Selection => vec!["asked".to_owned()],
        Making::Calls(ways, changes) => {
            let ways = ways.iter().map(|way| {
                let call = &way.call;
                let unwrapped = if call.gives == Gives::Itself { "" } else { "!" };
                let shown = call.ending.as_ref().unwrap_or(&call.shown);
                format!(
                    "{}/{}{unwrapped}",
                    shown.replace("{}", "L"),
                    call.arguments.len()
                )
            });
            ways.chain(
                changes
                    .iter()
                    .map(|change| format!(".{}/{}", change.name, change.arguments.len())),
            )
            .collect()
        }
    }
}

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    assert_eq!(made(source), expected, "{source}");
}

const LEVEL: &str = "pub struct Level { value: u32, max: u32 }";

#[test]
fn constructors_are_seen_however_they_name_their_type() {
    for given in ["Self", "Level", "crate::Level", "self::Level"] {
        check(
            &format!("{LEVEL} impl Level {{ pub fn new(max: u32) -> {given} {{}} }}"),
            &["L::new/1"],
        );
    }
    for given in [
        "Option<Self>",
        "Result<Level, String>",
        "std::io::Result<Level>",
        "Result<Self, Box<dyn Error>>",
    ] {
        check(
            &format!("{LEVEL} impl Level {{ pub fn new(max: u32) -> {given} {{}} }}"),
            &["L::new/1!"],
        );
    }
    let alias = "type Made = std::result::Result<Level, String>; type L = Level;";
    check(
        &format!("{LEVEL} {alias} impl L {{ pub fn new() -> Made {{}} pub fn of() -> L {{}} }}"),
        &["L::new/0!", "L::of/0"],
    );
}

#[test]
fn a_constructor_may_stand_in_another_module() {
    let source = "mod level { pub struct Level { pub(super) value: u32 } } \
                  mod make { use crate::level::Level as Made; impl Made { pub fn of(value: u32) -> Made {} } }";
    check(source, &["L::of/1"]);
    let source = "mod level { pub struct Level { pub(super) value: u32 } } \
                  mod make { use super::level; pub fn level(value: u32) -> Option<level::Level> {} }";
    check(source, &["‹L::level›/1!"]);
    assert!(
        woven(source).contains("impl level :: Level"),
        "{}",
        woven(source)
    );
}

#[test]
fn traits_and_builders_make_values_too() {
    let blocks = "impl Default for Level {} impl std::str::FromStr for Level {} impl From<u8> for Level {} \
                  impl From<u16> for Level {} impl<'a> TryFrom<&'a str> for Level {} impl FromIterator<u8> for Level {}";
    let expected = [
        "L::default/0",
        ".parse::<L>()/1!",
        "<L as From<u8>>::from/1",
        "<L as From<u16>>::from/1",
        "L::try_from/1!",
        "L::from_iter/1",
    ];
    check(&format!("{LEVEL} {blocks}"), &expected);
    check(
        &format!("#[derive(Debug, Default)] {LEVEL}"),
        &["L::default/0"],
    );
    let builder = "#[derive(Default)] pub struct LevelBuilder { max: u32 } impl LevelBuilder { \
                   pub fn max(mut self, max: u32) -> Self {} pub fn build(self) -> Result<Level, String> {} }";
    check(
        &format!("{LEVEL} {builder} impl Level {{ pub fn builder() -> LevelBuilder {{}} }}"),
        &["build/1!"],
    );
}

#[test]
fn methods_change_what_was_made() {
    let source = "impl Level { pub fn new() -> Level {} pub fn up(&mut self, by: &[u8]) -> Option<u8> {} \
                  pub fn with(self, max: u32) -> Level {} pub fn more(&self) -> Option<Self> {} pub fn max(&self) -> u32 {} \
                  fn reset(&mut self) {} pub unsafe fn raw(&mut self) {} pub fn shared(self: std::rc::Rc<Self>) -> Self {} \
                  pub fn save(&mut self) { std::fs::write(\"a\", \"b\"); } pub fn set_unchecked(&mut self) {} }";
    check(
        &format!("{LEVEL} {source}"),
        &["L::new/0", ".up/1", ".with/1", ".more/0"],
    );
}

#[test]
fn private_functions_are_called_where_there_are_no_others() {
    let raw = "fn raw(value: u32) -> Level {} fn reset(&mut self) {}";
    check(
        &format!("{LEVEL} impl Level {{ pub fn new() -> Level {{}} {raw} }}"),
        &["L::new/0"],
    );
    check(
        &format!("{LEVEL} impl Level {{ {raw} }}"),
        &["L::raw/1", ".reset/0"],
    );
}

#[test]
fn fields_are_written_only_where_nothing_else_makes_the_type() {
    check(LEVEL, &["fields below 0"]);
    check(
        "mod a { pub struct Level { pub value: u32, pub(crate) max: u32, pub(super) least: u32 } }",
        &["fields below 0"],
    );
    check(
        "mod a { pub struct Level { pub(self) value: u32 } }",
        &["fields below 1"],
    );
    check("pub struct Level { pub value: u32 }", &["fields"]);
    // A constructor that cannot be called still counts as one.
    check(
        &format!("{LEVEL} impl Level {{ pub async fn new() -> Level {{}} }}"),
        &[],
    );
    check(
        &format!("{LEVEL} impl Level {{ pub fn load() -> Self {{ std::fs::read(\"level\"); }} }}"),
        &[],
    );
    check(
        &format!("{LEVEL} impl Level {{ pub fn all() -> Vec<Level> {{}} }}"),
        &[],
    );
    check(
        &format!("{LEVEL} impl Level {{ pub fn new(out: &mut Vec<u8>) -> Level {{}} }}"),
        &[],
    );
}

#[test]
fn open_fields_are_written_unless_a_constructor_decides_about_them() {
    let open = "#[derive(Default)] pub struct Level { pub value: u32, pub max: u32 }";
    check(open, &["fields"]);
    check(
        &format!(
            "{open} impl Level {{ pub const fn zero() -> Level {{}} }} impl From<u8> for Level {{}}"
        ),
        &["fields"],
    );
    check(
        &format!("{open} impl Level {{ pub fn new(value: u32, max: u32) -> Option<Level> {{}} }}"),
        &["L::new/2!", "L::default/0"],
    );
    check(
        &format!("{open} impl Level {{ pub fn load(from: impl Read) -> Result<Level, ()> {{}} }}"),
        &["fields"],
    );
    check(
        "enum Level { Low, High(u8) } impl Level { fn new(of: u8) -> Level {} }",
        &["fields"],
    );
}

#[test]
fn parameters_have_the_bounds_of_the_block() {
    let source = "pub struct Level<T> { of: Vec<T> } impl<T: Ord> Level<T> { pub fn new() -> Level<T> {} } \
                  impl<T> Level<T> { pub fn push(&mut self, item: T) {} } \
                  impl<T: Ord + Clone> Level<T> { pub fn twice(&mut self) {} } impl Level<u8> { pub fn bytes() -> Self {} }";
    check(source, &["L::new/0", ".push/1"]);
    let head = "impl<T: Ord + ::situ_explore::Explore> ::situ_explore::Explore for Level < T >";
    assert!(woven(source).contains(head), "{}", woven(source));
    let only =
        "pub struct Level<T> { of: Vec<T> } impl Level<u8> { pub fn bytes(of: &[u8]) -> Self {} }";
    assert!(
        woven(only).contains("impl ::situ_explore::Explore for Level < u8 >"),
        "{}",
        woven(only)
    );
    assert!(
        !woven("pub struct Level<'t> { text: &'t str }").contains("Explore for"),
        "what borrows is left alone"
    );
}

#[test]
fn arguments_are_written_as_they_are_taken() {
    let source = "impl Level { pub fn new<S: Into<String>, P>(name: S, path: P, near: &Level, of: &[u8], text: &str, \
                  more: impl IntoIterator<Item = u8>) -> Level where P: AsRef<Path> {} }";
    let text = woven(&format!("{LEVEL} {source}"));
    let takes = "vec![shapes.text(), (&&&&::situ_explore::Slot::<::situ_explore::standard::path::PathBuf>::new()).id(shapes), \
                 { let of = (&&&&::situ_explore::Slot::<Level>::new()).id(shapes); shapes.borrowed(of) }, \
                 { let of = (&&&&::situ_explore::Slot::<u8>::new()).id(shapes); shapes.slice(of) }, shapes.text(), \
                 (&&&&::situ_explore::Slot::<::situ_explore::standard::vec::Vec<u8>>::new()).id(shapes), ]";
    assert!(text.contains(takes), "{text}");
    check(
        &format!("{LEVEL} impl Level {{ pub fn new<T: Read>(from: T) -> Level {{}} }}"),
        &[],
    );
}

#[test]
fn open_structs_and_enums_are_made_field_by_field() {
    let text = woven(
        "pub struct Point { pub x: i32, pub y: i32 } enum Op { Push(u8), Pop, Set { at: usize } }",
    );
    assert!(
        text.contains(
            "Self { x: (&&&&::situ_explore::Slot::<i32>::new()).build(parts.get(0)?)?, y:"
        ),
        "{text}"
    );
    assert!(
        text.contains("1 => Some(Self::Pop)") && text.contains("2 => Some(Self::Set {"),
        "{text}"
    );
    let hidden = woven("mod inner { pub struct Pair { a: u8 } }");
    assert!(hidden.contains(
        "if !shapes.sees(::core::module_path!(), 1) { return ::situ_explore::Shape::Impossible; }"
    ));
}

#[test]
fn a_function_that_does_not_compile_takes_no_other_with_it() {
    let source = format!(
        "{LEVEL} impl Level {{ pub fn new() -> Level {{}} pub fn of(it: Odd) -> Level {{}} }}"
    );
    let plan = plan(&[SourceFile::root(&source)], Answers::default());
    let odd = plan
        .pieces
        .iter()
        .position(|piece| piece.key.contains(" by of "))
        .unwrap();
    let text = weave(
        &source,
        &plan.insertions[0],
        &plan.pieces,
        &BTreeSet::from([odd]),
    )
    .text;
    parse(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    assert!(
        text.contains(
            "let makers = ::situ_explore::standard::vec![ Self::__situ_takes_0(shapes), ];"
        ),
        "{text}"
    );
    assert!(!text.contains("Slot::<Odd>"), "{text}");
}

#[test]
fn a_type_that_says_itself_how_it_is_made_is_asked() {
    let source = "pub struct Even { value: u32 } impl<'a> arbitrary::Arbitrary<'a> for Even {} pub struct Odd { value: u32 }";
    let text = woven_with(
        source,
        Answers {
            arbitrary: true,
            proptest: false,
        },
    );
    assert!(
        text.contains("T: for<'a> ::arbitrary::Arbitrary<'a>") && !text.contains("::proptest::"),
        "{text}"
    );
    assert!(
        !text.contains("Explore for Even") && text.contains("Explore for Odd"),
        "{text}"
    );
    assert!(
        woven(source).contains("Explore for Even"),
        "without the crate its trait means nothing"
    );
}

/// Returns the functions of a source, each with the test that calls it or why there is none.
fn called(source: &str) -> Vec<(String, Result<String, String>)> {
    let work = super::Work {
        is_wanted: &|_| true,
        allows_effects: false,
        checks: &std::collections::BTreeMap::new(),
    };
    let (plan, functions) =
        super::plan_calls(&[SourceFile::root(source)], Answers::default(), &work);
    let woven = weave(source, &plan.insertions[0], &plan.pieces, &BTreeSet::new()).text;
    parse(&woven).unwrap_or_else(|error| panic!("{error}:\n{woven}"));
    functions
        .into_iter()
        .map(|function| (function.path, function.test))
        .collect()
}

#[test]
fn a_function_is_called_or_says_why_it_is_not() {
    let source = "pub fn plain(x: u8, y: &str, z: &mut Vec<u8>) -> u8 { x } \
                  async fn later() {} unsafe fn raw() {} fn never() -> ! { loop {} } fn main() {} \
                  fn reads(path: &str) -> bool { std::fs::read(path).is_ok() } \
                  fn shown(x: impl Shown) {} fn unknown<T: Elsewhere>(x: T) {} \
                  mod inner { pub fn deep<T: Clone, const N: usize>(x: [T; N]) {} } \
                  trait Shown {} impl Shown for Level {} pub struct Level(u8); \
                  impl Level { pub fn new(x: u8) -> Level { Level(x) } fn up(&mut self) {} fn held(self: Box<Self>) {} }";
    let all = called(source);
    let of = |path: &str| {
        let found = all.iter().find(|(name, _)| name == path);
        found
            .unwrap_or_else(|| panic!("no {path}: {all:?}"))
            .1
            .clone()
    };
    for path in ["plain", "shown", "inner::deep", "Level::new", "Level::up"] {
        assert!(of(path).is_ok(), "{path}: {:?}", of(path));
    }
    assert!(
        of("inner::deep")
            .unwrap()
            .starts_with("inner::__situ_call_")
    );
    let reasons = [
        ("later", "async"),
        ("raw", "unsafe"),
        ("never", "never returns"),
        ("main", "entry"),
        ("reads", "files"),
        ("unknown", "no implementor"),
        ("Level::held", "receiver"),
    ];
    for (path, reason) in reasons {
        let why = of(path).unwrap_err();
        assert!(why.contains(reason), "{path}: {why}");
    }
}
