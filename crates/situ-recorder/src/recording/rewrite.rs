//! Encoding of decoded records, with which a recording is rewritten when it is closed.

use super::reader::{Part, Records, decode_one};
use super::{Exit, MAGIC, OutgoingCall, Record, SITE, VALUES, ValueSet, frame, put_exit};
use crate::bytes::{put_bytes, put_number, put_signed, put_text};
use crate::value::{INTEGER_TYPES, SEQ_KINDS, Value, tag};

/// Returns a recording with some of its records changed, or `None` if `change` returns false for
/// all. Bytes that form no whole record become zeros, because they may contain secrets.
pub fn rewritten(file: &[u8], mut change: impl FnMut(&mut Record) -> bool) -> Option<Vec<u8>> {
    let start = MAGIC.len() + 4;
    let (mut new, mut is_changed) = (file.get(..start)?.to_vec(), false);
    let blank = |new: &mut Vec<u8>, bytes: &[u8]| {
        new.resize(new.len() + bytes.len(), 0);
        bytes.iter().any(|byte| *byte != 0)
    };
    let mut done = start;
    for part in Records::of(file) {
        let end = match part {
            Part::Record(payload) => {
                let whole = &file[done..payload.end];
                match decode_one(&file[payload.clone()])
                    .map(|mut record| change(&mut record).then_some(record))
                {
                    Ok(Some(record)) => {
                        new.extend(frame(&encode(&record)));
                        is_changed = true;
                    }
                    Ok(None) => new.extend_from_slice(whole),
                    Err(_) => is_changed |= blank(&mut new, whole),
                }
                payload.end
            }
            Part::Damaged(bytes) | Part::Torn(bytes) => {
                is_changed |= blank(&mut new, &file[bytes.clone()]);
                bytes.end
            }
        };
        done = end;
    }
    is_changed.then_some(new)
}

/// Encodes the payload of a record.
pub fn encode(record: &Record) -> Vec<u8> {
    match record {
        Record::Site { id, description } => {
            let mut payload = vec![SITE];
            payload.extend_from_slice(&id.to_le_bytes());
            put_text(&mut payload, description);
            payload
        }
        Record::Values(set) => encode_set(set),
    }
}

fn encode_set(set: &ValueSet) -> Vec<u8> {
    let mut payload = vec![VALUES];
    payload.extend_from_slice(&set.site.to_le_bytes());
    put_number(&mut payload, u128::from(set.hits));
    put_text(&mut payload, &set.thread);
    payload.extend_from_slice(&set.caller.to_le_bytes());
    put_number(&mut payload, u128::from(set.withheld));
    let left = set
        .left
        .as_ref()
        .map(|left| (left.way, left.label.as_str()));
    put_ending(&mut payload, &set.exit, left, &set.slots);
    for marks in [&set.target, &set.context] {
        put_number(&mut payload, marks.len() as u128);
        marks
            .iter()
            .for_each(|mark| payload.extend_from_slice(&mark.to_le_bytes()));
    }
    put_number(&mut payload, set.calls.len() as u128);
    set.calls
        .iter()
        .for_each(|call| put_call(&mut payload, call));
    payload
}

fn put_call(payload: &mut Vec<u8>, call: &OutgoingCall) {
    payload.extend_from_slice(&call.site.to_le_bytes());
    put_exit(payload, &call.exit, None);
    put_number(payload, u128::from(call.withheld));
    put_slots(payload, &call.slots);
}

fn put_ending(
    payload: &mut Vec<u8>,
    exit: &Exit,
    left: Option<(super::Way, &str)>,
    slots: &[(u32, Value)],
) {
    put_exit(payload, exit, left);
    put_slots(payload, slots);
}

fn put_slots(payload: &mut Vec<u8>, slots: &[(u32, Value)]) {
    let mut encoder = Encoder::default();
    for (slot, value) in slots {
        put_number(&mut encoder.bytes, u128::from(*slot));
        encoder.value(value);
    }
    put_number(payload, encoder.names.len() as u128);
    encoder
        .names
        .iter()
        .for_each(|name| put_text(payload, name));
    put_bytes(payload, &encoder.bytes);
}

/// An encoder of values; names are interned, as the reader expects.
#[derive(Default)]
struct Encoder<'v> {
    names: Vec<&'v str>,
    bytes: Vec<u8>,
}

impl<'v> Encoder<'v> {
    fn name(&mut self, name: &'v str) {
        let index = self
            .names
            .iter()
            .position(|known| *known == name)
            .unwrap_or_else(|| {
                self.names.push(name);
                self.names.len() - 1
            });
        put_number(&mut self.bytes, index as u128);
    }

    fn tagged(&mut self, tag: u8, names: &[&'v str]) {
        self.bytes.push(tag);
        names.iter().for_each(|name| self.name(name));
    }

    fn text(&mut self, tag: u8, type_name: &'v str, text: &str) {
        self.tagged(tag, &[type_name]);
        put_text(&mut self.bytes, text);
    }

    fn value(&mut self, value: &'v Value) {
        match value {
            Value::Unit => self.bytes.push(tag::UNIT),
            Value::Bool(value) => self.bytes.push(if *value { tag::TRUE } else { tag::FALSE }),
            Value::Int { type_name, bits } => {
                let kind = INTEGER_TYPES
                    .iter()
                    .position(|known| known == type_name)
                    .unwrap_or_default();
                self.bytes.extend([tag::INT, kind as u8]);
                put_signed(&mut self.bytes, *bits as i128);
            }
            Value::Float { double, bits } => {
                self.bytes.extend([tag::FLOAT, u8::from(*double)]);
                self.bytes.extend_from_slice(&bits.to_le_bytes());
            }
            Value::Char(char) => {
                self.bytes.push(tag::CHAR);
                put_number(&mut self.bytes, u128::from(u32::from(*char)));
            }
            Value::Str(text) => {
                self.bytes.push(tag::STR);
                put_text(&mut self.bytes, text);
            }
            Value::Ref { mutable, inner } => {
                self.bytes
                    .push(if *mutable { tag::REF_MUT } else { tag::REF });
                self.value(inner);
            }
            Value::Tuple(items) => {
                self.bytes.push(tag::TUPLE);
                self.items(items);
            }
            Value::Seq {
                kind,
                type_name,
                items,
            } => {
                let kind = SEQ_KINDS
                    .iter()
                    .position(|known| known == kind)
                    .unwrap_or_default();
                self.bytes.extend([tag::SEQ, kind as u8]);
                self.name(type_name);
                self.items(items);
            }
            Value::Struct {
                type_name,
                variant,
                shape,
                fields,
            } => {
                self.tagged(
                    tag::STRUCT,
                    &[type_name, variant.as_deref().unwrap_or_default()],
                );
                self.bytes.push(*shape as u8);
                for (name, value) in fields {
                    self.tagged(tag::FIELD, &[name]);
                    self.value(value);
                }
                self.bytes.push(tag::END);
            }
            Value::Built {
                type_name,
                head,
                args,
                tail,
            } => {
                self.tagged(tag::BUILT, &[type_name, head, tail]);
                self.items(args);
            }
            Value::Parsed { type_name, text } => self.text(tag::PARSED, type_name, text),
            Value::Debug { type_name, text } => self.text(tag::DEBUG, type_name, text),
            Value::Opaque { type_name, reason } => self.tagged(tag::OPAQUE, &[type_name, reason]),
            Value::Cut { reason } => self.tagged(tag::CUT, &[reason]),
            Value::Withheld => self.bytes.push(tag::WITHHELD),
            // The original is not known any more; every reader refuses it again.
            Value::Refused(_) => self.tagged(tag::CUT, &["not what a recorder writes"]),
        }
    }

    fn items(&mut self, items: &'v [Value]) {
        let byte = |item: &Value| match item {
            Value::Int {
                type_name: "u8",
                bits,
            } => u8::try_from(*bits).ok(),
            _ => None,
        };
        match items.iter().map(byte).collect::<Option<Vec<u8>>>() {
            Some(bytes) if !bytes.is_empty() => {
                self.bytes.push(tag::BYTES);
                put_bytes(&mut self.bytes, &bytes);
            }
            _ => items.iter().for_each(|item| self.value(item)),
        }
        self.bytes.push(tag::END);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::reader::from_bytes;
    use crate::recording::{Leaving, Way, header};
    use crate::value::{SeqKind, Shape};

    fn one_of_each() -> Vec<Value> {
        let (text, name) = ("text".to_owned(), "Name".to_owned());
        let int = |type_name, bits| Value::Int { type_name, bits };
        vec![
            Value::Unit,
            Value::Bool(true),
            int("i8", -3_i128 as u128),
            int("u128", u128::MAX),
            Value::Float {
                double: false,
                bits: 7,
            },
            Value::Char('é'),
            Value::Ref {
                mutable: true,
                inner: Box::new(Value::Str(text.clone())),
            },
            Value::Tuple(vec![Value::Withheld, int("u8", 1)]),
            Value::Seq {
                kind: SeqKind::BTreeMap,
                type_name: name.clone(),
                items: vec![int("u8", 1), int("u8", 255)],
            },
            Value::Seq {
                kind: SeqKind::Vec,
                type_name: name.clone(),
                items: Vec::new(),
            },
            Value::Struct {
                type_name: name.clone(),
                variant: Some("A".to_owned()),
                shape: Shape::Named,
                fields: vec![(text.clone(), Value::Unit), (name.clone(), Value::Withheld)],
            },
            Value::Struct {
                type_name: name.clone(),
                variant: None,
                shape: Shape::Unit,
                fields: Vec::new(),
            },
            Value::Built {
                type_name: name.clone(),
                head: "Box::new".to_owned(),
                args: vec![Value::Unit],
                tail: String::new(),
            },
            Value::Parsed {
                type_name: name.clone(),
                text: text.clone(),
            },
            Value::Debug {
                type_name: name.clone(),
                text: text.clone(),
            },
            Value::Opaque {
                type_name: name,
                reason: text.clone(),
            },
            Value::Cut { reason: text },
        ]
    }

    fn set() -> ValueSet {
        let slots: Vec<(u32, Value)> = (0..).zip(one_of_each()).collect();
        let exit = Exit::Panic("why".to_owned());
        let call = OutgoingCall {
            site: 8,
            exit: exit.clone(),
            withheld: 2,
            slots: slots.clone(),
        };
        let left = Some(Leaving {
            way: Way::Break,
            label: "outer".to_owned(),
        });
        ValueSet {
            site: 7,
            hits: 300,
            exit: Exit::Left,
            left,
            thread: "a::test".to_owned(),
            caller: 9,
            withheld: 1,
            slots,
            target: vec![1, 2],
            context: vec![3],
            calls: vec![call],
        }
    }

    #[test]
    fn every_record_is_encoded_as_it_was_read() {
        for record in [
            Record::Values(set()),
            Record::Site {
                id: 1,
                description: "here".to_owned(),
            },
        ] {
            assert_eq!(decode_one(&encode(&record)), Ok(record));
        }
    }

    #[test]
    fn only_what_is_changed_is_written_anew_and_nothing_stays_of_a_torn_end() {
        let mut file = header();
        let site = frame(&encode(&Record::Site {
            id: 7,
            description: "here".to_owned(),
        }));
        file.extend(&site);
        assert_eq!(rewritten(&file, |_| false), None);
        file.extend(frame(&encode(&Record::Values(set()))));
        file.extend(b"torn");
        let changed = rewritten(&file, |record| match record {
            Record::Values(set) => {
                set.slots.clear();
                true
            }
            Record::Site { .. } => false,
        });
        let changed = changed.unwrap();
        let contents = from_bytes(&changed, std::path::Path::new("")).unwrap();
        assert_eq!((contents.records.len(), contents.torn_bytes), (2, 4));
        assert!(
            matches!(&contents.records[1], Record::Values(set) if set.slots.is_empty() && set.calls.len() == 1)
        );
        assert!(changed.ends_with(&[0; 4]) && changed[header().len()..].starts_with(&site));
    }
}
