//! Calls that may kill a survivor: arguments at and beside the values that the function and its tests name.

use super::subject::Subject;
use quote::ToTokens as _;
use std::collections::BTreeSet;
use syn::{Lit, Type};

/// Calls of one function that are tried.
const MAX_CALLS: usize = 120;
/// Values of one parameter that are tried.
const MAX_VALUES: usize = 48;
/// Constants that are tried for one parameter.
const MAX_CONSTANTS: usize = 3;
/// Integers above it make an error on 32-bit targets, or nothing that a reader understands.
const MAX_NUMBER: i128 = 1 << 32;

/// Products from here on are written with their factors.
const LARGE: i128 = 10_000;

/// Argument lists of a function, as Rust. `used` are the literals that its tests call it with.
pub(crate) fn argument_lists(subject: &Subject, used: &[Lit]) -> Vec<Vec<String>> {
    let literals: Vec<Lit> = subject.literals.iter().chain(used).cloned().collect();
    let columns: Option<Vec<Vec<String>>> = subject
        .parameters
        .iter()
        .map(|(_, of_type)| {
            let values = values(of_type, &literals)?;
            let values = with_constants(values, of_type, &subject.constants);
            Some(values).filter(|values| !values.is_empty())
        })
        .collect();
    let Some(columns) = columns else {
        return Vec::new();
    };
    let mut lists: Vec<Vec<String>> = vec![Vec::new()];
    let share = (MAX_CALLS as f64).powf(1.0 / columns.len().max(1) as f64) as usize;
    for column in &columns {
        let taken = &column[..column.len().min(share.max(2))];
        lists = lists
            .iter()
            .flat_map(|list| {
                taken.iter().map(move |value| {
                    let mut longer = list.clone();
                    longer.push(value.clone());
                    longer
                })
            })
            .take(MAX_CALLS)
            .collect();
    }
    lists
}

/// Values with the constants of the same type before them, at and beside the values of these, by their names.
fn with_constants(
    values: Vec<String>,
    of_type: &Type,
    constants: &[(String, String)],
) -> Vec<String> {
    let name = of_type.to_token_stream().to_string();
    let is_integer = range(&name).is_some();
    let own = constants
        .iter()
        .filter(|(_, of)| is_integer && *of == name)
        .take(MAX_CONSTANTS);
    own.flat_map(|(name, _)| [name.clone(), format!("{name} - 1"), format!("{name} + 1")])
        .chain(values)
        .collect()
}

/// Values of a type, those near the literals first; none where the type is not one of those that people write down.
fn values(of_type: &Type, literals: &[Lit]) -> Option<Vec<String>> {
    let name = of_type.to_token_stream().to_string().replace(' ', "");
    let values = match name.as_str() {
        "bool" => vec!["true".to_owned(), "false".to_owned()],
        "char" => chars(literals),
        "&str" => strings(literals),
        "String" => strings(literals)
            .iter()
            .map(|text| format!("{text}.to_owned()"))
            .collect(),
        "&[u8]" => strings(literals)
            .iter()
            .filter(|text| text.is_ascii())
            .map(|text| format!("b{text}"))
            .collect(),
        "f32" | "f64" => floats(literals),
        _ => match range(&name) {
            Some(range) => integers(range, literals),
            None => {
                let inner = name.strip_prefix("Option<")?.strip_suffix('>')?;
                let inner: Type = crate::source::parse_part(inner).ok()?;
                let some = values(&inner, literals)?;
                std::iter::once("None".to_owned())
                    .chain(some.iter().map(|value| format!("Some({value})")))
                    .collect()
            }
        },
    };
    let mut seen = BTreeSet::new();
    Some(
        values
            .into_iter()
            .filter(|value| seen.insert(value.clone()))
            .take(MAX_VALUES)
            .collect(),
    )
}

fn range(name: &str) -> Option<(i128, i128)> {
    let (low, high) = match name {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "u32" | "u64" | "u128" | "usize" => (0, MAX_NUMBER - 1),
        "i32" | "i64" | "i128" | "isize" => (i32::MIN.into(), i32::MAX.into()),
        _ => return None,
    };
    Some((low, high))
}

fn integers((low, high): (i128, i128), literals: &[Lit]) -> Vec<String> {
    let mut known: Vec<i128> = literals.iter().filter_map(number).collect();
    known.sort_unstable();
    known.dedup();
    let mut all: Vec<(i128, String)> = Vec::new();
    for one in &known {
        all.extend([*one, one - 1, one + 1].map(plain));
    }
    // Units are multiplied (`1024 * 1024`, `60 * 1000`); a year that some test names is not.
    let is_unit = |number: i128| number > 1 && (number % 10 == 0 || number.count_ones() == 1);
    let units: Vec<i128> = known.iter().copied().filter(|one| is_unit(*one)).collect();
    for (at, one) in units.iter().enumerate() {
        for other in &units[at..] {
            let product = one.saturating_mul(*other);
            // People write large numbers as what they are made of.
            if product >= LARGE {
                all.push((product, format!("{one} * {other}")));
                all.push((product - 1, format!("{one} * {other} - 1")));
            } else {
                all.extend([product, product - 1].map(plain));
            }
        }
    }
    all.extend([0, 1, 2].map(plain));
    if low < 0 {
        all.push(plain(-1));
    }
    // Small numbers first: they are what a reader takes in.
    all.retain(|(one, _)| (low..=high).contains(one));
    all.sort_by_key(|(one, text)| (one.abs(), text.len()));
    all.dedup_by_key(|(one, _)| *one);
    all.into_iter().map(|(_, text)| text).collect()
}

fn plain(number: i128) -> (i128, String) {
    (number, number.to_string())
}

fn number(literal: &Lit) -> Option<i128> {
    match literal {
        Lit::Int(number) => number.base10_parse().ok(),
        Lit::Float(number) => {
            let value: f64 = number.base10_parse().ok()?;
            (value.fract() == 0.0 && value.abs() < MAX_NUMBER as f64).then_some(value as i128)
        }
        Lit::Byte(byte) => Some(byte.value().into()),
        Lit::Char(letter) => Some(u32::from(letter.value()).into()),
        _ => None,
    }
}

fn floats(literals: &[Lit]) -> Vec<String> {
    let mut all: Vec<f64> = literals
        .iter()
        .filter_map(|literal| match literal {
            Lit::Float(number) => number.base10_parse().ok(),
            Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        })
        .flat_map(|one: f64| [one, one + 1.0, one - 1.0])
        .collect();
    all.extend([0.0, 1.0, -1.0, 0.5]);
    all.iter().map(|one| format!("{one:?}")).collect()
}

fn chars(literals: &[Lit]) -> Vec<String> {
    let mut all: Vec<char> = Vec::new();
    for literal in literals {
        match literal {
            Lit::Char(letter) => all.push(letter.value()),
            Lit::Str(text) => all.extend(text.value().chars()),
            _ => {}
        }
    }
    all.extend(['a', 'A', '0', ' ']);
    all.iter().map(|letter| format!("{letter:?}")).collect()
}

/// Strings that the code and its tests name, and what a single edit makes of them.
fn strings(literals: &[Lit]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut separators: Vec<String> = Vec::new();
    for literal in literals {
        match literal {
            Lit::Str(text) => texts.push(text.value()),
            Lit::Char(letter) => separators.push(letter.value().to_string()),
            Lit::Byte(byte) if byte.value().is_ascii() => {
                separators.push(char::from(byte.value()).to_string());
            }
            _ => {}
        }
    }
    texts.retain(|text| text.chars().count() <= 40 && !text.contains('{'));
    let mut all: Vec<String> = vec![String::new()];
    all.extend(separators.iter().cloned());
    all.extend(texts.iter().cloned());
    for text in &texts {
        let mut letters = text.chars();
        letters.next();
        all.push(letters.as_str().to_owned());
        all.push(
            text.chars()
                .take(text.chars().count().saturating_sub(1))
                .collect(),
        );
        for separator in &separators {
            all.push(format!("{separator}{text}"));
            all.push(format!("{text}{separator}"));
            all.push(text.replace(separator.as_str(), ""));
            all.push(text.replace(separator.as_str(), &separator.repeat(2)));
        }
    }
    for separator in &separators {
        all.push(format!("a{separator}"));
        all.push(format!("{separator}a"));
        all.push(format!("a{separator}b{separator}c"));
    }
    all.extend([
        "a".to_owned(),
        "ab".to_owned(),
        " ".to_owned(),
        "é".to_owned(),
    ]);
    all.iter().map(|text| format!("{text:?}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::improve::subject::subjects;

    fn lists(code: &str) -> Vec<Vec<String>> {
        argument_lists(&subjects(code)[0], &[])
    }

    #[test]
    fn numbers_are_tried_at_and_beside_the_literals_of_the_body() {
        let all = lists("fn size(bytes: u64) -> bool { bytes < 1024 }");
        for number in ["1023", "1024", "1025", "0", "1024 * 1024"] {
            assert!(
                all.contains(&vec![number.to_owned()]),
                "{number} in {all:?}"
            );
        }
        assert!(!all.contains(&vec!["-1".to_owned()]));
    }

    #[test]
    fn strings_are_tried_with_separators_at_their_ends() {
        let all = lists("fn first(line: &str) -> bool { line.find(',').is_some() }");
        for text in ["\"\"", "\",\"", "\"a,b,c\"", "\",a\""] {
            assert!(all.contains(&vec![text.to_owned()]), "{text} in {all:?}");
        }
    }

    #[test]
    fn constants_are_tried_by_name_at_and_beside_their_values() {
        let all = lists(
            "const OTHER: u8 = 3; const MAX: usize = 64; fn fits(length: usize) -> bool { length <= MAX }",
        );
        for argument in ["MAX", "MAX - 1", "MAX + 1"] {
            assert!(
                all.contains(&vec![argument.to_owned()]),
                "{argument} in {all:?}"
            );
        }
        assert!(!all.contains(&vec!["OTHER".to_owned()]), "of another type");
    }

    #[test]
    fn what_nobody_writes_down_is_not_called() {
        assert_eq!(lists("fn f(map: HashMap<u8, u8>) {}"), [[""; 0]; 0]);
        assert!(subjects("fn f(&self, x: u8) {} fn g<T>(x: T) {} fn h() {}").is_empty());
    }
}
