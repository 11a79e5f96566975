//! Variants of foreign enums: if only a one-word `Debug` output is known of a value, it is taken
//! for the variant of that name. The compiler and the run of the test verify it.

use crate::generate::carve::find::scenario::last_word;
use crate::generate::carve::find::sources::Source;
use crate::record::read::Recording;
use crate::values::Imports;
use situ_recorder::value::{Shape, Value};
use std::collections::BTreeMap;

/// Replaces one-word `Debug` output by variants, in all values of a recording.
pub(crate) fn name_variants(recording: &mut Recording, sources: &[Source]) {
    let known = Known::of(sources);
    for set in recording.sites.values_mut().flat_map(|site| &mut site.sets) {
        let of_calls = set.calls.iter_mut().flat_map(|call| &mut call.slots);
        set.slots
            .iter_mut()
            .chain(of_calls)
            .for_each(|(_, value)| known.name(value));
    }
}

/// The types that the sources import, by crate and name.
#[derive(Debug, Default)]
struct Known(BTreeMap<(String, String), String>);

impl Known {
    fn of(sources: &[Source]) -> Known {
        let mut known = Known::default();
        for source in sources {
            let imports = Imports::of(&source.file.tree.items, &source.file.module.join("::"));
            known
                .0
                .extend(imports.paths().map(|path| (key(path), path.to_owned())));
        }
        known
    }

    fn name(&self, value: &mut Value) {
        match value {
            Value::Ref { inner, .. } => self.name(inner),
            Value::Tuple(items) | Value::Seq { items, .. } | Value::Built { args: items, .. } => {
                items.iter_mut().for_each(|item| self.name(item));
            }
            Value::Struct { fields, .. } => {
                fields.iter_mut().for_each(|(_, value)| self.name(value))
            }
            Value::Debug { type_name, text } => {
                if let Some(path) = self.path(type_name).filter(|path| is_variant(text, path)) {
                    let variant = Some(text.clone());
                    *value = Value::Struct {
                        type_name: path,
                        variant,
                        shape: Shape::Unit,
                        fields: Vec::new(),
                    };
                }
            }
            _ => {}
        }
    }

    /// Returns the path of a type for other crates: as the sources import it, or its own path if
    /// that is short.
    fn path(&self, type_name: &str) -> Option<String> {
        let is_plain = type_name
            .chars()
            .all(|char| char.is_alphanumeric() || matches!(char, '_' | ':'));
        let is_short = type_name.matches("::").count() == 1;
        let imported = self.0.get(&key(type_name)).cloned();
        imported
            .or_else(|| is_short.then(|| type_name.to_owned()))
            .filter(|_| is_plain)
    }
}

/// Returns the crate and name of a type, wherever it is reexported.
fn key(path: &str) -> (String, String) {
    let krate = match path.split("::").next().unwrap_or_default() {
        "core" | "alloc" => "std",
        other => other,
    };
    (krate.to_owned(), last_word(path).to_owned())
}

fn is_variant(text: &str, path: &str) -> bool {
    let is_word = text
        .chars()
        .all(|char| char.is_alphanumeric() || char == '_');
    text.starts_with(char::is_uppercase) && is_word && text != last_word(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(known: &Known, type_name: &str, text: &str) -> String {
        let mut value = Value::Debug {
            type_name: type_name.to_owned(),
            text: text.to_owned(),
        };
        known.name(&mut value);
        match value {
            Value::Struct {
                type_name,
                variant: Some(variant),
                ..
            } => format!("{type_name}::{variant}"),
            _ => String::new(),
        }
    }

    #[test]
    fn one_word_of_a_type_that_can_be_named_is_a_variant() {
        let import = "std::io::ErrorKind";
        let known = Known(BTreeMap::from([(key(import), import.to_owned())]));
        assert_eq!(
            named(&known, "pad::Alignment", "Left"),
            "pad::Alignment::Left"
        );
        assert_eq!(
            named(&known, "core::io::error::ErrorKind", "NotFound"),
            "std::io::ErrorKind::NotFound"
        );
        assert_eq!(
            named(&known, "pad::inside::Alignment", "Left"),
            "",
            "nobody says how it is called from outside"
        );
        assert_eq!(named(&known, "pad::Alignment", "Alignment"), "", "a struct");
        assert_eq!(named(&known, "pad::Alignment", "Left(3)"), "");
    }
}
