//! Names of extracted tests: the case that a test is about, from a boundary, an error, an exit or an input.

use crate::generate::extract::candidate::statement::Statement;
use crate::generate::extract::candidate::{Candidate, Claim};
use quote::ToTokens as _;
use situ_recorder::value::Value;
use std::cmp::Ordering;

/// Characters of a string that a name repeats.
const MAX_TEXT: usize = 24;
/// Characters of a name.
const MAX_NAME: usize = 64;
/// Inputs that a name mentions.
const MAX_INPUTS: usize = 2;

/// Names for a test of these candidates, the best first. Each says something else, so that one of them is free.
pub(crate) fn case_names(statement: &Statement, candidates: &[&Candidate]) -> Vec<String> {
    let [only] = candidates else {
        return names_of_table(statement, candidates);
    };
    let outcome = outcome(only);
    let inputs = inputs(only);
    let boundary = boundary(statement, only);
    let both = |one: &Option<String>, other: &Option<String>| {
        Some(format!("{}, {}", one.as_ref()?, other.as_ref()?))
    };
    let combined = [both(&boundary, &inputs), both(&inputs, &outcome)];
    let failure = outcome.clone().filter(|_| is_failure(only));
    let subject = both(&Some(short(&subject(statement))), &inputs);
    [failure, boundary, inputs, outcome.clone()]
        .into_iter()
        .chain(combined)
        .chain([
            subject,
            both(&Some(short(&subject_of(statement))), &outcome),
        ])
        .flatten()
        .filter(|name| name.chars().count() <= MAX_NAME)
        .collect()
}

/// Names for a test with several rows: what varies, and what it is compared with.
fn names_of_table(statement: &Statement, candidates: &[&Candidate]) -> Vec<String> {
    let Some(first) = candidates.first() else {
        return Vec::new();
    };
    let varying: Vec<String> = first
        .givens
        .iter()
        .enumerate()
        .filter(|(at, (_, value))| {
            candidates
                .iter()
                .any(|other| other.givens.get(*at).is_none_or(|(_, own)| own != value))
        })
        .map(|(_, (name, _))| in_words(name))
        .collect();
    let around = statement
        .comparisons()
        .texts()
        .into_iter()
        .enumerate()
        .find(|(at, _)| {
            let side = |candidate: &&&Candidate| {
                statement.comparisons().sides(candidate).get(*at).copied()
            };
            let sides: Vec<_> = candidates.iter().map(|one| side(&one)).collect();
            sides.iter().flatten().flatten().any(|side| side.is_eq())
                && sides.iter().any(|side| *side != sides[0])
        })
        .map(|(_, (left, right))| format!("{} around {}", short(&left), short(&right)));
    let by = (!varying.is_empty()).then(|| format!("by {}", varying.join(" and ")));
    let with_subject = by
        .as_ref()
        .map(|by| format!("{} {by}", short(&subject(statement))));
    [around, by, with_subject]
        .into_iter()
        .flatten()
        .filter(|name| name.chars().count() <= MAX_NAME)
        .collect()
}

/// The two sides of a comparison that are equal with these inputs.
fn boundary(statement: &Statement, candidate: &Candidate) -> Option<String> {
    let comparisons = statement.comparisons();
    let sides = comparisons.sides(candidate);
    let (left, right) = comparisons
        .texts()
        .into_iter()
        .zip(sides)
        .find(|(_, side)| *side == Some(Ordering::Equal))?
        .0;
    Some(format!("{} is exactly {}", short(&left), short(&right)))
}

fn inputs(candidate: &Candidate) -> Option<String> {
    let told: Vec<String> = candidate
        .givens
        .iter()
        .filter_map(|(name, value)| Some(format!("{} is {}", in_words(name), told(value)?)))
        .chain(
            candidate
                .arguments
                .iter()
                .filter_map(|value| Some(format!("for {}", told(value)?))),
        )
        .take(MAX_INPUTS)
        .collect();
    (!told.is_empty()).then(|| told.join(" and "))
}

/// A value in a few words, where it has any.
fn told(value: &Value) -> Option<String> {
    match value {
        Value::Bool(value) => Some(value.to_string()),
        Value::Int { bits, type_name } => {
            let number = if type_name.starts_with('i') {
                (*bits as i128).to_string()
            } else {
                bits.to_string()
            };
            (number.len() <= 10).then_some(number)
        }
        Value::Float { double, bits } => {
            let number = if *double {
                f64::from_bits(*bits).to_string()
            } else {
                f32::from_bits(*bits as u32).to_string()
            };
            (number.len() <= 10).then_some(number)
        }
        Value::Char(letter) if letter.is_ascii_graphic() => Some(format!("'{letter}'")),
        Value::Str(text) if text.is_empty() => Some("empty".to_owned()),
        Value::Str(text) => {
            let is_plain =
                |letter: char| letter.is_ascii_graphic() && letter != '"' || letter == ' ';
            (text.chars().count() <= MAX_TEXT && text.chars().all(is_plain))
                .then(|| format!("'{text}'"))
        }
        Value::Ref { inner, .. } => told(inner),
        Value::Seq { items, .. } if items.is_empty() => Some("empty".to_owned()),
        Value::Struct {
            variant: Some(variant),
            fields,
            ..
        } => match (variant.as_str(), fields.as_slice()) {
            ("None", []) => Some("none".to_owned()),
            ("Some", [(_, inner)]) => Some(format!("some {}", told(inner)?)),
            (_, []) => Some(split_words(variant)),
            _ => None,
        },
        _ => None,
    }
}

fn outcome(candidate: &Candidate) -> Option<String> {
    candidate.claims.iter().find_map(|claim| match claim {
        Claim::Panics(text) => Some(format!("panics: {}", short(text))),
        Claim::Breaks(_) => Some("leaves the loop".to_owned()),
        Claim::Continues(_) => Some("goes on with the next one".to_owned()),
        Claim::Condition(true) => Some("the condition holds".to_owned()),
        Claim::Condition(false) => Some("the condition does not hold".to_owned()),
        Claim::Returns(value) => Some(match error_of(value) {
            Some(error) => error,
            None => format!("returns {}", told(value)?),
        }),
        Claim::Place(name, value) => Some(format!("{} becomes {}", in_words(name), told(value)?)),
        _ => None,
    })
}

/// Whether what is claimed is an error, which names a case best.
fn is_failure(candidate: &Candidate) -> bool {
    candidate.claims.iter().any(|claim| match claim {
        Claim::Panics(_) => true,
        Claim::Returns(value) => error_of(value).is_some(),
        _ => false,
    })
}

/// The variant of an error in words.
fn error_of(value: &Value) -> Option<String> {
    let Value::Struct {
        variant, fields, ..
    } = value
    else {
        return None;
    };
    match (variant.as_deref()?, fields.as_slice()) {
        (
            "Err",
            [
                (
                    _,
                    Value::Struct {
                        variant: Some(error),
                        ..
                    },
                ),
            ],
        ) => Some(split_words(error)),
        ("Err", _) => Some("an error".to_owned()),
        _ => None,
    }
}

/// What a statement assigns or decides, else its function.
fn subject(statement: &Statement) -> String {
    let tokens = statement.tokens().into_token_stream().to_string();
    let bound = tokens
        .strip_prefix("let ")
        .and_then(|rest| rest.split(['=', ':']).next());
    match bound.map(|name| name.trim().trim_start_matches("mut ")) {
        Some(name)
            if name
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_') =>
        {
            in_words(name)
        }
        _ => subject_of(statement),
    }
}

/// The function that a statement stands in.
fn subject_of(statement: &Statement) -> String {
    let function = &statement.site.function;
    in_words(function.rsplit("::").next().unwrap_or(function))
}

/// A place or name as words: `self.add_line` is called `add line`.
fn in_words(name: &str) -> String {
    name.trim_start_matches("self.").replace('_', " ")
}

/// `IncompleteHexOctet` as `incomplete hex octet`.
fn split_words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// Code as it is read aloud: without blanks around its punctuation.
fn short(code: &str) -> String {
    let mut text = code.split_whitespace().collect::<Vec<_>>().join(" ");
    for (spaced, tight) in [
        (" . ", "."),
        (" :: ", "::"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
    ] {
        text = text.replace(spaced, tight);
    }
    text.replace('"', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_from_names() {
        assert_eq!(split_words("IncompleteHexOctet"), "incomplete hex octet");
        assert_eq!(in_words("self.add_line"), "add line");
        assert_eq!(short("self . map . len ()"), "self.map.len()");
    }

    #[test]
    fn inputs_are_told_in_a_few_words() {
        let text = |text: &str| Value::Ref {
            mutable: false,
            inner: Box::new(Value::Str(text.to_owned())),
        };
        let candidate = |value: Value| Candidate {
            givens: vec![("add_line".to_owned(), value)],
            ..Candidate::default()
        };
        let inputs = |value: Value| inputs(&candidate(value));
        assert_eq!(inputs(text("")).unwrap(), "add line is empty");
        assert_eq!(inputs(text("+++ b/x")).unwrap(), "add line is '+++ b/x'");
        assert_eq!(inputs(text("\u{0}\u{1}")), None, "nobody can read it");
        let none = Value::Struct {
            type_name: "Option".to_owned(),
            variant: Some("None".to_owned()),
            shape: situ_recorder::value::Shape::Unit,
            fields: Vec::new(),
        };
        assert_eq!(inputs(none).unwrap(), "add line is none");
    }
}
