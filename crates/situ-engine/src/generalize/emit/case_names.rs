//! The names of cases: where their arguments come from.

use crate::generalize::arguments::Origin;
use std::collections::BTreeMap;

/// A name for each case, none twice.
pub fn case_names(origins: &[Option<&Origin>], original: &[bool]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let named = origins.iter().zip(original).map(|(origin, is_original)| {
        let base = match origin {
            _ if *is_original => "original".to_owned(),
            Some(Origin::Test(path)) => {
                let words = path.rsplit("::").next().unwrap_or(path);
                if words.is_empty() { "seen_elsewhere".to_owned() } else { format!("as_in_{}", word(words)) }
            }
            Some(Origin::Workload(name)) => format!("seen_in_{}", word(name)),
            None => "another".to_owned(),
        };
        let count = counts.entry(base.clone()).or_default();
        *count += 1;
        if *count == 1 { base } else { format!("{base}_{count}") }
    });
    named.collect()
}

/// A text as a part of a name.
fn word(text: &str) -> String {
    let plain = text.chars().map(|char| if char.is_alphanumeric() { char.to_ascii_lowercase() } else { '_' });
    plain.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_where_arguments_come_from_and_none_is_used_twice() {
        let test = Origin::Test("tests::noble_gases".to_owned());
        let workload = Origin::Workload("a day".to_owned());
        let origins = [None, Some(&test), Some(&test), Some(&workload), None];
        let names = case_names(&origins, &[true, false, false, false, false]);
        assert_eq!(names, ["original", "as_in_noble_gases", "as_in_noble_gases_2", "seen_in_a_day", "another"]);
    }
}
