//! Names of temporary files and folders, which differ in every run and are replaced by fixed ones.

use crate::generate::carve::find::sources::Source;
use crate::record::read::Recording;
use situ_recorder::recording::Exit;
use situ_recorder::value::Value;
use std::collections::BTreeMap;
use std::env;

/// The minimum length of a temporary name.
const SHORTEST: usize = 4;
/// The replacement, cut to the length of the name, so that lengths stay the same.
const STEADY: &str = "scratch-folder-of-the-run-";

/// Replaces temporary names in all values of a recording. A name that occurs in the sources is
/// none.
pub(crate) fn steady_names(recording: &mut Recording, sources: &[Source]) {
    let is_in_sources = |name: &str| sources.iter().any(|source| source.file.text.contains(name));
    let mut names = Names::below(folders());
    each_text(recording, &mut |text| names.find(text, &is_in_sources));
    if !names.known.is_empty() {
        each_text(recording, &mut |text| names.replace(text));
    }
}

fn folders() -> Vec<String> {
    let own = env::temp_dir()
        .to_string_lossy()
        .trim_end_matches('/')
        .to_owned();
    [own, "/tmp".to_owned(), "/var/tmp".to_owned()]
        .into_iter()
        .filter(|folder| !folder.is_empty())
        .collect()
}

fn each_text(recording: &mut Recording, change: &mut dyn FnMut(&mut Vec<u8>)) {
    for set in recording.sites.values_mut().flat_map(|site| &mut site.sets) {
        for call in &mut set.calls {
            call.slots
                .iter_mut()
                .for_each(|(_, value)| texts_of(value, change));
        }
        set.slots
            .iter_mut()
            .for_each(|(_, value)| texts_of(value, change));
        if let Exit::Panic(text) = &mut set.exit {
            changed(text, change);
        }
    }
}

fn changed(text: &mut String, change: &mut dyn FnMut(&mut Vec<u8>)) {
    let mut bytes = std::mem::take(text).into_bytes();
    change(&mut bytes);
    *text = String::from_utf8(bytes).unwrap_or_default();
}

fn texts_of(value: &mut Value, change: &mut dyn FnMut(&mut Vec<u8>)) {
    match value {
        Value::Str(text) | Value::Parsed { text, .. } | Value::Debug { text, .. } => {
            changed(text, change)
        }
        Value::Ref { inner, .. } => texts_of(inner, change),
        Value::Seq { items, .. }
            if items.iter().all(|item| {
                matches!(
                    item,
                    Value::Int {
                        type_name: "u8",
                        ..
                    }
                )
            }) =>
        {
            let byte = |item: &Value| {
                if let Value::Int { bits, .. } = item {
                    *bits as u8
                } else {
                    0
                }
            };
            let mut bytes: Vec<u8> = items.iter().map(byte).collect();
            change(&mut bytes);
            *items = bytes
                .into_iter()
                .map(|byte| Value::Int {
                    type_name: "u8",
                    bits: u128::from(byte),
                })
                .collect();
        }
        Value::Tuple(items) | Value::Seq { items, .. } | Value::Built { args: items, .. } => {
            items.iter_mut().for_each(|item| texts_of(item, change));
        }
        Value::Struct { fields, .. } => fields
            .iter_mut()
            .for_each(|(_, value)| texts_of(value, change)),
        _ => {}
    }
}

/// The temporary names of a recording, each with its replacement.
struct Names {
    folders: Vec<String>,
    known: BTreeMap<String, String>,
}

impl Names {
    fn below(folders: Vec<String>) -> Names {
        Names {
            folders,
            known: BTreeMap::new(),
        }
    }

    fn find(&mut self, text: &[u8], is_in_sources: &dyn Fn(&str) -> bool) {
        for folder in self.folders.clone() {
            let start = format!("{folder}/");
            for at in positions(text, start.as_bytes()) {
                let rest = &text[at + start.len()..];
                let length = rest.iter().take_while(|byte| is_of_name(**byte)).count();
                let Ok(name) = std::str::from_utf8(&rest[..length]) else {
                    continue;
                };
                let is_new = !self.known.contains_key(name)
                    && !self.known.values().any(|steady| steady == name);
                if length >= SHORTEST && is_new && !is_in_sources(name) {
                    let steady = self.steady(length);
                    self.known.insert(name.to_owned(), steady);
                }
            }
        }
    }

    fn steady(&self, length: usize) -> String {
        let cycle: String = STEADY.chars().cycle().take(length).collect();
        let numbered = (2..).map(|number: usize| {
            let end = format!("-{number}");
            format!("{}{end}", &cycle[..length.saturating_sub(end.len())])
        });
        let is_free = |name: &String| !self.known.values().any(|known| known == name);
        [cycle.clone()]
            .into_iter()
            .chain(numbered.take(1000))
            .find(is_free)
            .unwrap_or(cycle)
    }

    fn replace(&self, text: &mut [u8]) {
        for (name, steady) in self
            .known
            .iter()
            .filter(|(name, steady)| name.len() == steady.len())
        {
            for at in positions(text, name.as_bytes()) {
                text[at..at + name.len()].copy_from_slice(steady.as_bytes());
            }
        }
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-')
}

fn positions(text: &[u8], part: &[u8]) -> Vec<usize> {
    let all = text.windows(part.len()).enumerate();
    all.filter(|(_, window)| *window == part)
        .map(|(at, _)| at)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_names_become_names_of_the_same_length_that_stay() {
        let mut names = Names::below(vec!["/tmp".to_owned()]);
        let texts = [
            "/tmp/tmp.ZxSdk1n7aG/notes",
            "see /tmp/tmp.ZxSdk1n7aG, /tmp/tmp.9876543210 and /tmp/shop.sock",
        ];
        texts
            .iter()
            .for_each(|text| names.find(text.as_bytes(), &|name| name == "shop.sock"));
        let replaced = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            names.replace(&mut bytes);
            String::from_utf8(bytes).unwrap()
        };
        let first = replaced(texts[0]);
        assert!(
            first == "/tmp/scratch-folder/notes" || first == "/tmp/scratch-fold-2/notes",
            "{first}"
        );
        assert_eq!(replaced("tmp.ZxSdk1n7aG").len(), "tmp.ZxSdk1n7aG".len());
        assert!(
            replaced(texts[1]).ends_with("/tmp/shop.sock"),
            "a name of the sources stays"
        );
        assert_ne!(replaced("tmp.ZxSdk1n7aG"), replaced("tmp.9876543210"));
    }

    #[test]
    fn bytes_are_texts_too() {
        let names = Names {
            folders: Vec::new(),
            known: BTreeMap::from([("abcdef".to_owned(), "scratc".to_owned())]),
        };
        let byte = |byte: u8| Value::Int {
            type_name: "u8",
            bits: u128::from(byte),
        };
        let kind = situ_recorder::value::SeqKind::Vec;
        let list = |text: &str| Value::Seq {
            kind,
            type_name: String::new(),
            items: text.bytes().map(byte).collect(),
        };
        let mut value = list("/tmp/abcdef");
        texts_of(&mut value, &mut |text| names.replace(text));
        assert_eq!(value, list("/tmp/scratc"));
    }
}
