//! Values rendered as expressions, and values that cannot be.

use super::*;
use crate::source::SourceFile;

fn int(type_name: &'static str, value: i128) -> Value {
    Value::Int {
        type_name,
        bits: value as u128,
    }
}

fn text(text: &str) -> Value {
    Value::Ref {
        mutable: false,
        inner: Box::new(Value::Str(text.to_owned())),
    }
}

fn list(kind: SeqKind, type_name: &str, items: Vec<Value>) -> Value {
    Value::Seq {
        kind,
        type_name: type_name.to_owned(),
        items,
    }
}

fn structure(
    type_name: &str,
    variant: Option<&str>,
    shape: Shape,
    fields: Vec<(&str, Value)>,
) -> Value {
    let fields = fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    Value::Struct {
        type_name: type_name.to_owned(),
        variant: variant.map(str::to_owned),
        shape,
        fields,
    }
}

#[track_caller]
fn check(value: &Value, expected: &str) {
    check_in("", value, expected);
}

/// Checks an expression in a crate with this source.
#[track_caller]
fn check_in(source: &str, value: &Value, expected: &str) {
    let here = TestModule {
        krate: "mine".to_owned(),
        module: "parse".to_owned(),
        ..TestModule::default()
    };
    assert_eq!(
        expression(value, &here, &table(source)).as_deref(),
        Ok(expected)
    );
}

#[test]
fn a_crate_without_std_has_no_vec_macro_even_where_it_brings_std_back() {
    let numbers = list(
        SeqKind::Vec,
        "alloc::vec::Vec<u8>",
        vec![int("u8", 1), int("u8", 2)],
    );
    let std = "#[cfg(feature = \"std\")]\nextern crate std;";
    check_in("fn f() {}", &numbers, "vec![1u8, 2]");
    check_in(
        &format!("#![no_std]\nextern crate alloc;\n{std}"),
        &numbers,
        "alloc::vec![1u8, 2]",
    );
    check_in(&format!("#![no_std]\n{std}"), &numbers, "std::vec![1u8, 2]");
    check_in(
        "#![no_std]\nextern crate alloc;",
        &numbers,
        "[1u8, 2].to_vec()",
    );
}

#[test]
fn literals_say_their_types() {
    check(&int("i8", -128), "-128i8");
    check(
        &Value::Int {
            type_name: "u128",
            bits: u128::MAX,
        },
        "u128::MAX",
    );
    check(
        &Value::Float {
            double: true,
            bits: f64::NAN.to_bits(),
        },
        "f64::NAN",
    );
    check(
        &Value::Float {
            double: true,
            bits: f64::NEG_INFINITY.to_bits(),
        },
        "f64::NEG_INFINITY",
    );
    check(
        &Value::Float {
            double: false,
            bits: u64::from(0.1f32.to_bits()),
        },
        "0.1f32",
    );
    check(
        &Value::Float {
            double: true,
            bits: (-0.0f64).to_bits(),
        },
        "-0.0f64",
    );
    check(
        &Value::Float {
            double: true,
            bits: 0x7ff8_0000_0000_0001,
        },
        "f64::from_bits(0x7ff8000000000001)",
    );
    check(&Value::Char('\''), "'\\''");
    check(&text("a\"\n"), "\"a\\\"\\n\"");
}

#[test]
fn only_the_first_of_a_list_says_its_type() {
    let bytes = list(
        SeqKind::Vec,
        "alloc::vec::Vec<u8>",
        vec![int("u8", 1), int("u8", 2)],
    );
    check(&bytes, "vec![1u8, 2]");
    let zeros = list(SeqKind::Array, "[u8; 9]", vec![int("u8", 0); 9]);
    check(&zeros, "[0u8; 9]");
    let pairs = list(
        SeqKind::Array,
        "[(u8, u8); 9]",
        vec![Value::Tuple(vec![int("u8", 0); 2]); 9],
    );
    check(&pairs, "[(0u8, 0u8); 9]");
    let slice = Value::Ref {
        mutable: false,
        inner: Box::new(list(SeqKind::Slice, "[u8]", vec![int("u8", 1)])),
    };
    check(&slice, "&[1u8]");
    check(&Value::Tuple(vec![slice]), "(&[1u8][..],)");
}

#[test]
fn empty_ones_say_what_they_would_hold() {
    check(
        &list(
            SeqKind::Vec,
            "alloc::vec::Vec<alloc::string::String>",
            vec![],
        ),
        "Vec::<String>::new()",
    );
    let map = "std::collections::hash::map::HashMap<u8, mine::T, std::hash::random::RandomState>";
    let expected = "std::collections::HashMap::<u8, crate::T>::new()";
    check(&list(SeqKind::HashMap, map, vec![]), expected);
    check(
        &structure(
            "core::option::Option<&str>",
            Some("None"),
            Shape::Unit,
            vec![],
        ),
        "None::<&str>",
    );
    let ok = structure(
        "core::result::Result<u8, mine::E>",
        Some("Ok"),
        Shape::Tuple,
        vec![("0", int("u8", 1))],
    );
    check(&ok, "Ok::<_, crate::E>(1u8)");
    let borrowed = |mutable| Value::Ref {
        mutable,
        inner: Box::new(list(SeqKind::Slice, "[mine::E]", vec![])),
    };
    check(
        &Value::Tuple(vec![borrowed(false)]),
        "(&[] as &[crate::E],)",
    );
    check(
        &Value::Tuple(vec![borrowed(true)]),
        "(&mut [] as &mut [crate::E],)",
    );
}

#[test]
fn bytes_that_are_a_text_are_written_as_one() {
    let bytes = |kind, text: &str| {
        list(
            kind,
            "[u8]",
            text.bytes().map(|byte| int("u8", byte.into())).collect(),
        )
    };
    let borrowed = |inner: Value| Value::Ref {
        mutable: false,
        inner: Box::new(inner),
    };
    check(&borrowed(bytes(SeqKind::Slice, "a%\"\n")), r#"b"a%\"\n""#);
    check(
        &Value::Tuple(vec![borrowed(bytes(SeqKind::Slice, "ab"))]),
        "(&b\"ab\"[..],)",
    );
    check(&bytes(SeqKind::Vec, "ab"), "b\"ab\".to_vec()");
    check(&bytes(SeqKind::Vec, "12"), "vec![49u8, 50]");
    let style = Style {
        whole_slices: true,
        ..Style::default()
    };
    let among_others = |value: Value| {
        styled(&value, &TestModule::default(), &TypeTable::default(), style).unwrap()
    };
    assert_eq!(
        among_others(borrowed(bytes(SeqKind::Slice, "ab"))),
        "&b\"ab\"[..]"
    );
    assert_eq!(
        among_others(borrowed(bytes(SeqKind::Slice, "\u{1}"))),
        "&[1u8][..]"
    );
    assert_eq!(among_others(borrowed(bytes(SeqKind::Slice, ""))), "&[][..]");
}

#[test]
fn moments_are_sums_by_the_names_that_are_imported() {
    let built = |head: &str, args: Vec<Value>, tail: &str| Value::Built {
        type_name: String::new(),
        head: head.to_owned(),
        args,
        tail: tail.to_owned(),
    };
    let since = built(
        "std::time::Duration::new",
        vec![int("u64", 3), int("u32", 0)],
        "",
    );
    let moment = built(
        SUM,
        vec![built("", vec![], "std::time::UNIX_EPOCH"), since],
        "",
    );
    check(
        &moment,
        "std::time::UNIX_EPOCH + std::time::Duration::new(3u64, 0u32)",
    );
    let borrowed = Value::Ref {
        mutable: false,
        inner: Box::new(moment.clone()),
    };
    check(
        &borrowed,
        "&(std::time::UNIX_EPOCH + std::time::Duration::new(3u64, 0u32))",
    );
    let file = syn::parse_file("use std::time::{Duration, UNIX_EPOCH};").unwrap();
    let here = TestModule {
        imports: Imports::of(&file.items, ""),
        ..TestModule::default()
    };
    let style = Style {
        typed_by_place: true,
        ..Style::default()
    };
    assert_eq!(
        styled(&moment, &here, &TypeTable::default(), style).unwrap(),
        "UNIX_EPOCH + Duration::new(3, 0)"
    );
}

#[test]
fn what_holds_memory_by_hand_is_collected_from_its_elements() {
    let made_of = |items| Value::Built {
        type_name: "mine::Stack<u8, 4>".to_owned(),
        head: FROM_ELEMENTS.to_owned(),
        args: vec![list(SeqKind::Array, "[u8; 0]", items)],
        tail: String::new(),
    };
    check(
        &made_of(vec![int("u8", 1), int("u8", 2)]),
        "vec![1u8, 2].into_iter().collect::<crate::Stack<u8, 4>>()",
    );
    check(
        &made_of(vec![]),
        "std::iter::empty::<u8>().collect::<crate::Stack<u8, 4>>()",
    );
    let here = TestModule {
        krate: "mine".to_owned(),
        ..TestModule::default()
    };
    let style = Style {
        typed_by_place: true,
        ..Style::default()
    };
    let in_place = styled(
        &made_of(vec![int("u8", 1)]),
        &here,
        &TypeTable::default(),
        style,
    );
    assert_eq!(in_place.as_deref(), Ok("vec![1].into_iter().collect()"));
}

#[test]
fn a_function_is_a_value_by_its_name() {
    let function = |path: &str| Value::Struct {
        type_name: path.to_owned(),
        variant: None,
        shape: Shape::Unit,
        fields: Vec::new(),
    };
    let here = TestModule {
        krate: "mine".to_owned(),
        ..TestModule::default()
    };
    let types = table("fn capitalize(s: &str) {} mod inner { struct Hidden; }");
    assert_eq!(
        expression(&function("mine::capitalize"), &here, &types).as_deref(),
        Ok("crate::capitalize")
    );
    assert!(expression(&function("mine::inner::Hidden"), &here, &types).is_err());
}

#[test]
fn what_its_own_function_makes_of_a_slice_is_made_by_it() {
    let made_of = |items| Value::Built {
        type_name: "mine::big::Limbs".to_owned(),
        head: format!("{OWN_FUNCTION}try_from"),
        args: vec![Value::Ref {
            mutable: false,
            inner: Box::new(list(SeqKind::Slice, "[u64]", items)),
        }],
        tail: ".unwrap()".to_owned(),
    };
    let source = "pub mod big { pub struct Limbs; } impl TryFrom<&[u64]> for big::Limbs { fn try_from(of: &[u64]) {} }";
    let check = |value: &Value, expected: &str| check_in(source, value, expected);
    check(
        &made_of(vec![int("u64", 1), int("u64", 2)]),
        "crate::big::Limbs::try_from(&[1, 2]).unwrap()",
    );
    check(
        &made_of(vec![]),
        "crate::big::Limbs::try_from(&[]).unwrap()",
    );
    let here = TestModule {
        krate: "mine".to_owned(),
        ..TestModule::default()
    };
    let other = expression(
        &made_of(vec![]),
        &here,
        &table("pub mod big { pub struct Limbs; }"),
    );
    assert!(
        other.unwrap_err().0.contains("declare no"),
        "nothing is called that the sources do not have"
    );
}

#[test]
fn the_only_value_of_a_type_is_written_where_the_sources_write_it() {
    let zone = Value::Built {
        type_name: "far::private::Zone".to_owned(),
        head: ONLY_VALUE.to_owned(),
        args: Vec::new(),
        tail: String::new(),
    };
    let here = TestModule {
        krate: "mine".to_owned(),
        ..TestModule::default()
    };
    let written = |source: &str| expression(&zone, &here, &table(source));
    assert_eq!(
        written("use far::Zone; fn f() { g(&Zone) }").as_deref(),
        Ok("far::Zone")
    );
    assert!(written("use far::Zone; fn f() { g(Zone::new()) }").is_err());
}

#[test]
fn a_long_list_is_said_by_what_differs_in_it() {
    let mut bytes = vec![int("u8", 0); 40];
    bytes[3] = int("u8", 7);
    bytes[8] = int("u8", 1);
    bytes[9] = int("u8", 2);
    let text = "{ let mut filled = [0u8; 40]; filled[3] = 7; filled[8..10].copy_from_slice(&[1, 2]); filled }";
    check(&list(SeqKind::Array, "[u8; 40]", bytes.clone()), text);
    let borrowed = Value::Ref {
        mutable: false,
        inner: Box::new(list(SeqKind::Array, "[u8; 40]", bytes.clone())),
    };
    let here = TestModule {
        krate: "mine".to_owned(),
        ..TestModule::default()
    };
    let constant = expression(&borrowed, &here, &TypeTable::default()).unwrap();
    assert!(
        constant.starts_with("&[0u8, 0, 0, 7, 0"),
        "what is borrowed has to live: {constant}"
    );
    check(
        &list(SeqKind::Vec, "alloc::vec::Vec<u8>", bytes),
        &text.replacen('[', "vec![", 1),
    );
}

#[test]
fn nothing_is_called_that_a_recording_only_names() {
    let types = table(
        "pub struct Point { pub x: u8 } impl Point { pub fn wipe(path: &str) {} } pub fn wipe(path: &str) {}",
    );
    let here = TestModule {
        krate: "mine".to_owned(),
        ..TestModule::default()
    };
    let path = || vec![("0", text("/"))];
    for value in [
        structure("std::fs::remove_dir_all", None, Shape::Tuple, path()),
        structure("std::process::Command", Some("new"), Shape::Tuple, path()),
        structure("mine::wipe", None, Shape::Tuple, path()),
        structure("mine::Point", Some("wipe"), Shape::Tuple, path()),
        structure("mine::Point", None, Shape::Named, vec![("y", text("/"))]),
        structure("far::wipe", None, Shape::Unit, vec![]),
        structure("std::fs::remove_dir_all", None, Shape::Unit, vec![]),
        structure(
            "core::option::Option<u8>",
            Some("wipe"),
            Shape::Tuple,
            path(),
        ),
        structure(
            "core::option::Option<&dyn core::fmt::Debug>",
            Some("wipe"),
            Shape::Tuple,
            path(),
        ),
        structure("std::ops::Range", Some("wipe"), Shape::Tuple, path()),
    ] {
        let refused = expression(&value, &here, &types);
        assert!(refused.is_err(), "{refused:?}");
        let inside = expression(&Value::Tuple(vec![value]), &here, &types);
        assert!(inside.is_err(), "{inside:?}");
    }
    let function = structure("mine::wipe", None, Shape::Unit, vec![]);
    assert_eq!(
        expression(&function, &here, &types).as_deref(),
        Ok("crate::wipe"),
        "its name alone runs nothing"
    );
    assert!(
        expression(
            &Value::Refused(situ_recorder::value::Refusal::Field),
            &here,
            &types
        )
        .is_err()
    );
}

#[test]
fn types_that_are_private_elsewhere_are_not_written() {
    let types = table("mod tests { struct Grid; pub enum Side { Left } }");
    let grid = structure("mine::tests::Grid", None, Shape::Unit, vec![]);
    let written = |module: &str, value: &Value| {
        let here = TestModule {
            krate: "mine".to_owned(),
            module: module.to_owned(),
            ..TestModule::default()
        };
        expression(value, &here, &types)
    };
    assert!(written("", &grid).is_err());
    assert_eq!(written("tests", &grid).as_deref(), Ok("crate::tests::Grid"));
    let side = structure("mine::tests::Side", Some("Left"), Shape::Unit, vec![]);
    assert_eq!(
        written("", &side).as_deref(),
        Ok("crate::tests::Side::Left")
    );
}

#[test]
fn a_cow_says_what_it_would_borrow() {
    let owned = Value::Built {
        type_name: "alloc::borrow::Cow<'_, str>".to_owned(),
        head: "std::borrow::Cow::Owned".to_owned(),
        args: vec![text("a")],
        tail: String::new(),
    };
    check(&owned, "std::borrow::Cow::<str>::Owned(\"a\")");
}

#[test]
fn structs_and_variants_are_written_by_their_fields() {
    let source = "pub enum Shape { Rect { w: u32 } } pub struct W<T>(pub T); pub struct U; pub struct B<'b>(pub u8);";
    let check = |value: &Value, expected: &str| check_in(source, value, expected);
    let rect = structure(
        "mine::Shape",
        Some("Rect"),
        Shape::Named,
        vec![("w", int("u32", 2))],
    );
    check(&rect, "crate::Shape::Rect { w: 2u32 }");
    let generic = structure("mine::W<u8>", None, Shape::Tuple, vec![("0", int("u8", 2))]);
    check(&generic, "crate::W::<u8>(2u8)");
    check(&structure("mine::U", None, Shape::Unit, vec![]), "crate::U");
    check(
        &structure("mine::B<'_>", None, Shape::Tuple, vec![("0", int("u8", 2))]),
        "crate::B(2u8)",
    );
}

#[test]
fn what_cannot_be_rebuilt_says_why() {
    let here = TestModule::default();
    let refused = |value: Value| {
        expression(&value, &here, &TypeTable::default())
            .unwrap_err()
            .0
    };
    assert!(refused(Value::Withheld).contains("secret"));
    let inside = Value::Tuple(vec![Value::Cut {
        reason: "larger than the bound".to_owned(),
    }]);
    assert!(refused(inside).contains("larger"));
    let debug = Value::Debug {
        type_name: "x::Y".to_owned(),
        text: "Y".to_owned(),
    };
    assert!(refused(debug).contains("`x::Y`"));
}

fn table(source: &str) -> TypeTable {
    TypeTable::of("mine", &[SourceFile::root(source)])
}

#[test]
fn private_fields_take_a_constructor_where_the_test_stands_outside() {
    let types = table(
        "mod inner { pub struct P { a: u8, b: u8 } impl P { pub fn make(b: u8, x: u8) -> Self { P { a: x, b } } } \
         pub struct Q { a: u8 } } fn f() { struct Local; }",
    );
    let fields = || vec![("a", int("u8", 1)), ("b", int("u8", 2))];
    let value = structure("mine::inner::P", None, Shape::Named, fields());
    let at = |module: &str| TestModule {
        krate: "mine".to_owned(),
        module: module.to_owned(),
        ..TestModule::default()
    };
    assert_eq!(
        expression(&value, &at("inner"), &types).unwrap(),
        "crate::inner::P { a: 1u8, b: 2u8 }"
    );
    assert_eq!(
        expression(&value, &at("inner::deep"), &types).unwrap(),
        "crate::inner::P { a: 1u8, b: 2u8 }"
    );
    assert_eq!(
        expression(&value, &at("other"), &types).unwrap(),
        "crate::inner::P::make(2u8, 1u8)"
    );
    let without = structure(
        "mine::inner::Q",
        None,
        Shape::Named,
        vec![("a", int("u8", 1))],
    );
    assert!(
        expression(&without, &at("other"), &types)
            .unwrap_err()
            .0
            .contains("no constructor")
    );
    let local = structure("mine::f::Local", None, Shape::Unit, vec![]);
    assert!(
        expression(&local, &at(""), &types)
            .unwrap_err()
            .0
            .contains("inside a function")
    );
}

#[test]
fn a_constructor_is_known_however_it_names_its_type() {
    let source = |functions: &str| {
        let aliases = "pub type Pair = P; pub struct P { a: u8 } use other::P as Q;";
        format!(
            "mod inner {{ {aliases} }} mod more {{ use crate::inner::Pair as Made; impl Made {{ {functions} }} }}"
        )
    };
    let value = structure(
        "mine::inner::P",
        None,
        Shape::Named,
        vec![("a", int("u8", 1))],
    );
    let here = TestModule {
        krate: "mine".to_owned(),
        module: "other".to_owned(),
        ..TestModule::default()
    };
    for given in ["Self", "Made", "crate::inner::P", "super::inner::Pair"] {
        let types = table(&source(&format!(
            "pub fn of(a: u8) -> {given} {{ Self {{ a }} }}"
        )));
        assert_eq!(
            expression(&value, &here, &types).unwrap(),
            "crate::inner::P::of(1u8)",
            "{given}"
        );
    }
    for given in ["other::P", "Option<Self>", "Box<Self>"] {
        let types = table(&source(&format!(
            "pub fn of(a: u8) -> {given} {{ Self {{ a }} }}"
        )));
        assert!(expression(&value, &here, &types).is_err(), "{given}");
    }
}

#[test]
fn types_that_nobody_can_name_are_not_written() {
    let mut types =
        table("fn wanted() { struct Local; } mod tests { struct Double; pub fn called() {} }");
    types.set_unnamed_crates(["it".to_owned()].into());
    let here = TestModule {
        krate: "mine".to_owned(),
        ..TestModule::default()
    };
    let written = |name: &str| written_type(name, &here, &types);
    assert_eq!(
        written("alloc::vec::Vec<far::Kind>"),
        Some("Vec<far::Kind>".to_owned())
    );
    for unnameable in [
        "it::Double",
        "mine::tests::Double",
        "mine::tests::called",
        "mine::wanted::Local",
    ] {
        assert_eq!(written(unnameable), None, "{unnameable}");
        assert_eq!(
            written(&format!("alloc::vec::Vec<{unnameable}>")),
            None,
            "a list of {unnameable}"
        );
    }
}

fn far(source: &str) -> TypeTable {
    let file = SourceFile {
        path: "src/far.rs".into(),
        module: vec!["far".to_owned()],
        conditions: Vec::new(),
        text: source.to_owned(),
        tree: syn::parse_file(source).unwrap(),
    };
    TypeTable::of("mine", &[file])
}

#[test]
fn a_constructor_that_makes_the_fields_is_given_what_it_made_them_from() {
    let types = far(
        "pub struct Input<'i> { chars: Chars<'i>, line: u8, seen: Vec<u8> } impl<'i> Input<'i> { pub fn new(text: &'i str) -> \
         Self { Input { chars: text.chars(), line: 1, seen: Vec::new() } } }",
    );
    let here = TestModule {
        krate: "mine".to_owned(),
        module: "parse".to_owned(),
        ..TestModule::default()
    };
    let input = |line: i128| {
        let chars = Value::Built {
            type_name: "core::str::iter::Chars".to_owned(),
            head: String::new(),
            args: vec![text("abc")],
            tail: ".chars()".to_owned(),
        };
        let seen = list(SeqKind::Vec, "alloc::vec::Vec<u8>", Vec::new());
        let fields = vec![("chars", chars), ("line", int("u8", line)), ("seen", seen)];
        structure("mine::far::Input<'_>", None, Shape::Named, fields)
    };
    assert_eq!(
        expression(&input(1), &here, &types).as_deref(),
        Ok("crate::far::Input::new(\"abc\")")
    );
    assert!(
        expression(&input(2), &here, &types).is_err(),
        "the constructor never gives that"
    );
}

#[test]
fn a_field_that_can_be_seen_is_set_where_no_constructor_gives_it() {
    let types = far(
        "pub struct Part { pub(crate) inner: u8, least: u8, more: Vec<u8> } impl Part { pub fn new(least: u8) -> Self { \
                     Part { inner: 0, least, more: vec![] } } }",
    );
    let here = TestModule {
        krate: "mine".to_owned(),
        module: "parse".to_owned(),
        ..TestModule::default()
    };
    let part = |inner: i128| {
        let more = list(SeqKind::Vec, "alloc::vec::Vec<u8>", Vec::new());
        let fields = vec![
            ("inner", int("u8", inner)),
            ("least", int("u8", 3)),
            ("more", more),
        ];
        structure("mine::far::Part", None, Shape::Named, fields)
    };
    assert_eq!(
        expression(&part(0), &here, &types).as_deref(),
        Ok("crate::far::Part::new(3u8)")
    );
    let set = "{ let mut made = crate::far::Part::new(3u8); made.inner = 2u8; made }";
    assert_eq!(expression(&part(2), &here, &types).as_deref(), Ok(set));
}

#[test]
fn a_type_that_derives_its_default_is_written_by_it() {
    let types = far("#[derive(Debug, Default)] pub struct Quoter { all: bool, kept: Option<u8> }");
    let here = TestModule {
        krate: "mine".to_owned(),
        module: "parse".to_owned(),
        ..TestModule::default()
    };
    let kept = structure(
        "core::option::Option<u8>",
        Some("None"),
        Shape::Unit,
        Vec::new(),
    );
    let fields = vec![("all", Value::Bool(false)), ("kept", kept)];
    let quoter = structure("mine::far::Quoter", None, Shape::Named, fields);
    let expected = "crate::far::Quoter::default()";
    assert_eq!(expression(&quoter, &here, &types).as_deref(), Ok(expected));
}

#[test]
fn hash_maps_are_made_without_what_old_editions_do_not_have() {
    let entry = || vec![Value::Tuple(vec![int("u8", 1), int("u8", 2)])];
    let usual = list(
        SeqKind::HashMap,
        "std::collections::hash::map::HashMap<u8, u8>",
        entry(),
    );
    check(&usual, "std::collections::HashMap::from([(1u8, 2u8)])");
    let other = list(
        SeqKind::HashMap,
        "std::collections::hash::map::HashMap<u8, u8, fast::Hasher>",
        entry(),
    );
    check(
        &other,
        "<std::collections::HashMap<u8, u8, fast::Hasher> as std::iter::FromIterator<_>>::from_iter([(1u8, 2u8)])",
    );
}

#[test]
fn a_none_whose_type_has_no_name_leaves_it_out() {
    check(
        &structure(
            "core::option::Option<&dyn core::ops::function::Fn(u8)>",
            Some("None"),
            Shape::Unit,
            Vec::new(),
        ),
        "None",
    );
}
