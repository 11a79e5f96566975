//! Names of values that were withheld in a recording, and how often; never the values.

use super::plan::{Phase, Site};
use super::read::Recording;
use crate::cargo::workspace::SecretNames;
use situ_recorder::secret::{Names, Secrecy};
use situ_recorder::value::Value;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Name of withheld values, with their number and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithheldName {
    /// Name of a variable, a field or a key; for a result, that of its function.
    pub name: String,
    /// Number of withheld values.
    pub count: u64,
    /// Whether the name is that of a secret. Otherwise the value was recognised as one.
    pub is_secret: bool,
}

/// Returns the names of withheld values: names of secrets first, then by descending frequency.
pub fn by_reason(recording: &Recording, secrets: &SecretNames) -> Vec<WithheldName> {
    let meaning = Names::new(&secrets.names, &secrets.not_secret);
    let of_name = |(name, count): (String, u64)| {
        let is_secret = meaning.secrecy(&name) != Secrecy::None;
        WithheldName {
            name,
            count,
            is_secret,
        }
    };
    let mut names: Vec<WithheldName> = names(recording).into_iter().map(of_name).collect();
    names.sort_by_key(|name| (Reverse(name.is_secret), Reverse(name.count)));
    names
}

/// Counts withheld values by the name of the variable, field or key that held them; results by that
/// of their function.
pub fn names(recording: &Recording) -> BTreeMap<String, u64> {
    let mut counts = Counts(BTreeMap::new());
    for site in recording.sites.values() {
        for set in &site.sets {
            counts.slots(&site.site, &set.slots);
            for call in &set.calls {
                if let Some(called) = recording.sites.get(&call.site) {
                    counts.slots(&called.site, &call.slots);
                }
            }
        }
    }
    counts.0
}

struct Counts(BTreeMap<String, u64>);

impl Counts {
    fn slots(&mut self, site: &Site, slots: &[(u32, Value)]) {
        for (slot, value) in slots {
            let name = site.slots.get(*slot as usize).map(|slot| match slot.phase {
                Phase::Result | Phase::Answer | Phase::Left => result_of(site),
                _ => last_name(&slot.key.to_string()),
            });
            self.value(&name.unwrap_or_default(), value);
        }
    }

    fn value(&mut self, name: &str, value: &Value) {
        match value {
            Value::Withheld => *self.0.entry(name.to_owned()).or_default() += 1,
            Value::Struct { fields, .. } => {
                for (field, value) in fields {
                    let is_number = field.bytes().all(|byte| byte.is_ascii_digit());
                    self.value(if is_number { name } else { field }, value);
                }
            }
            Value::Tuple(items) => {
                let mut name = name.to_owned();
                for item in items {
                    self.value(&name, item);
                    // A key is shown only if it is the name of a secret, because other keys may be
                    // anything.
                    name = text_of(item)
                        .filter(|key| is_name(key))
                        .unwrap_or(&name)
                        .to_owned();
                }
            }
            other => other.children().for_each(|value| self.value(name, value)),
        }
    }
}

fn is_name(key: &str) -> bool {
    Names::default().secrecy(key) != Secrecy::None
}

/// Returns the string that a key is.
fn text_of(value: &Value) -> Option<&str> {
    match value.behind_references() {
        Value::Str(text) => Some(text),
        Value::Built { args, .. } => args.first().and_then(text_of),
        _ => None,
    }
}

/// Returns the name of the function whose result it is.
fn result_of(site: &Site) -> String {
    let called = site
        .text
        .split('(')
        .next()
        .filter(|_| site.position == super::plan::Position::Call);
    format!("{}()", last_name(called.unwrap_or(&site.function)))
}

/// Returns the last name in a path: `password` for `self.login.password`.
fn last_name(path: &str) -> String {
    let is_name = |char: char| char.is_alphanumeric() || char == '_';
    path.rsplit(|char: char| !is_name(char))
        .find(|name| !name.is_empty())
        .unwrap_or(path)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_by_the_names_that_held_them() {
        let mut counts = Counts(BTreeMap::new());
        let header = |key: &str| Value::Tuple(vec![Value::Str(key.to_owned()), Value::Withheld]);
        counts.value(
            "headers",
            &Value::Tuple(vec![header("Authorization"), header("bob@example.org")]),
        );
        let fields = vec![
            ("password".to_owned(), Value::Withheld),
            ("0".to_owned(), Value::Withheld),
        ];
        counts.value(
            "login",
            &Value::Struct {
                type_name: String::new(),
                variant: None,
                shape: situ_recorder::Shape::Named,
                fields,
            },
        );
        let expected = [
            ("Authorization", 1),
            ("headers", 1),
            ("login", 1),
            ("password", 1),
        ];
        assert_eq!(
            counts.0,
            expected
                .map(|(name, count)| (name.to_owned(), count))
                .into()
        );
        assert_eq!(last_name("self.login.password"), "password");
    }
}
