//! Closes a recording: removes values from the files of all processes that were written before they
//! were known to be secrets.

use super::read::files_in;
use super::secrets::{self, Unusable};
use crate::base::process::own_files;
use anyhow::{Context as _, Result};
use situ_recorder::recording::rewrite::rewritten;
use situ_recorder::recording::{Exit, OutgoingCall, Record, ValueSet};
use situ_recorder::value::Value;
use std::fs;
use std::path::Path;

/// Loads the fingerprints of secrets that the processes of this command found, withholds these
/// values in all recordings of the folder, and removes the fingerprints. If this fails, the
/// fingerprints stay, and nobody reads the recording.
pub(crate) fn close(folder: &Path) -> Result<()> {
    close_all(&[folder])
}

/// Closes recordings that were made by one command. A secret found in one of them is withheld in
/// all.
pub(crate) fn close_all(folders: &[&Path]) -> Result<()> {
    for path in folders.iter().flat_map(|folder| secrets::files_in(folder)) {
        secrets::learn(&path, true)?;
    }
    if secrets::is_any_known() && situ_recorder::secret::IS_CHECKED {
        for path in folders.iter().flat_map(|folder| files_in(folder)) {
            withhold_in(&path)?;
        }
    }
    for path in folders.iter().flat_map(|folder| secrets::files_in(folder)) {
        fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
    }
    Ok(())
}

/// Loads the fingerprints that programs on another machine wrote, with the keys in their files.
pub(crate) fn learn_from_elsewhere(folder: &Path) -> Result<(), Unusable> {
    secrets::files_in(folder)
        .iter()
        .try_for_each(|path| secrets::learn(path, false))
}

/// Copies a recording without the values that are known to be secret.
pub(crate) fn copy_closed(from: &Path, to: &Path) -> Result<()> {
    let bytes = fs::read(from).with_context(|| format!("reading {}", from.display()))?;
    write(to, &closed(&bytes).unwrap_or(bytes))
}

/// Withholds known secrets in one file.
pub(crate) fn withhold_in(path: &Path) -> Result<()> {
    let bytes = own_files::read(path).with_context(|| format!("reading {}", path.display()))?;
    closed(&bytes).map_or(Ok(()), |bytes| write(path, &bytes))
}

/// Returns a recording without known secrets, or `None` if it contains none.
fn closed(recording: &[u8]) -> Option<Vec<u8>> {
    rewritten(recording, |record| match record {
        Record::Values(set) => withhold_in_set(set),
        // Text of the source is no secret of the recording.
        Record::Site { .. } => false,
    })
}

/// Replaces a file atomically, readable only by the user.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let unfinished = path.with_extension("closing");
    let written = own_files::write(&unfinished, bytes);
    written
        .and_then(|()| fs::rename(&unfinished, path))
        .with_context(|| format!("writing {}", path.display()))
}

/// Withholds known secrets in a value set. Returns whether there was any.
fn withhold_in_set(set: &mut ValueSet) -> bool {
    let mut count = withhold_in_slots(&mut set.slots) + withhold_message(&mut set.exit);
    set.withheld += count;
    for OutgoingCall {
        exit,
        withheld,
        slots,
        ..
    } in &mut set.calls
    {
        let of_call = withhold_in_slots(slots) + withhold_message(exit);
        *withheld += of_call;
        count += of_call;
    }
    if secrets::is_in(set.thread.as_bytes()) {
        set.thread.clear();
        count += 1;
    }
    count > 0
}

/// Withholds the message of a panic; an empty message means unknown.
fn withhold_message(exit: &mut Exit) -> u64 {
    match exit {
        Exit::Panic(message) if secrets::is_in(message.as_bytes()) => {
            message.clear();
            1
        }
        _ => 0,
    }
}

fn withhold_in_slots(slots: &mut [(u32, Value)]) -> u64 {
    let mut count: u64 = slots.iter_mut().map(|(_, value)| withhold(value)).sum();
    // The elements of a loop are captured one by one in the same slot, so chars of a secret would
    // be separate values.
    let is_character = |value: &Value| {
        matches!(
            value,
            Value::Char(_)
                | Value::Int {
                    type_name: "u8",
                    ..
                }
        )
    };
    let same =
        |a: &(u32, Value), b: &(u32, Value)| a.0 == b.0 && is_character(&a.1) == is_character(&b.1);
    for run in slots.chunk_by_mut(same) {
        let spelled: Option<Vec<u8>> = text_of(run.iter().map(|(_, value)| value));
        if spelled.is_some_and(|text| secrets::is_in(&text)) {
            count += run.len() as u64;
            run.iter_mut()
                .for_each(|(_, value)| *value = Value::Withheld);
        }
    }
    count
}

/// Withholds secrets in a value. Returns their number.
pub(crate) fn withhold(value: &mut Value) -> u64 {
    let is_secret = match &*value {
        Value::Str(text) | Value::Parsed { text, .. } | Value::Debug { text, .. } => {
            secrets::is_in(text.as_bytes())
        }
        Value::Int { bits, .. } => secrets::is_number(*bits as i128),
        Value::Seq { items, .. } => text_of(items.iter()).is_some_and(|text| secrets::is_in(&text)),
        _ => false,
    };
    if is_secret {
        *value = Value::Withheld;
        return 1;
    }
    match value {
        Value::Ref { inner, .. } => withhold(inner),
        Value::Tuple(items) | Value::Seq { items, .. } | Value::Built { args: items, .. } => {
            items.iter_mut().map(withhold).sum()
        }
        Value::Struct { fields, .. } => fields.iter_mut().map(|(_, value)| withhold(value)).sum(),
        _ => 0,
    }
}

/// Joins chars or bytes to a string. Returns `None` if there are other values, or none at all.
fn text_of<'v>(values: impl Iterator<Item = &'v Value>) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for value in values {
        match value {
            Value::Char(char) => text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            Value::Int {
                type_name: "u8",
                bits,
            } => text.push(u8::try_from(*bits).ok()?),
            _ => return None,
        }
    }
    (text.len() >= situ_recorder::secret::SHORTEST).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::secrets::tests::know;
    use situ_recorder::value::SeqKind;

    fn withheld(mut value: Value) -> Value {
        withhold(&mut value);
        value
    }

    #[test]
    fn what_was_recorded_before_a_secret_was_known_is_withheld() {
        know("of-close-7341");
        let text = |text: &str| Value::Str(text.to_owned());
        let list = |items: Vec<Value>| Value::Seq {
            kind: SeqKind::Vec,
            type_name: String::new(),
            items,
        };
        let bytes = |text: &str| {
            text.bytes()
                .map(|byte| Value::Int {
                    type_name: "u8",
                    bits: byte.into(),
                })
                .collect()
        };
        assert_eq!(withheld(text("login of-close-7341")), Value::Withheld);
        assert_eq!(
            withheld(Value::Tuple(vec![text("OF-CLOSE-7341"), text("b")])),
            Value::Tuple(vec![Value::Withheld, text("b")])
        );
        assert_eq!(
            withheld(list("of-close-7341".chars().map(Value::Char).collect())),
            Value::Withheld
        );
        assert_eq!(
            withheld(list(bytes("b2YtY2xvc2UtNzM0MQ=="))),
            Value::Withheld
        );
        let other = list(vec![text("of"), text("shut")]);
        assert_eq!(withheld(other.clone()), other);
    }

    #[test]
    fn characters_that_a_loop_went_over_are_withheld_together() {
        know("of-loop-5520");
        let mut slots: Vec<(u32, Value)> = "of-loop-5520"
            .chars()
            .map(|char| (3, Value::Char(char)))
            .collect();
        slots.insert(0, (2, Value::Char('x')));
        assert_eq!(withhold_in_slots(&mut slots), 12);
        assert_eq!(slots[0].1, Value::Char('x'));
        assert!(
            slots[1..]
                .iter()
                .all(|(_, value)| *value == Value::Withheld)
        );
    }

    #[test]
    fn a_message_or_thread_with_a_secret_is_not_kept() {
        know("of-panic-9042");
        let mut set = ValueSet {
            site: 1,
            hits: 1,
            exit: Exit::Panic("no user of-panic-9042".to_owned()),
            left: None,
            thread: "worker of-panic-9042".to_owned(),
            caller: 0,
            withheld: 0,
            slots: Vec::new(),
            target: Vec::new(),
            context: Vec::new(),
            calls: Vec::new(),
        };
        assert!(withhold_in_set(&mut set));
        assert_eq!(
            (set.exit, set.thread.as_str(), set.withheld),
            (Exit::Panic(String::new()), "", 1)
        );
    }
}
