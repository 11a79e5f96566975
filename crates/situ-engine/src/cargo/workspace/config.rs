//! A workspace's settings for Situ: `situ.toml` in its root, or `[workspace.metadata.situ]` in its
//! manifest.

use crate::base::user_error;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use toml_edit::{Document, Item, Value};

const FILE: &str = "situ.toml";

/// Table in the workspace manifest that may contain the settings instead of [`FILE`].
const IN_MANIFEST: &str = "workspace.metadata.situ";

/// All settings of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// `[secrets]`: names of values that are never written.
    pub secrets: SecretNames,
}

/// Names of secrets in addition to the built-in ones, and names that are no secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretNames {
    /// Parts of names; a value with one of these in its name is never written.
    pub names: Vec<String>,
    /// Names of values that are written although they look like secrets.
    pub not_secret: Vec<String>,
}

impl SecretNames {
    /// Returns the union of both lists of names.
    pub fn with(&self, more: &SecretNames) -> SecretNames {
        SecretNames {
            names: [&self.names[..], &more.names].concat(),
            not_secret: [&self.not_secret[..], &more.not_secret].concat(),
        }
    }
}

impl Config {
    /// Reads `situ.toml` in a workspace root or, without one, the table of the manifest, as cargo
    /// prints it.
    pub fn read(root: &Path, manifest: &Json) -> Result<Config> {
        let of_manifest = manifest.get("situ");
        let text = match fs::read_to_string(root.join(FILE)) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return of_manifest.map_or(Ok(Config::default()), |table| {
                    Config::parse(table, IN_MANIFEST)
                });
            }
            Err(error) => return Err(user_error::input(format!("cannot read {FILE}: {error}"))),
        };
        if of_manifest.is_some() {
            let text = format!(
                "the workspace has {FILE} and [{IN_MANIFEST}] in its manifest: keep one of them"
            );
            return Err(user_error::input(text));
        }
        let document = Document::parse(text).map_err(|error| {
            user_error::input(format!(
                "{FILE} is not valid TOML: {}",
                error.to_string().trim_end()
            ))
        })?;
        Config::parse(&json_of(document.as_item()), FILE)
    }

    fn parse(table: &Json, place: &str) -> Result<Config> {
        let table = Table::new(table, place, "")?;
        let mut config = Config::default();
        for (key, value) in table.entries {
            match key.as_str() {
                "secrets" => config.secrets = secrets(&Table::new(value, place, key)?)?,
                _ => return Err(table.unknown(key, &["secrets"])),
            }
        }
        Ok(config)
    }
}

fn secrets(table: &Table<'_>) -> Result<SecretNames> {
    let mut secrets = SecretNames::default();
    for (key, value) in table.entries {
        match key.as_str() {
            "names" => secrets.names = table.strings(key, value)?,
            "not_secret" => secrets.not_secret = table.strings(key, value)?,
            _ => return Err(table.unknown(key, &["names", "not_secret"])),
        }
    }
    Ok(secrets)
}

/// Table of settings, with the name of its file and its key there.
struct Table<'c> {
    entries: &'c Map<String, Json>,
    place: &'c str,
    name: &'c str,
}

impl<'c> Table<'c> {
    fn new(value: &'c Json, place: &'c str, name: &'c str) -> Result<Table<'c>> {
        match value.as_object() {
            Some(entries) => Ok(Table {
                entries,
                place,
                name,
            }),
            None => Err(user_error::input(format!(
                "{place}: `{name}` must be a table"
            ))),
        }
    }

    fn full(&self, key: &str) -> String {
        if self.name.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.name)
        }
    }

    fn strings(&self, key: &str, value: &Json) -> Result<Vec<String>> {
        let strings = value.as_array().and_then(|items| {
            items
                .iter()
                .map(|item| item.as_str().map(str::to_owned))
                .collect()
        });
        strings.ok_or_else(|| {
            user_error::input(format!(
                "{}: `{}` must be a list of strings",
                self.place,
                self.full(key)
            ))
        })
    }

    /// Returns the error for an unknown key, with the most similar known one.
    fn unknown(&self, key: &str, known: &[&str]) -> anyhow::Error {
        let nearest = known
            .iter()
            .min_by_key(|other| distance(key, other))
            .copied()
            .unwrap_or_default();
        let (place, full) = (self.place, self.full(key));
        user_error::input(format!(
            "{place}: unknown key `{full}`; did you mean `{}`?",
            self.full(nearest)
        ))
    }
}

/// Returns the edit distance of two strings: how many chars to insert, delete or replace.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, char) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(char != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

/// Converts TOML to the JSON that cargo prints for tables of manifests.
fn json_of(item: &Item) -> Json {
    match item {
        Item::None => Json::Null,
        Item::Value(value) => json_of_value(value),
        Item::Table(table) => table
            .iter()
            .map(|(key, item)| (key.to_owned(), json_of(item)))
            .collect(),
        Item::ArrayOfTables(tables) => tables
            .iter()
            .map(|table| json_of(&Item::Table(table.clone())))
            .collect(),
    }
}

fn json_of_value(value: &Value) -> Json {
    match value {
        Value::String(text) => Json::from(text.value().as_str()),
        Value::Integer(number) => Json::from(*number.value()),
        Value::Float(number) => Json::from(*number.value()),
        Value::Boolean(value) => Json::from(*value.value()),
        Value::Datetime(time) => Json::from(time.value().to_string()),
        Value::Array(items) => items.iter().map(json_of_value).collect(),
        Value::InlineTable(table) => table
            .iter()
            .map(|(key, value)| (key.to_owned(), json_of_value(value)))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(file: Option<&str>, manifest: &Json) -> Result<Config, String> {
        let folder = tempfile::tempdir().unwrap();
        if let Some(text) = file {
            fs::write(folder.path().join(FILE), text).unwrap();
        }
        Config::read(folder.path(), manifest).map_err(|error| error.to_string())
    }

    fn names(names: &[&str], not_secret: &[&str]) -> Config {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Config {
            secrets: SecretNames {
                names: owned(names),
                not_secret: owned(not_secret),
            },
        }
    }

    #[test]
    fn names_are_read_from_the_file_or_from_the_manifest() {
        let text = "[secrets]\nnames = [\"iban\"]\nnot_secret = ['token']\n";
        assert_eq!(
            read(Some(text), &Json::Null).unwrap(),
            names(&["iban"], &["token"])
        );
        assert_eq!(
            read(Some("secrets = { names = [] }"), &json!({})).unwrap(),
            Config::default()
        );
        let manifest = json!({ "situ": { "secrets": { "names": ["iban"] } }, "other": 1 });
        assert_eq!(read(None, &manifest).unwrap(), names(&["iban"], &[]));
        assert_eq!(read(None, &Json::Null).unwrap(), Config::default());
        assert!(read(Some(""), &manifest).unwrap_err().contains("keep one"));
    }

    #[test]
    fn what_is_not_understood_is_told_with_the_nearest_key() {
        for (text, said) in [
            (
                "[secret]",
                "situ.toml: unknown key `secret`; did you mean `secrets`?",
            ),
            (
                "[secrets]\nnotsecret = []",
                "unknown key `secrets.notsecret`; did you mean `secrets.not_secret`?",
            ),
            ("[secrets]\nname = []", "did you mean `secrets.names`?"),
            (
                "[secrets]\nnames = \"iban\"",
                "`secrets.names` must be a list of strings",
            ),
            (
                "[secrets]\nnames = [1]",
                "`secrets.names` must be a list of strings",
            ),
            ("secrets = 1", "`secrets` must be a table"),
            ("[secrets", "situ.toml is not valid TOML"),
        ] {
            let error = read(Some(text), &Json::Null).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
