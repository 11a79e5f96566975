//! Values that no writer produces.

use super::*;
use crate::bytes::{put_number, put_text};

/// The bytes of one value, assembled by hand.
#[derive(Default)]
struct Bytes {
    bytes: Vec<u8>,
    names: Vec<Name>,
}

impl Bytes {
    fn byte(mut self, byte: u8) -> Bytes {
        self.bytes.push(byte);
        self
    }

    fn name(mut self, name: &str) -> Bytes {
        put_number(&mut self.bytes, self.names.len() as u128);
        self.names.push(Name::new(name));
        self
    }

    fn text(mut self, text: &str) -> Bytes {
        put_text(&mut self.bytes, text);
        self
    }

    fn decoded(&self) -> Result<Value, Malformed> {
        decode(
            &mut Reader::new(&self.bytes),
            &self.names,
            &Budget::new(1 << 20),
        )
    }
}

const CODE: &str = "{ std::fs::write(\"x\", \"\"); T }";

fn structure(type_name: &str, variant: &str, field: &str) -> Result<Value, Malformed> {
    let head = Bytes::default()
        .byte(tag::STRUCT)
        .name(type_name)
        .name(variant)
        .byte(1);
    head.byte(tag::FIELD)
        .name(field)
        .byte(tag::UNIT)
        .byte(tag::END)
        .decoded()
}

#[test]
fn code_in_the_place_of_a_name_refuses_the_value() {
    assert!(matches!(
        structure("mine::T", "", "0"),
        Ok(Value::Struct { .. })
    ));
    assert_eq!(
        structure(CODE, "", "0"),
        Ok(Value::Refused(Refusal::TypeName))
    );
    assert_eq!(
        structure("mine::T", CODE, "0"),
        Ok(Value::Refused(Refusal::Variant))
    );
    assert_eq!(
        structure("mine::T", "", CODE),
        Ok(Value::Refused(Refusal::Field))
    );
    let seq = Bytes::default()
        .byte(tag::SEQ)
        .byte(2)
        .name(CODE)
        .byte(tag::END);
    assert_eq!(seq.decoded(), Ok(Value::Refused(Refusal::TypeName)));
    for kind in [tag::PARSED, tag::DEBUG] {
        let text = Bytes::default().byte(kind).name(CODE).text("1");
        assert_eq!(text.decoded(), Ok(Value::Refused(Refusal::TypeName)));
    }
    let opaque = Bytes::default().byte(tag::OPAQUE).name(CODE).name("why");
    assert_eq!(opaque.decoded(), Ok(Value::Refused(Refusal::TypeName)));
    let built = |type_name: &str, head: &str, tail: &str| {
        let names = Bytes::default()
            .byte(tag::BUILT)
            .name(type_name)
            .name(head)
            .name(tail);
        names.byte(tag::UNIT).byte(tag::END).decoded()
    };
    assert!(matches!(
        built("mine::T", "Box::new", ""),
        Ok(Value::Built { .. })
    ));
    assert_eq!(
        built("mine::T", CODE, ""),
        Ok(Value::Refused(Refusal::Expression))
    );
    assert_eq!(
        built("mine::T", "Box::new", CODE),
        Ok(Value::Refused(Refusal::Expression))
    );
    assert_eq!(
        built("mine::T", "std::process::exit", ""),
        Ok(Value::Refused(Refusal::Expression))
    );
    assert_eq!(
        built(CODE, "Box::new", ""),
        Ok(Value::Refused(Refusal::TypeName))
    );
}

#[test]
fn what_is_refused_is_lost_with_everything_around_it() {
    let refused = structure("mine::T", CODE, "0").unwrap();
    assert_eq!(refused.loss(), Some(crate::value::Loss::Refused));
    assert!(!Value::Tuple(vec![Value::Unit, refused]).is_exact());
}

#[test]
fn a_tree_without_bottom_is_malformed() {
    let deep = Bytes {
        bytes: vec![tag::REF; 100_000],
        names: Vec::new(),
    };
    assert_eq!(deep.decoded(), Err(Malformed));
    let wide = Bytes {
        bytes: vec![tag::TUPLE; 100_000],
        names: Vec::new(),
    };
    assert_eq!(wide.decoded(), Err(Malformed));
}

#[test]
fn a_few_bytes_do_not_become_many() {
    // Each field repeats a long name.
    let long = "a".repeat(60_000);
    let mut fields = Bytes::default()
        .byte(tag::STRUCT)
        .name("mine::T")
        .name("")
        .byte(2);
    fields.names.push(Name::new(&long));
    for _ in 0..1000 {
        fields.bytes.extend([tag::FIELD, 2, tag::UNIT]);
    }
    assert_eq!(fields.byte(tag::END).decoded(), Err(Malformed));
    let mut bytes = Bytes::default().byte(tag::TUPLE).byte(tag::BYTES);
    put_number(&mut bytes.bytes, 100_000);
    bytes.bytes.extend(vec![0; 100_000]);
    assert_eq!(bytes.byte(tag::END).decoded(), Err(Malformed));
}
