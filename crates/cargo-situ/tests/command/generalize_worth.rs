//! Which parameterized tests `cargo situ generalize` takes for worth showing.

use crate::project::Project;

const LIBRARY: &str = r#"//! Sizes.

/// The size of a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// Its letters.
    pub letters: usize,
}

/// The size of a word.
pub fn size(word: &str) -> Size {
    Size { letters: word.len() }
}

/// Whether there is room for it.
pub fn fits(size: &Size) -> bool {
    size.letters < 4
}

/// The day of the week.
pub fn weekday(day: u32) -> u32 {
    day % 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_fit() {
        let made = size("ab");
        assert!(fits(&made));
    }

    #[test]
    fn one_letter_fits() {
        assert!(fits(&size("a")));
    }

    #[test]
    fn nothing_fits() {
        assert!(fits(&size("")));
    }

    #[test]
    fn long_words_do_not_fit() {
        for word in ["abcd", "abcde", "abcdef"] {
            assert!(!fits(&size(word)));
        }
    }

    #[test]
    fn the_third_day_is_the_third() {
        assert_eq!(weekday(3), 3);
    }

    #[test]
    fn another_week_is_like_the_first() {
        let mut day = weekday(5);
        assert_eq!(day, 5);
        day = weekday(12);
        assert!(day <= 6 && day > 0);
    }

    #[test]
    fn weeks_begin_again() {
        for day in [1, 2, 4, 5, 6, 8, 10] {
            assert!(weekday(day) < 7);
        }
    }
}
"#;

#[test]
fn what_may_be_chance_is_told_and_what_is_said_already_is_not_shown() {
    let project = Project::with_builds_of_last_run("generalize-worth");
    let manifest =
        "[package]\nname = \"sizes\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
    project.write("Cargo.toml", manifest);
    project.write("src/lib.rs", LIBRARY);
    let ran = project.situ(&["generalize", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let names: Vec<&str> = ran
        .lines
        .iter()
        .filter_map(|line| line["name"].as_str())
        .collect();
    assert!(names.contains(&"short_words_fit_over_size"), "{names:?}");
    assert!(
        !names.iter().any(|name| name.ends_with("_over_fits")),
        "{names:?}"
    );
    let text_of = |start: &str| {
        let named = ran.lines.iter().find(|line| {
            line["name"]
                .as_str()
                .is_some_and(|name| name.starts_with(start))
        });
        named
            .and_then(|line| line["text"].as_str())
            .unwrap_or_else(|| panic!("{start}: {names:?}"))
    };
    let chance = ": it holds for one of many, perhaps by chance.";
    assert!(
        text_of("the_third_day").contains(chance) && !text_of("short_words").contains(chance),
        "{}",
        ran.stdout
    );
    let again = text_of("another_week_is_like_the_first");
    assert!(
        again.contains("let day = weekday(") && !again.contains("mut day"),
        "a variable begins anew:\n{again}"
    );
    let left_out = &ran.summary["left_out"];
    let said =
        left_out["another test asserts the same with the values that its argument is built from"]
            .as_u64();
    assert!(said.is_some_and(|said| said >= 1), "{}", ran.stdout);
}
