//! The names of cases, after the origin of their arguments.

use crate::generate::generalize::find::arguments::Origin;
use std::collections::BTreeSet;

/// The maximum length of a value in a name.
const LONGEST_WORD: usize = 24;

/// The origin of a case.
#[derive(Clone, Copy, Debug)]
pub(super) enum From<'f> {
    /// The test itself calls the function with these arguments.
    Original,
    /// Another call in the test, or a function that it calls, uses these arguments.
    Inside,
    /// Another test or workload uses these arguments.
    Elsewhere(Option<&'f Origin>),
}

/// Returns a unique name for each case: its origin, and its values if the origin is not enough.
pub(super) fn case_names(cases: &[(From<'_>, &[String])]) -> Vec<String> {
    let bases: Vec<String> = cases.iter().map(|(from, _)| base(*from)).collect();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let named = cases.iter().zip(&bases).map(|((_, values), base)| {
        let is_alone = bases.iter().filter(|other| *other == base).count() == 1;
        let values = value_word(values).filter(|_| !is_alone);
        let name = values.map_or_else(|| base.clone(), |values| format!("{base}_{values}"));
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let free = [name.clone()]
            .into_iter()
            .chain(numbered)
            .find(|name| !taken.contains(name));
        let name = free.unwrap_or(name);
        taken.insert(name.clone());
        name
    });
    named.collect()
}

fn base(from: From<'_>) -> String {
    match from {
        From::Original => "original".to_owned(),
        From::Inside => "also_in_this_test".to_owned(),
        From::Elsewhere(Some(Origin::Test(path))) => {
            let name = path.rsplit("::").next().unwrap_or(path);
            if name.is_empty() {
                "seen".to_owned()
            } else {
                format!("as_in_{}", word(name))
            }
        }
        From::Elsewhere(Some(Origin::Workload(name))) => word(name),
        From::Elsewhere(None) => "seen".to_owned(),
    }
}

/// Returns short values as a part of a name.
fn value_word(values: &[String]) -> Option<String> {
    let words: Vec<String> = values
        .iter()
        .map(|value| word(telling(value)))
        .filter(|word| !word.is_empty())
        .collect();
    let name = words.join("_");
    (!name.is_empty() && name.len() <= LONGEST_WORD).then_some(name)
}

/// Returns the distinctive part of an expression: of `"1.2".parse::<Version>().unwrap()` the
/// string.
fn telling(value: &str) -> &str {
    let plain = value.trim_start_matches('&');
    match plain
        .strip_prefix('"')
        .and_then(|rest| rest.split_once('"'))
    {
        Some((text, behind)) if behind.starts_with(".parse") => text,
        _ => value,
    }
}

/// Returns a string as a part of a name.
fn word(text: &str) -> String {
    let signed = match text.strip_prefix('-') {
        Some(number) if number.starts_with(|first: char| first.is_ascii_digit()) => {
            &format!("minus {number}")
        }
        _ => text,
    };
    let plain: String = signed
        .chars()
        .map(|char| {
            if char.is_ascii_alphanumeric() {
                char.to_ascii_lowercase()
            } else {
                ' '
            }
        })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_where_arguments_come_from_and_none_is_used_twice() {
        let test = Origin::Test("tests::noble_gases".to_owned());
        let day = Origin::Workload("a day".to_owned());
        let values: Vec<Vec<String>> = ["\"He\"", "\"Ne\"", "-2", "\"-\"", "\"+\""]
            .iter()
            .map(|text| vec![(*text).to_owned()])
            .collect();
        let from = [
            From::Original,
            From::Elsewhere(Some(&test)),
            From::Elsewhere(Some(&day)),
            From::Elsewhere(Some(&day)),
            From::Elsewhere(Some(&day)),
        ];
        let cases: Vec<(From<'_>, &[String])> = from
            .into_iter()
            .zip(values.iter().map(Vec::as_slice))
            .collect();
        assert_eq!(
            case_names(&cases),
            [
                "original",
                "as_in_noble_gases",
                "a_day_minus_2",
                "a_day",
                "a_day_2"
            ]
        );
        assert_eq!(
            value_word(&["&\"1.2\".parse::<Version>().unwrap()".to_owned()]).as_deref(),
            Some("1_2")
        );
    }
}
