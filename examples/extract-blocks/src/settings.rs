//! Settings out of the environment and a file: what a block asks of the world is mocked in its tests.

use situ::prelude::*;
use std::env;
use std::fs;

/// The names in a file, in upper case if the environment asks for it.
#[situ]
pub fn names(path: &str) -> Vec<String> {
    blocktest!(
        mock(
            env::var("EXTRACT_BLOCKS_LOUD"),
            Err::<String, _>(std::env::VarError::NotPresent)
        ),
        mock(
            fs::read_to_string(..),
            Ok::<_, std::io::Error>(String::from(
                "[package]\nname = \"extract-blocks\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n"
            ))
        ),
        check_return(vec![String::from("extract-blocks")]),
        observed("b53j")
    );
    let is_loud = env::var("EXTRACT_BLOCKS_LOUD").is_ok_and(|value| value == "yes");
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut names = Vec::new();
    for line in text.lines() {
        blocktest!(
            next(2),
            given(
                line = "[package]",
                names = Vec::<String>::new(),
                is_loud = false
            ),
            check_continue(),
            check(names.is_empty()),
            observed("4dhz")
        );
        blocktest!(
            tag("nearby"),
            next(2),
            each(
                (line, names, is_loud, expected),
                [
                    (
                        "edition = \"2024\"",
                        vec![String::from("extract-blocks")],
                        false,
                        vec!["extract-blocks"]
                    ),
                    (
                        "name = \"extract-blocks\"",
                        Vec::<String>::new(),
                        false,
                        vec!["extract-blocks"]
                    ),
                    (
                        "name = \"extract-blocks\"",
                        Vec::<String>::new(),
                        true,
                        vec!["EXTRACT-BLOCKS"]
                    ),
                    (
                        " name = \"extract-blocks\"",
                        Vec::<String>::new(),
                        false,
                        vec!["extract-blocks"]
                    ),
                    (
                        "name = \"extract-blocks\" ",
                        Vec::<String>::new(),
                        false,
                        vec!["extract-blocks"]
                    ),
                    (
                        "name = \"extract-blocks\"=",
                        Vec::<String>::new(),
                        false,
                        vec!["extract-blocks\"="]
                    )
                ]
            ),
            check_eq(names, expected),
            observed("rhaw")
        );
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        if key.trim() == "name" {
            blocktest!(
                tag("nearby"),
                each(
                    (value, is_loud, expected),
                    [
                        (" \"extract-blocks\"", false, vec!["extract-blocks"]),
                        (" \"extract-blocks\" ", false, vec!["extract-blocks"]),
                        ("\"extract-blocks\"", true, vec!["EXTRACT-BLOCKS"])
                    ]
                ),
                given(names = Vec::<String>::new()),
                check_eq(names, expected),
                observed("ddnp")
            );
            let value = value.trim().trim_matches('"');
            names.push(if is_loud {
                value.to_uppercase()
            } else {
                value.to_owned()
            });
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_has_a_name() {
        assert_eq!(names("Cargo.toml").len(), 1);
    }
}
