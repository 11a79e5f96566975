//! Grammatical number, for messages.

/// Formats a number with its noun, given in the singular: `1 test`, `2 tests`, `3 theories`. Only
/// the last word of the noun changes.
pub fn count(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!(
        "{number} {}",
        if number == 1 {
            noun.to_owned()
        } else {
            plural(noun)
        }
    )
}

/// Returns `one` or `several`, depending on the number: `is` or `are`, `it` or `they`.
pub fn of_number<'w>(number: impl TryInto<u64>, one: &'w str, several: &'w str) -> &'w str {
    if number.try_into().is_ok_and(|number| number == 1) {
        one
    } else {
        several
    }
}

fn plural(noun: &str) -> String {
    let hisses = ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    match noun
        .strip_suffix('y')
        .filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']))
    {
        Some(stem) => format!("{stem}ies"),
        None if hisses => format!("{noun}es"),
        None => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one_and_all_others_are_several() {
        assert_eq!(
            [0_u64, 1, 2].map(|number| count(number, "test")),
            ["0 tests", "1 test", "2 tests"]
        );
        let several =
            ["value set", "theory", "branch", "process", "key"].map(|noun| count(2_usize, noun));
        assert_eq!(
            several,
            [
                "2 value sets",
                "2 theories",
                "2 branches",
                "2 processes",
                "2 keys"
            ]
        );
        assert_eq!(
            (of_number(1_u32, "is", "are"), of_number(0_u32, "is", "are")),
            ("is", "are")
        );
    }
}
