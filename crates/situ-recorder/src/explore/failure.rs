//! Classes of failures: the same place and message, ignoring the values in it.

/// Returns the class of a failure from its message.
pub fn class_of(message: &str) -> String {
    let (words, place) = match message.rsplit_once("\nat ") {
        Some((words, place)) => (words, place),
        None => (message, ""),
    };
    format!(
        "{place}|{}",
        without_values(words.lines().next().unwrap_or_default())
    )
}

/// Returns a line up to the first number or quoted part, because what follows depends on the input.
fn without_values(line: &str) -> &str {
    let end = line
        .find(|one: char| one.is_ascii_digit() || one == '"' || one == '\'')
        .unwrap_or(line.len());
    // A sign or bracket before the value belongs to it.
    line[..end].trim_end_matches(|one: char| !one.is_alphanumeric())
}

/// Returns a finer class of a failure: place and message with all values except those of the input
/// itself. Values of the input change while it shrinks; others belong to the failure.
pub fn exact_class_of(message: &str, arguments: &str) -> String {
    let (words, place) = message.rsplit_once("\nat ").unwrap_or((message, ""));
    let line = words.lines().next().unwrap_or_default();
    let mut exact = String::new();
    let mut rest = line;
    while let Some((before, value, after)) = next_value(rest) {
        exact.push_str(before);
        exact.push_str(if arguments.contains(value) {
            "…"
        } else {
            value
        });
        rest = after;
    }
    format!("{place}|{exact}{rest}")
}

/// Returns the next number or quoted part of a line, with what precedes and follows it.
fn next_value(line: &str) -> Option<(&str, &str, &str)> {
    let start = line.find(|one: char| one.is_ascii_digit() || matches!(one, '"' | '`'))?;
    let (before, rest) = line.split_at(start);
    let first = rest.chars().next()?;
    let (value, after) = match first {
        '"' | '`' => {
            let end = rest[1..].find(first).map_or(rest.len(), |end| end + 1);
            (rest.get(1..end)?, &rest[end..])
        }
        _ => rest.split_at(
            rest.find(|one: char| !one.is_ascii_digit())
                .unwrap_or(rest.len()),
        ),
    };
    let quote = if matches!(first, '"' | '`') { 1 } else { 0 };
    let before = &line[..before.len() + quote];
    Some((before, value, after.get(quote..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::{class_of, exact_class_of};

    #[test]
    fn where_one_failure_is_wanted_others_at_its_place_are_not_it() {
        let returned = |what: &str| format!("returned Err({what})\nat a.rs:1:1");
        let class = |what: &str, arguments: &str| exact_class_of(&returned(what), arguments);
        assert_ne!(class("\"too long\"", "\"abc\""), class("\"empty\"", "\"\""));
        assert_ne!(class("Code(17)", "\"abc\""), class("Code(4)", "\"\""));
        assert_eq!(
            class("No(\"abc\", 2)", "\"abc\""),
            class("No(\"a\", 2)", "\"a\""),
            "the input got simpler"
        );
        assert_eq!(class("Code(17)", "17"), class("Code(4)", "4"));
        assert_ne!(
            exact_class_of("a\nat x:1:1", ""),
            exact_class_of("a\nat x:2:1", "")
        );
        // An unterminated quote, and a char of several bytes.
        assert_eq!(exact_class_of("it's \"ä", "ä"), "|it's \"…");
    }

    #[test]
    fn values_do_not_tell_failures_apart_and_places_do() {
        let failure = |index: usize, line: usize| {
            format!(
                "index out of bounds: the len is 3 but the index is {index}\nat src/lib.rs:{line}:5"
            )
        };
        assert_eq!(class_of(&failure(3, 10)), class_of(&failure(417, 10)));
        assert_ne!(class_of(&failure(3, 10)), class_of(&failure(3, 11)));
        let unequal = |left: i32| {
            format!("assertion `left == right` failed\n  left: {left}\n right: 2\nat a.rs:1:1")
        };
        assert_eq!(class_of(&unequal(1)), class_of(&unequal(-44)));
        assert_eq!(
            class_of("returned Err(\"a\")"),
            class_of("returned Err(\"b c\")")
        );
        let own = |number: i32| format!("{number} for 0.5\nat a.rs:1:1");
        assert_eq!(class_of(&own(100)), class_of(&own(-1)));
        let boundary = |text: &str| {
            format!(
                "byte index 2 is not a char boundary; it is inside 'ä' of `{text}`\nat a.rs:1:1"
            )
        };
        assert_eq!(class_of(&boundary("aä")), class_of(&boundary("bä 1")));
    }
}
