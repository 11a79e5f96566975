//! Names that describe the scenario: `find_owner_where_id_2_returning_some`.

use super::input::bound;
use super::stream::stream_of;
use super::test::{changed, result_of};
use crate::generate::carve::find::scenario::{Call, last_word};
use crate::generate::carve::find::subject::Subject;
use crate::record::plan::Phase;
use crate::source::parse_part;
use situ_recorder::recording::Exit;
use situ_recorder::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use syn::Expr;

/// The maximum length of a name, which is cut between words.
const LONGEST: usize = 80;
/// The maximum number of words of a string in a name.
const MAX_WORDS: usize = 3;

/// Returns a key of a function's module that is unique in the workspace.
pub(crate) fn module_key(subject: &Subject) -> String {
    format!("{} {}", subject.file.display(), subject.module.join("::"))
}

/// Returns a name for the test of each call, unique in its module and not taken there.
pub(crate) fn names(calls: &[&Call<'_>], taken: &BTreeSet<(String, String)>) -> Vec<String> {
    let mut taken = taken.clone();
    let owners = owners_by_name(calls);
    let mut names = Vec::new();
    for call in calls {
        let subject = call.subject;
        let module = module_key(subject);
        let is_shared = owners
            .get(&(module.clone(), subject.name.as_str()))
            .is_some_and(|owners| owners.len() > 1);
        let alike: Vec<&&Call<'_>> = calls
            .iter()
            .filter(|other| other.recorded.site.id == call.recorded.site.id)
            .collect();
        let mut name = words_of(&if is_shared {
            with_owner(call)
        } else {
            subject.name.clone()
        });
        if alike.len() > 1 {
            name.push_str(&differing(call, &alike));
        }
        name.push_str(&outcome(call));
        let mut name = shortened(&name);
        // In its module, a test with the function's own name would shadow it.
        if calls.iter().any(|other| other.subject.name == name) {
            name.push_str("_as_it_was_seen");
        }
        let mut unique = name.clone();
        let mut number = 2;
        while !taken.insert((module.clone(), unique.clone())) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        names.push(unique);
    }
    names
}

/// Returns the types that have a function of that name, in each module.
fn owners_by_name<'c>(calls: &[&'c Call<'_>]) -> BTreeMap<(String, &'c str), BTreeSet<String>> {
    let mut owners: BTreeMap<(String, &str), BTreeSet<String>> = BTreeMap::new();
    for call in calls {
        let subject = call.subject;
        let module = module_key(subject);
        owners
            .entry((module, subject.name.as_str()))
            .or_default()
            .insert(with_owner(call));
    }
    owners
}

fn with_owner(call: &Call<'_>) -> String {
    let owner = call
        .subject
        .owner
        .as_ref()
        .and_then(|owner| owner.type_name.clone().or(owner.of_trait.clone()));
    match owner {
        Some(owner) => format!("{owner}_{}", call.subject.name),
        None => call.subject.name.clone(),
    }
}

/// Returns the part of the name with the differing arguments: `_where_id_2_and_name_is_empty`.
fn differing(call: &Call<'_>, alike: &[&&Call<'_>]) -> String {
    let others: Vec<Vec<(String, &Value)>> = alike.iter().map(|other| given(other)).collect();
    let mut said = Vec::new();
    for (at, (name, value)) in given(call).into_iter().enumerate() {
        let at_same: Vec<&Value> = others
            .iter()
            .filter_map(|other| other.get(at).map(|(_, value)| *value))
            .collect();
        let differs = at_same.iter().any(|other| *other != value);
        let words = in_words(value).or_else(|| unusual_field(value, &at_same));
        if let (true, Some(words)) = (differs, words) {
            said.push(format!("{}_{words}", words_of(&name)));
        }
    }
    said.truncate(2);
    match said.is_empty() {
        true => differing_answer(call, alike).unwrap_or_default(),
        false => format!("_where_{}", said.join("_and_")),
    }
}

/// Returns the inputs of a call; for a reader, the bytes read.
fn given<'v>(call: &Call<'v>) -> Vec<(String, &'v Value)> {
    let passed = call.recorded.values(call.set, Phase::Passed);
    let read = |name: &str| {
        passed
            .iter()
            .find(|(own, _)| *own == name && is_read(call, name))
            .map(|(_, value)| *value)
    };
    bound(call)
        .into_iter()
        .map(|(name, value)| (name.clone(), read(&name).unwrap_or(value)))
        .collect()
}

/// Returns whether a stream is one that is read.
fn is_read(call: &Call<'_>, name: &str) -> bool {
    let own = call
        .subject
        .parameters
        .iter()
        .find(|parameter| parameter.name().as_deref() == Some(name));
    own.and_then(|parameter| stream_of(call.subject, parameter))
        .is_some_and(|stream| stream.of.is_read())
}

/// Returns the first field in which a value differs from most others: `is_open_false`.
fn unusual_field(value: &Value, all: &[&Value]) -> Option<String> {
    let fields = fields_of(value)?;
    fields.iter().enumerate().find_map(|(at, (name, own))| {
        let of = |other: &&&Value| {
            fields_of(other)
                .and_then(|fields| fields.get(at))
                .is_some_and(|(_, value)| value == own)
        };
        let is_unusual = all.iter().filter(of).count() * 2 <= all.len();
        let words = in_words(own).filter(|_| is_unusual)?;
        Some(format!("{}_{words}", words_of(name)))
    })
}

fn fields_of(value: &Value) -> Option<&[(String, Value)]> {
    match value.behind_references() {
        Value::Struct {
            variant: None,
            fields,
            ..
        } => Some(fields),
        _ => None,
    }
}

/// Returns the part of the name with the first differing result of a leaf: `_when_find_gives_none`.
fn differing_answer(call: &Call<'_>, alike: &[&&Call<'_>]) -> Option<String> {
    fn answers(call: &Call<'_>) -> Vec<(String, Option<String>)> {
        let leaves = call.outgoing.iter().filter(|one| one.leaf.is_some());
        leaves
            .map(|one| {
                (
                    name_of_call(&one.call.site.text),
                    one.call.result().and_then(in_words),
                )
            })
            .collect()
    }
    let others: Vec<Vec<(String, Option<String>)>> =
        alike.iter().map(|other| answers(other)).collect();
    let own = answers(call).into_iter().enumerate();
    let mut differing =
        own.filter(|(at, answer)| others.iter().any(|other| other.get(*at) != Some(answer)));
    differing
        .find_map(|(_, (name, words))| Some(format!("_when_{}_gives_{}", words_of(&name), words?)))
}

/// Returns the name of the function that a call is of.
fn name_of_call(text: &str) -> String {
    let expression = parse_part::<Expr>(text);
    let call = match &expression {
        Ok(Expr::Await(waiting)) => &*waiting.base,
        Ok(other) => other,
        Err(_) => return String::new(),
    };
    match call {
        Expr::MethodCall(call) => call.method.to_string(),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path
                .path
                .segments
                .last()
                .map(|last| last.ident.to_string())
                .unwrap_or_default(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// Returns the part of the name with the outcome: `_returning_some`, `_changing_count`,
/// `_panicking`.
fn outcome(call: &Call<'_>) -> String {
    if matches!(call.set.exit, Exit::Panic(_)) {
        return "_panicking".to_owned();
    }
    let changed = changed(call);
    match result_of(call).filter(|value| **value != Value::Unit) {
        Some(value) => match in_words(value) {
            Some(words) => format!("_returning_{words}"),
            None => kind_in_words(value)
                .map(|kind| format!("_returning_{kind}"))
                .unwrap_or_default(),
        },
        None => match changed.first() {
            Some(("self", _, _)) => "_changing_its_state".to_owned(),
            Some((name, _, _)) => format!("_changing_{}", words_of(name)),
            None => String::new(),
        },
    }
}

/// Describes the kind of a value with too many parts.
fn kind_in_words(value: &Value) -> Option<String> {
    match value.behind_references() {
        Value::Struct {
            variant: None,
            type_name,
            ..
        } => Some(words_of(last_word(
            type_name.split('<').next().unwrap_or(type_name),
        ))),
        _ => None,
    }
}

/// Describes a value in a few words, or returns `None` if it has too many parts.
fn in_words(value: &Value) -> Option<String> {
    match value {
        Value::Bool(value) => Some(value.to_string()),
        Value::Int { type_name, bits } => Some(number_in_words(type_name, *bits)),
        Value::Float { double, bits } => {
            let number = if *double {
                f64::from_bits(*bits)
            } else {
                f64::from(f32::from_bits(*bits as u32))
            };
            let digits = number.abs().to_string().replace('.', "_");
            let sign = if number < 0.0 { "minus_" } else { "" };
            (digits.len() <= 12).then(|| format!("{sign}{}", digits.to_lowercase()))
        }
        Value::Char(value) => Some(text_in_words(&value.to_string())),
        // Paths often differ in each run.
        Value::Str(text) if text.starts_with('/') => None,
        Value::Str(text) => Some(text_in_words(text)),
        Value::Ref { inner, .. } => in_words(inner),
        Value::Struct {
            variant: Some(variant),
            ..
        } => Some(words_of(variant)),
        // A wrapper is described by its content.
        Value::Struct {
            variant: None,
            fields,
            ..
        } if fields.len() == 1 => in_words(&fields[0].1),
        Value::Seq { items, .. } if items.is_empty() => Some("nothing".to_owned()),
        Value::Seq { items, .. } if items.len() == 1 => Some("one_item".to_owned()),
        Value::Seq { items, .. } => Some(format!("{}_items", items.len())),
        Value::Built { head, args, .. } if head == "String::from" => {
            args.first().and_then(in_words)
        }
        Value::Built { args, .. } if args.len() == 1 => in_words(&args[0]),
        _ => None,
    }
}

fn number_in_words(type_name: &str, bits: u128) -> String {
    let number = bits as i128;
    if type_name.starts_with('i') && number < 0 {
        format!("minus_{}", number.unsigned_abs())
    } else {
        bits.to_string()
    }
}

/// Returns the first words of a string, or the kind of its chars if it has no words.
fn text_in_words(text: &str) -> String {
    let words: Vec<String> = text
        .split(|char: char| !char.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty() && word.len() <= 16)
        .take(MAX_WORDS)
        .map(str::to_lowercase)
        .collect();
    match (text.is_empty(), words.is_empty()) {
        (true, _) => "empty".to_owned(),
        (false, true) if text.trim().is_empty() => "blank".to_owned(),
        (false, true) => {
            format!("of_{}_characters", text.chars().count()).replace("of_1_characters", "a_sign")
        }
        (false, false) => words.join("_"),
    }
}

/// Returns a name of the source as words: `NotFound` → `not_found`, `r#type` → `type`.
fn words_of(name: &str) -> String {
    let mut words = String::new();
    let mut after_small = false;
    for char in name.trim_start_matches("r#").chars() {
        if char.is_uppercase() && after_small {
            words.push('_');
        }
        after_small = char.is_lowercase() || char.is_ascii_digit();
        words.extend(if char.is_alphanumeric() {
            char.to_lowercase().collect::<Vec<_>>()
        } else {
            vec!['_']
        });
    }
    words.trim_matches('_').to_owned()
}

fn shortened(name: &str) -> String {
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let mut end = 0;
    for (at, _) in name.match_indices('_').filter(|(at, _)| *at <= LONGEST) {
        end = at;
    }
    name[..end.max(1)]
        .trim_end_matches("_and")
        .trim_end_matches("_where")
        .trim_end_matches("_returning")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_said_in_a_few_words() {
        let text = |text: &str| in_words(&Value::Str(text.to_owned())).unwrap();
        assert_eq!(text("raining, a light drizzle"), "raining_a_light");
        assert_eq!(text(""), "empty");
        assert_eq!(text("  "), "blank");
        assert_eq!(text("-"), "a_sign");
        assert_eq!(
            in_words(&Value::Float {
                double: true,
                bits: (-2.5_f64).to_bits()
            })
            .unwrap(),
            "minus_2_5"
        );
        assert_eq!(in_words(&Value::Str("/tmp/x1".to_owned())), None);
        assert_eq!(
            in_words(&Value::Int {
                type_name: "i8",
                bits: -3_i128 as u128
            })
            .unwrap(),
            "minus_3"
        );
    }

    #[test]
    fn a_value_of_many_parts_is_called_by_the_part_that_is_unusual() {
        let options = |is_open: bool, name: &str| Value::Struct {
            type_name: "shop::Options".to_owned(),
            variant: None,
            shape: situ_recorder::value::Shape::Named,
            fields: vec![
                ("name".to_owned(), Value::Str(name.to_owned())),
                ("is_open".to_owned(), Value::Bool(is_open)),
            ],
        };
        let all = [options(true, "a"), options(true, "a"), options(false, "a")];
        let all: Vec<&Value> = all.iter().collect();
        assert_eq!(
            unusual_field(all[2], &all).as_deref(),
            Some("is_open_false")
        );
        assert_eq!(unusual_field(all[0], &all), None, "it is as most are");
    }

    #[test]
    fn calls_are_called_by_their_function() {
        assert_eq!(
            name_of_call("app.weather.fetch_weather().await"),
            "fetch_weather"
        );
        assert_eq!(name_of_call("Catalog::load(prices)"), "load");
    }

    #[test]
    fn names_of_the_source_become_words() {
        assert_eq!(words_of("NotFound"), "not_found");
        assert_eq!(words_of("r#type"), "type");
        assert_eq!(words_of("HTTPClient_get"), "httpclient_get");
    }

    #[test]
    fn long_names_end_between_words() {
        let name = shortened(&format!(
            "parse_where_{}_returning_some",
            "word_".repeat(20)
        ));
        assert!(name.len() <= LONGEST && name.ends_with("word"), "{name}");
    }
}
