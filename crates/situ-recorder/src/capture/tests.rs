//! What is captured of values of all kinds.

use super::*;
use crate::bytes::Reader;
use crate::decode::{Budget, Name, decode};
use crate::secret::Secrecy;
use crate::value::{Loss, ONLY_VALUE, SeqKind, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;
use std::sync::Mutex;

pub(crate) fn decoded(writer: &Writer) -> Value {
    let mut names = Vec::new();
    writer.put_names(&mut names);
    let mut reader = Reader::new(&names);
    let names: Vec<Name> = (0..reader.length().unwrap())
        .map(|_| Name::new(reader.text().unwrap()))
        .collect();
    let mut values = Reader::new(writer.bytes());
    values.length().unwrap();
    let value = decode(&mut values, &names, &Budget::new(1 << 24)).unwrap();
    assert!(values.is_empty(), "bytes are left over");
    value
}

/// Captures a value, under a name that is no secret or under the given one.
macro_rules! captured {
    ($value:expr) => {
        $crate::capture::tests::captured!($value, $crate::secret::Secrecy::None)
    };
    ($value:expr, $secrecy:expr) => {{
        let mut writer = $crate::Writer::new(1 << 16);
        writer.start_value(0, $secrecy);
        $crate::capture::by_level(&$value).capture_by_level(&mut writer);
        writer.end_value();
        $crate::capture::tests::decoded(&writer)
    }};
}
pub(crate) use captured;

fn int(type_name: &'static str, value: i128) -> Value {
    Value::Int {
        type_name,
        bits: value as u128,
    }
}

#[test]
fn integers_keep_type_and_sign() {
    assert_eq!(captured!(-5i8), int("i8", -5));
    assert_eq!(
        captured!(u128::MAX),
        Value::Int {
            type_name: "u128",
            bits: u128::MAX
        }
    );
    assert_eq!(captured!(i128::MIN), int("i128", i128::MIN));
}

#[test]
fn floats_keep_their_bits() {
    assert_eq!(
        captured!(f64::NAN),
        Value::Float {
            double: true,
            bits: f64::NAN.to_bits()
        }
    );
    assert_eq!(
        captured!(-0.0f32),
        Value::Float {
            double: false,
            bits: u64::from((-0.0f32).to_bits())
        }
    );
}

#[test]
fn bytes_and_other_elements_read_alike() {
    let Value::Seq {
        kind: SeqKind::Vec,
        items,
        ..
    } = captured!(vec![1u8, 2])
    else {
        panic!("no vector")
    };
    assert_eq!(items, [int("u8", 1), int("u8", 2)]);
    let Value::Seq {
        kind: SeqKind::Array,
        items,
        ..
    } = captured!([1u16, 2])
    else {
        panic!("no array")
    };
    assert_eq!(items, [int("u16", 1), int("u16", 2)]);
}

#[test]
fn unordered_collections_are_written_in_one_order() {
    let forwards: HashMap<u32, &str> = (0..50).map(|key| (key, "x")).collect();
    let backwards: HashMap<u32, &str> = (0..50).rev().map(|key| (key, "x")).collect();
    assert_eq!(captured!(forwards), captured!(backwards));
    let set: HashSet<u8> = [3, 1, 2].into();
    let Value::Seq { items, .. } = captured!(set) else {
        panic!("no set")
    };
    assert_eq!(items, [int("u8", 1), int("u8", 2), int("u8", 3)]);
}

struct NoTraits(#[expect(dead_code, reason = "what takes no room is named by its type")] u8);

#[test]
fn a_type_that_shows_nothing_is_opaque_and_its_none_is_exact() {
    assert_eq!(captured!(NoTraits(1)).loss(), Some(Loss::Opaque));
    assert_eq!(captured!(None::<NoTraits>).loss(), None);
    assert_eq!(captured!(Some(NoTraits(1))).loss(), Some(Loss::Opaque));
    let closure = |x: u8| x + 1;
    assert_eq!(captured!(closure).loss(), Some(Loss::Nature));
    assert_eq!(closure(1), 2);
}

#[derive(PartialEq)]
struct Celsius(i32);

impl fmt::Display for Celsius {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}°", self.0)
    }
}

impl FromStr for Celsius {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        // Negative values do not parse back to themselves: the recorder must detect this.
        text.trim_end_matches('°')
            .parse::<u16>()
            .map(|degrees| Celsius(degrees.into()))
            .map_err(|_| ())
    }
}

#[test]
fn a_public_face_is_exact_only_where_it_gives_the_value_back() {
    let Value::Parsed { text, .. } = captured!(Celsius(20)) else {
        panic!("not by its face")
    };
    assert_eq!(text, "20°");
    assert_eq!(captured!(Celsius(-3)).loss(), Some(Loss::Opaque));
    assert!(captured!(&Celsius(1)).is_exact());
    assert!(captured!(Some(Celsius(1))).is_exact() && captured!(None::<Celsius>).is_exact());
    assert!(captured!(vec![Celsius(1)]).is_exact());
    assert!(captured!(Ok::<Celsius, NoTraits>(Celsius(1))).is_exact());
    assert!(!captured!(Err::<Celsius, NoTraits>(NoTraits(1))).is_exact());
}

struct Panicking;

impl fmt::Debug for Panicking {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("no text for you")
    }
}

#[test]
fn code_of_the_user_that_panics_is_contained() {
    assert_eq!(captured!(Panicking).loss(), Some(Loss::Opaque));
}

fn generic<T: fmt::Debug>(value: T) -> Value {
    captured!(value)
}

#[test]
fn a_generic_value_is_exact_where_its_type_is_known() {
    assert_eq!(generic(-7i64), int("i64", -7));
    assert!(generic(String::from("with \" quote")).is_exact());
    assert!(generic(vec![1]).is_exact());
    assert!(!generic(vec![vec![vec![1]]]).is_exact());
}

#[test]
fn held_cells_and_locks_are_left_alone() {
    let cell = RefCell::new(1u8);
    let held = cell.borrow_mut();
    assert_eq!(captured!(cell).loss(), Some(Loss::Opaque));
    drop(held);
    assert!(captured!(cell).is_exact());
    let lock = Mutex::new(1u8);
    let held = lock.lock().unwrap();
    assert_eq!(captured!(lock).loss(), Some(Loss::Opaque));
    drop(held);
}

struct Node {
    next: RefCell<Option<Rc<Node>>>,
}

impl Capture for Node {
    fn capture(&self, writer: &mut Writer) {
        self.next.capture(writer);
    }
}

#[test]
fn a_generic_type_is_seen_in_generic_code() {
    struct Pair<T>(T, T);
    impl<T> CaptureLoosely for Pair<T> {
        fn capture_loosely(&self, writer: &mut Writer) {
            writer.structure(
                std::any::type_name::<Self>(),
                "",
                crate::value::Shape::Tuple,
            );
            for (name, part) in [("0", &self.0), ("1", &self.1)] {
                writer.field(name);
                by_level(part).capture_by_level(writer);
            }
            writer.end();
        }
    }
    fn somewhere<T>(pair: &Pair<T>) -> Value {
        captured!(pair)
    }
    let Value::Struct { fields, .. } = somewhere(&Pair(1u8, 2)).behind_references().clone() else {
        panic!("no fields")
    };
    assert_eq!(
        fields,
        [
            ("0".to_owned(), int("u8", 1)),
            ("1".to_owned(), int("u8", 2))
        ]
    );
    fn in_a_vector<T>(pair: Pair<T>) -> Value {
        captured!(Some(vec![pair]))
    }
    assert!(in_a_vector(Pair("a", "b")).is_exact());
    assert!(!somewhere(&Pair(std::thread::current(), std::thread::current())).is_exact());
}

#[test]
fn a_cycle_ends() {
    let node = Rc::new(Node {
        next: RefCell::new(None),
    });
    *node.next.borrow_mut() = Some(node.clone());
    assert_eq!(captured!(node).loss(), Some(Loss::Cut));
    node.next.borrow_mut().take();
}

#[test]
fn values_under_secret_keys_are_withheld() {
    let headers = BTreeMap::from([("Authorization", "Basic 12345"), ("Host", "example.org")]);
    let text = format!("{:?}", captured!(headers));
    assert!(
        text.contains("example.org") && text.contains("Withheld"),
        "{text}"
    );
    assert!(!text.contains("12345"), "{text}");
    assert!(
        !captured!("Basic 12345").is_exact(),
        "the same text under another name"
    );
}

/// Captures a value under a name that may mean a secret.
macro_rules! captured_as_token {
    ($value:expr) => {
        captured!($value, Secrecy::IfText)
    };
}

#[test]
fn under_an_ambiguous_name_only_what_may_be_a_secret_is_withheld() {
    #[derive(Debug)]
    struct FromElsewhere(#[allow(dead_code, reason = "only its type matters")] &'static str);
    for open in [
        captured_as_token!('a'),
        captured_as_token!(Some(7u8)),
        captured_as_token!("if"),
        captured_as_token!(()),
    ] {
        assert!(open.is_exact(), "{open:?}");
    }
    let secrets = [
        captured_as_token!("9f86-of-this-test"),
        captured_as_token!(String::from("9f86-of-this-test")),
        captured_as_token!(b"9f86-of-this-test"),
        captured_as_token!(vec!['s', 'e', 'c', 'r', 'e', 't']),
        captured_as_token!(std::path::PathBuf::from("/run/9f86-of-this-test")),
        captured_as_token!(FromElsewhere("9f86-of-this-test")),
        captured_as_token!(0x9f86_d081_884c_7d65_u64),
    ];
    for secret in secrets {
        assert_eq!(secret, Value::Withheld);
    }
    assert!(
        !captured!("9f86-of-this-test").is_exact(),
        "the same text under another name"
    );
    assert!(
        !captured!(b"9f86-of-this-test".as_slice()).is_exact(),
        "its bytes under another name"
    );
}

#[test]
fn values_under_ambiguous_keys_are_written_where_they_hold_no_text() {
    let counts = BTreeMap::from([("token", 3), ("line", 4)]);
    assert!(captured!(counts).is_exact());
    let cookies = BTreeMap::from([("cookie", "id=17-of-this-test")]);
    assert!(!format!("{:?}", captured!(cookies)).contains("17-of"));
}

#[test]
fn an_iterator_in_progress_is_what_it_has_yet_to_give() {
    let mut chars = "abc".chars();
    chars.next();
    let Value::Built { args, tail, .. } = captured!(chars) else {
        panic!("no expression")
    };
    assert_eq!((args.len(), tail.as_str()), (1, ".chars()"));
    assert_eq!(args[0].behind_references(), &Value::Str("bc".to_owned()));
}

#[test]
fn an_ok_is_exact_whatever_the_error_would_have_been() {
    #[derive(Debug)]
    struct Refused;
    assert!(captured!(Ok::<String, Refused>("body".to_owned())).is_exact());
    let Value::Struct { fields, .. } = captured!(Err::<String, Refused>(Refused)) else {
        panic!("no variant")
    };
    assert!(
        matches!(&fields[0].1, Value::Debug { text, .. } if text == "Refused"),
        "{fields:?}"
    );
    let Value::Struct { fields, .. } = captured!(Some(Refused)) else {
        panic!("no variant")
    };
    assert!(
        matches!(&fields[0].1, Value::Debug { text, .. } if text == "Refused"),
        "{fields:?}"
    );
}

#[test]
fn errors_of_streams_are_known_by_their_number_or_by_their_kind_and_text() {
    use std::io::{Error, ErrorKind, Read as _};
    assert!(captured!(Error::from_raw_os_error(2)).is_exact());
    assert!(captured!(Error::from(ErrorKind::NotFound)).is_exact());
    let Value::Built { head, args, .. } = captured!(Error::other("why")) else {
        panic!("no expression")
    };
    assert_eq!(
        (head.as_str(), args[1].behind_references()),
        ("std::io::Error::new", &Value::Str("why".to_owned()))
    );
    let cause = "x".parse::<u8>().unwrap_err();
    assert!(
        !captured!(Error::new(ErrorKind::InvalidData, cause)).is_exact(),
        "its cause is more than a text"
    );
    let too_short = [1u8].as_slice().read_exact(&mut [0; 2]).unwrap_err();
    assert!(
        !captured!(too_short).is_exact(),
        "the library's own text cannot be made"
    );
    assert!(captured!(std::env::VarError::NotPresent).is_exact());
}

#[test]
fn iterators_over_parts_know_what_is_left() {
    let data = [1u8, 2, 3, 4, 5];
    let mut chunks = data.chunks_exact(2);
    chunks.next();
    let Value::Built { args, .. } = captured!(chunks) else {
        panic!("no expression")
    };
    let Value::Ref { inner, .. } = &args[0] else {
        panic!("no slice")
    };
    assert_eq!(
        inner.children().count(),
        3,
        "two of the chunk, one that remains"
    );
    assert_eq!(args[1], int("usize", 2));
    let Value::Built { args, .. } = captured!(data.windows(3)) else {
        panic!("no expression")
    };
    assert_eq!(
        (args[0].behind_references().children().count(), &args[1]),
        (5, &int("usize", 3))
    );
    let mut indices = "añb".char_indices();
    indices.nth(1);
    let Value::Built { args, .. } = captured!(indices.peekable()) else {
        panic!("no expression")
    };
    assert_eq!(args[1], int("usize", 3), "bytes that are gone");
}

#[test]
fn splitting_goes_on_with_the_parts_that_are_left() {
    let shown = |value: Value| match value {
        Value::Built {
            head, args, tail, ..
        } => format!("{head} {:?} {tail}", args[0].behind_references()),
        other => format!("{other:?}"),
    };
    let mut parts = "1.0.rc".split('.');
    parts.next();
    assert_eq!(shown(captured!(parts)), "str::split Str(\"0.rc\") ");
    assert_eq!(
        shown(captured!("a::b".split("::"))),
        "str::split Str(\"a::b\") "
    );
    assert_eq!(
        shown(captured!(" a  b ".split_whitespace())),
        " Str(\"a b\") .split_whitespace()"
    );
    assert_eq!(
        shown(captured!("ab".chars().enumerate())),
        " Str(\"ab\") .chars().enumerate()"
    );
    let (mut done, mut begun) = ("a".split('.'), "ab".chars().enumerate());
    done.next();
    begun.next();
    assert!(!captured!(done).is_exact(), "no text has no part");
    assert!(
        !captured!(begun).is_exact(),
        "it would count from nought again"
    );
}

#[test]
fn errors_of_texts_fail_at_the_same_place() {
    for bytes in [
        b"ab\xff".as_slice(),
        b"a\xe1\x80b",
        b"\xf1\x80\x80b",
        b"abc\xe1",
    ] {
        let error = std::str::from_utf8(bytes).unwrap_err();
        let Value::Built { args, .. } = captured!(error) else {
            panic!("no expression")
        };
        let same: Vec<u8> = args[0]
            .behind_references()
            .children()
            .map(|item| {
                if let Value::Int { bits, .. } = item {
                    *bits as u8
                } else {
                    panic!("no byte")
                }
            })
            .collect();
        assert_eq!(std::str::from_utf8(&same).unwrap_err(), error);
    }
}

#[test]
fn a_function_is_named_by_its_path() {
    fn shout(text: &str) -> String {
        text.to_uppercase()
    }
    assert!(captured!(shout).is_exact());
    struct Opaque(#[expect(dead_code, reason = "it has a size")] u8);
    assert!(!captured!(Opaque(1)).is_exact());
}

#[test]
fn what_takes_no_room_is_named_by_its_type() {
    struct Utc;
    let is_only = |value: &Value| matches!(value, Value::Built { head, type_name, .. } if head == ONLY_VALUE && type_name.ends_with("::Utc"));
    assert!(is_only(&captured!(Utc)) && is_only(captured!(&Utc).behind_references()));
    assert!(matches!(captured!(Some(Utc)), Value::Struct { fields, .. } if is_only(&fields[0].1)));
}

#[test]
fn a_text_that_is_too_long_is_not_written_to_its_end() {
    struct Endless;
    impl fmt::Debug for Endless {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            loop {
                f.write_str("and so on ")?;
            }
        }
    }
    assert!(matches!(captured!(Endless), Value::Cut { .. }));
    struct Failing;
    impl fmt::Debug for Failing {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Err(fmt::Error)
        }
    }
    assert!(matches!(captured!(Failing), Value::Opaque { .. }));
}

#[test]
fn the_value_of_a_pair_is_withheld_where_its_key_names_a_secret() {
    let headers = vec![
        ("Authorization", "of-pair-one".to_owned()),
        ("Host", "example.net".to_owned()),
    ];
    let text = format!("{:?}", captured!(headers));
    assert!(
        text.contains("Withheld") && text.contains("example.net") && !text.contains("of-pair-one"),
        "{text}"
    );
    assert_eq!(
        captured!(("x-api-key", 3, "of-pair-two")).loss(),
        Some(Loss::Withheld)
    );
    assert!(
        captured!(("token", 3, "a name")).is_exact(),
        "three is no token, and names nothing"
    );
    assert_eq!(
        captured!("of-pair-one and more").loss(),
        Some(Loss::Withheld)
    );
}

#[test]
fn what_is_made_from_a_secret_is_withheld_under_any_name() {
    assert_eq!(captured!("of-made-8", Secrecy::Always), Value::Withheld);
    let made = [
        captured!(String::from("login bob of-made-8")),
        captured!("OF-MADE-8"),
        captured!(b"of-made-8".as_slice()),
        captured!("of-made-8".chars().collect::<Vec<char>>()),
        captured!("of-made-8".chars()),
        captured!(vec!["6f662d6d6164652d38"]),
        captured!(std::path::PathBuf::from("/tmp/of-made-8")),
        captured!(std::io::Error::other("no of-made-8")),
    ];
    for value in made {
        assert_eq!(value.loss(), Some(Loss::Withheld), "{value:?}");
    }
    assert!(captured!("login bob").is_exact());
}

#[test]
fn of_what_is_secret_as_a_whole_only_fields_with_such_names_are_looked_for_elsewhere() {
    #[derive(Debug)]
    struct Account;
    impl Capture for Account {
        fn capture(&self, writer: &mut Writer) {
            writer.structure("Account", "", crate::value::Shape::Named);
            writer.field("region");
            writer.str("of-region");
            writer.field("password");
            writer.secret_part(Secrecy::Always, |writer| writer.str("of-field-1"));
            writer.end();
        }
    }
    assert_eq!(captured!(Account, Secrecy::Always), Value::Withheld);
    assert!(captured!("in of-region").is_exact());
    assert_eq!(captured!("in of-field-1").loss(), Some(Loss::Withheld));
}

#[test]
fn numbers_are_withheld_by_their_length_and_recognised_by_their_digits() {
    for open in [
        captured!(13u8, Secrecy::IfLong),
        captured!([1u8, 40], Secrecy::IfLong),
    ] {
        assert!(open.is_exact(), "{open:?}");
    }
    assert_eq!(captured!(7714u16, Secrecy::IfLong), Value::Withheld);
    assert_eq!(captured!(80_417_735u32, Secrecy::Always), Value::Withheld);
    assert_eq!(captured!(80_417_735u64), Value::Withheld);
    assert_eq!(captured!("code 80417735").loss(), Some(Loss::Withheld));
    assert_eq!(
        captured!(7714u16),
        Value::Withheld,
        "it was known as a secret itself"
    );
    assert!(
        captured!(4177u16).is_exact(),
        "so short a part of one is met everywhere"
    );
}

#[test]
fn floats_are_withheld_as_other_numbers_are() {
    assert!(captured!(0.5f64, Secrecy::IfLong).is_exact());
    assert!(captured!(90_417_268.5f64, Secrecy::IfText).is_exact());
    assert_eq!(captured!(90_417_268.5f64, Secrecy::IfLong), Value::Withheld);
    assert_eq!(captured!(90_417_269.0f64, Secrecy::Always), Value::Withheld);
    assert_eq!(captured!(90_417_269.0f64), Value::Withheld);
    assert_eq!(captured!(90_417_269u64), Value::Withheld);
    for known in [
        captured!(90_417_268.5f64),
        captured!(90_417_268.5f64, Secrecy::IfText),
    ] {
        assert_eq!(known, Value::Withheld);
    }
}

#[test]
fn a_secret_is_recognised_in_numbers_that_spell_it() {
    let spelled = |text: &str| -> Vec<u16> { text.encode_utf16().collect() };
    let numbers = |text: &str| -> Vec<u32> { text.chars().map(u32::from).collect() };
    assert!(captured!(spelled("of-utf16-1")).is_exact());
    assert_eq!(captured!("of-utf16-1", Secrecy::Always), Value::Withheld);
    assert_eq!(captured!(spelled("of-utf16-1")), Value::Withheld);
    assert_eq!(
        captured!(Some(numbers("see of-utf16-1"))).loss(),
        Some(Loss::Withheld)
    );
    assert!(captured!((spelled("harmless"), 1)).is_exact());
    // The numbers of a lexer's tokens are none; UTF-16 is text.
    assert!(captured!(vec![40u32, 50, 60, 70], Secrecy::IfText).is_exact());
    assert_eq!(
        captured!(spelled("of-utf16-2"), Secrecy::IfText),
        Value::Withheld
    );
    assert_eq!(
        captured!(numbers("of-utf16-3"), Secrecy::Always),
        Value::Withheld
    );
    assert_eq!(captured!("of-utf16-3").loss(), Some(Loss::Withheld));
}

#[test]
fn types_whose_names_say_so_are_withheld() {
    mod secrecy {
        #[derive(Debug)]
        pub struct SecretString(#[allow(dead_code, reason = "its text shows it")] pub &'static str);
    }
    assert_eq!(
        captured!(secrecy::SecretString("of-type-1")),
        Value::Withheld
    );
    let inside = captured!(Some(secrecy::SecretString("of-type-2")));
    assert_eq!(inside.loss(), Some(Loss::Withheld), "{inside:?}");
}
