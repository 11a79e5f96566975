//! Which failures are the same: same place, same words, whatever the values in them.

/// What tells one failure from another.
pub fn class_of(message: &str) -> String {
    let (words, place) = match message.rsplit_once("\nat ") {
        Some((words, place)) => (words, place),
        None => (message, ""),
    };
    format!("{place}|{}", without_values(words.lines().next().unwrap_or_default()))
}

/// A line with its numbers and quoted parts blanked, and of a value only its beginning.
fn without_values(line: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    for character in line.chars().take(200) {
        match quote {
            Some(end) if character == end => quote = None,
            Some(_) => {}
            None if character == '"' => quote = Some('"'),
            None if character.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            None => out.push(character),
        }
    }
    out
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
    }
}
