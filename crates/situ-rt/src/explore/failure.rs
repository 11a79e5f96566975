//! Which failures are the same: same place, same words, whatever the values in them.

/// What tells one failure from another.
pub fn class_of(message: &str) -> String {
    let (words, place) = match message.rsplit_once("\nat ") {
        Some((words, place)) => (words, place),
        None => (message, ""),
    };
    format!("{place}|{}", without_values(words.lines().next().unwrap_or_default()))
}

/// A line up to the first number or quoted part: what follows depends on the input.
fn without_values(line: &str) -> &str {
    let end = line.find(|one: char| one.is_ascii_digit() || one == '"' || one == '\'').unwrap_or(line.len());
    // A sign or a bracket belongs to the value.
    line[..end].trim_end_matches(|one: char| !one.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::class_of;

    #[test]
    fn values_do_not_tell_failures_apart_and_places_do() {
        let failure = |index: usize, line: usize| {
            format!("index out of bounds: the len is 3 but the index is {index}\nat src/lib.rs:{line}:5")
        };
        assert_eq!(class_of(&failure(3, 10)), class_of(&failure(417, 10)));
        assert_ne!(class_of(&failure(3, 10)), class_of(&failure(3, 11)));
        let unequal = |left: i32| format!("assertion `left == right` failed\n  left: {left}\n right: 2\nat a.rs:1:1");
        assert_eq!(class_of(&unequal(1)), class_of(&unequal(-44)));
        assert_eq!(class_of("returned Err(\"a\")"), class_of("returned Err(\"b c\")"));
        let own = |number: i32| format!("{number} for 0.5\nat a.rs:1:1");
        assert_eq!(class_of(&own(100)), class_of(&own(-1)));
        let boundary =
            |text: &str| format!("byte index 2 is not a char boundary; it is inside 'ä' of `{text}`\nat a.rs:1:1");
        assert_eq!(class_of(&boundary("aä")), class_of(&boundary("bä 1")));
    }
}
