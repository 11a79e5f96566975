//! Recordings that are whole, incomplete, changed, and too new.

use super::reader::{decode_record, from_bytes};
use super::*;
use crate::Writer;
use crate::decode::Budget;
use std::path::{Path, PathBuf};

fn sample(number: u64) -> Vec<u8> {
    let mut writer = Writer::new(1000);
    writer.start_value(3, crate::secret::Secrecy::None);
    writer.str(&"x".repeat(number as usize));
    writer.end_value();
    let call = encode_call(8, &Exit::Through, &writer);
    let unique = encode_unique(&Unique {
        exit: &Exit::Panic("why".to_owned()),
        left: None,
        writer: &writer,
        target: &[1, 2],
        context: &[1, 2, 3],
        calls: &[call],
    });
    encode_values(&Encoded {
        site: 7,
        hits: number,
        thread: "a::test",
        caller: 9,
        withheld: 0,
        unique: &unique,
    })
}

fn file_with(bytes: &[u8], name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("situ-recording-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn whole_file() -> (Vec<u8>, Vec<usize>) {
    let mut bytes = header();
    let mut ends = vec![bytes.len()];
    for payload in [encode_site(7, "here"), sample(1), sample(20), sample(300)] {
        bytes.extend(frame(&payload));
        ends.push(bytes.len());
    }
    (bytes, ends)
}

#[test]
fn what_was_written_is_read() {
    let (bytes, _) = whole_file();
    let contents = read(&file_with(&bytes, "whole")).unwrap();
    assert_eq!(contents.torn_bytes, 0);
    assert_eq!(
        contents.records[0],
        Record::Site {
            id: 7,
            description: "here".to_owned()
        }
    );
    let Record::Values(set) = &contents.records[2] else {
        panic!("no values")
    };
    assert_eq!(
        (set.site, set.hits, set.caller, set.thread.as_str()),
        (7, 20, 9, "a::test")
    );
    assert_eq!(set.exit, Exit::Panic("why".to_owned()));
    assert_eq!(set.slots, [(3, Value::Str("x".repeat(20)))]);
    let call = OutgoingCall {
        site: 8,
        exit: Exit::Through,
        withheld: 0,
        slots: set.slots.clone(),
    };
    assert_eq!(set.calls, [call]);
    assert_eq!(
        (set.target.as_slice(), set.context.as_slice()),
        ([1, 2].as_slice(), [1, 2, 3].as_slice())
    );
}

#[test]
fn a_file_torn_at_any_byte_gives_all_whole_records() {
    let (bytes, ends) = whole_file();
    for length in 0..bytes.len() {
        let contents = read(&file_with(&bytes[..length], "torn")).unwrap();
        let whole = ends
            .iter()
            .filter(|end| **end <= length)
            .count()
            .saturating_sub(1);
        assert_eq!(contents.records.len(), whole, "torn at {length}");
        assert_eq!(
            contents.torn_bytes > 0,
            !ends.contains(&length) && length > 0,
            "torn at {length}"
        );
    }
}

#[test]
fn a_changed_byte_is_noticed() {
    let (bytes, ends) = whole_file();
    for at in ends[0]..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x40;
        let contents = read(&file_with(&changed, "changed")).unwrap();
        assert!(
            contents.torn_bytes > 0 || !contents.damaged.is_empty(),
            "byte {at}"
        );
    }
}

#[test]
fn a_damaged_record_costs_itself_whichever_of_its_bytes_is_damaged() {
    let (bytes, ends) = whole_file();
    for record in 0..ends.len() - 1 {
        for at in ends[record]..ends[record + 1] {
            for bit in [0x01, 0x40, 0x80] {
                let mut changed = bytes.clone();
                changed[at] ^= bit;
                let contents = from_bytes(&changed, Path::new("damaged")).unwrap();
                assert_eq!(contents.records.len(), 3, "byte {at}, bit {bit:x}");
                let (from, length) = (
                    ends[record] as u64,
                    (ends[record + 1] - ends[record]) as u64,
                );
                match record == ends.len() - 2 {
                    true => assert_eq!(contents.torn_bytes, length, "nothing follows it"),
                    false => assert_eq!(
                        contents.damaged,
                        [Damage {
                            at: from,
                            bytes: length
                        }],
                        "byte {at}"
                    ),
                }
            }
        }
    }
}

#[test]
fn absurd_lengths_are_no_records_and_cost_no_memory() {
    let (bytes, ends) = whole_file();
    for length in [u32::MAX, u32::MAX - 12, 1 << 31, 0] {
        let mut changed = bytes.clone();
        changed[ends[1]..ends[1] + 4].copy_from_slice(&length.to_le_bytes());
        assert_eq!(
            read(&file_with(&changed, "absurd")).unwrap().records.len(),
            3,
            "{length}"
        );
    }
    // Counts of names, calls and branches without the bytes for them.
    for count in [u128::MAX, u128::from(u64::MAX), 1 << 40] {
        let mut unique = vec![0];
        put_number(&mut unique, count);
        let payload = encode_values(&Encoded {
            site: 7,
            hits: 1,
            thread: "t",
            caller: 0,
            withheld: 0,
            unique: &unique,
        });
        assert!(decode_record(&payload, &Budget::new(1 << 20)).is_err());
        let mut file = header();
        file.extend(frame(&payload));
        file.extend(frame(&encode_site(7, "here")));
        let contents = read(&file_with(&file, "counts")).unwrap();
        assert_eq!((contents.records.len(), contents.damaged.len()), (1, 1));
    }
}

#[test]
fn a_search_for_the_next_record_ends() {
    // Every byte looks like the beginning of a record.
    let mut bytes = header();
    bytes.extend([1, 1, 1, 0].repeat(1 << 13));
    let contents = from_bytes(&bytes, Path::new("search")).unwrap();
    assert!(contents.records.is_empty() && contents.torn_bytes > 0);
}

#[test]
fn what_is_no_file_is_no_recording() {
    let folder = file_with(b"", "beside").with_file_name("folder");
    std::fs::create_dir_all(&folder).unwrap();
    assert!(matches!(read(&folder), Err(Unreadable::NotARecording(_))));
    assert!(matches!(
        read(&folder.join("missing")),
        Err(Unreadable::Io(..))
    ));
    let (mut bytes, _) = whole_file();
    bytes[MAGIC.len()] = 0;
    assert!(matches!(
        read(&file_with(&bytes, "version")),
        Err(Unreadable::NotARecording(_))
    ));
}

#[test]
fn a_label_that_is_none_costs_its_record() {
    let writer = Writer::new(10);
    let unique = encode_unique(&Unique {
        exit: &Exit::Left,
        left: Some((Way::Break, "outer; f()")),
        writer: &writer,
        target: &[],
        context: &[],
        calls: &[],
    });
    let payload = encode_values(&Encoded {
        site: 7,
        hits: 1,
        thread: "t",
        caller: 0,
        withheld: 0,
        unique: &unique,
    });
    assert!(decode_record(&payload, &Budget::new(1 << 20)).is_err());
}

#[test]
fn a_newer_recording_is_refused_with_what_to_do() {
    let (mut bytes, _) = whole_file();
    bytes[MAGIC.len()] = 99;
    let error = read(&file_with(&bytes, "newer")).unwrap_err();
    assert!(matches!(error, Unreadable::Newer(_, 99)));
    assert!(error.to_string().contains("update cargo-situ"), "{error}");
    let error = read(&file_with(b"something else entirely", "other")).unwrap_err();
    assert!(matches!(error, Unreadable::NotARecording(_)));
}

#[test]
fn a_way_of_leaving_is_read_with_its_label() {
    for way in WAYS {
        let writer = Writer::new(10);
        let unique = encode_unique(&Unique {
            exit: &Exit::Left,
            left: Some((way, "outer")),
            writer: &writer,
            target: &[],
            context: &[],
            calls: &[],
        });
        let payload = encode_values(&Encoded {
            site: 7,
            hits: 1,
            thread: "t",
            caller: 0,
            withheld: 0,
            unique: &unique,
        });
        let Ok(Record::Values(set)) = decode_record(&payload, &Budget::new(1 << 20)) else {
            panic!("{way:?} is not read")
        };
        assert_eq!(
            (set.exit, set.left),
            (
                Exit::Left,
                Some(Leaving {
                    way,
                    label: "outer".to_owned()
                })
            )
        );
    }
}

#[test]
fn a_set_of_the_first_version_has_no_calls() {
    // As format 1 wrote it: nothing follows the branches.
    let mut unique = vec![0, 0, 0];
    unique.extend([0, 0]);
    let payload = encode_values(&Encoded {
        site: 7,
        hits: 1,
        thread: "t",
        caller: 0,
        withheld: 0,
        unique: &unique,
    });
    let Ok(Record::Values(set)) = decode_record(&payload, &Budget::new(1 << 20)) else {
        panic!("it is not read")
    };
    assert_eq!((set.exit, set.calls), (Exit::Through, Vec::new()));
}
