//! `cargo situ generalize` on tests that macros of the crate make, and on tests that consist of calls of such macros.

use crate::project::{Project, Ran, own_cargo};

const LIBRARY: &str = r#"//! Words in lower case.

/// The words of a text with hyphens between them.
pub fn kebab(text: &str) -> String {
    let mut made = String::new();
    for letter in text.chars() {
        let begins = letter.is_uppercase() || letter == ' ';
        if begins && !made.is_empty() && !made.ends_with('-') {
            made.push('-');
        }
        if letter != ' ' {
            made.extend(letter.to_lowercase());
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::kebab;

    macro_rules! kebabs {
        ($($name:ident: $text:expr => $expected:expr;)+) => {
            $(
                #[test]
                fn $name() {
                    let made = kebab($text);
                    assert_eq!(made, $expected);
                    assert!(!made.contains(' '));
                }
            )+
        };
    }

    kebabs! {
        one_word: "Word" => "word";
        two_words: "TwoWords" => "two-words";
        with_a_blank: "two words" => "two-words";
    }

    macro_rules! same {
        ($($one:expr, $other:expr);+) => {
            $(assert_eq!(kebab($one), kebab($other));)+
        };
    }

    #[test]
    fn case_is_no_matter() {
        same!("a", "A");
    }
}
"#;

/// The line of a candidate, told by its test and by how its assertion begins.
fn candidate<'r>(ran: &'r Ran, test: &str, assertion: &str) -> &'r serde_json::Value {
    let is_meant = |line: &&serde_json::Value| {
        line["test"] == format!("tests::{test}")
            && line["assertion"]
                .as_str()
                .is_some_and(|text| text.starts_with(assertion))
    };
    ran.lines
        .iter()
        .find(is_meant)
        .unwrap_or_else(|| panic!("{test} × {assertion}: {}", ran.stdout))
}

#[test]
fn tests_that_a_macro_makes_are_generalized_like_written_ones() {
    let project = Project::with_builds_of_last_run("generalize-macros");
    project.write(
        "Cargo.toml",
        "[package]\nname = \"hyphens\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n",
    );
    project.write("src/lib.rs", LIBRARY);
    let ran = project.situ(&["generalize", "--json", "--write"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        (
            &ran.summary["tests_considered"],
            &ran.summary["tests_with_candidates"]
        ),
        (&4.into(), &4.into())
    );
    assert_eq!(ran.summary["ill_formed"], 0, "{}", ran.stdout);

    assert_eq!(
        candidate(&ran, "one_word", "assert_eq!")["class"],
        "strongly_coupled"
    );
    assert_eq!(
        candidate(&ran, "two_words", "assert_eq!")["class"],
        "falsifiably_coupled"
    );
    assert_eq!(candidate(&ran, "one_word", "assert!")["general"], true);
    // What no line holds is where the macro is called.
    let called = 1 + LIBRARY
        .lines()
        .position(|line| line.contains("kebabs! {"))
        .unwrap();
    assert_eq!(candidate(&ran, "two_words", "assert_eq!")["line"], called);

    let written = project.read("src/lib.rs");
    let (before, behind) = written.split_once("with_a_blank: \"two words\"").unwrap();
    let test = "fn two_words_over_kebab(#[case] text: &str) {\n        let made = kebab(text);\n        \
                assert_eq!(made, \"two-words\");\n    }";
    assert!(
        behind.contains(test) && behind.contains("\"TwoWords\""),
        "{written}"
    );
    assert!(!before.contains("_over_"), "{written}");
    assert_eq!(
        candidate(
            &ran,
            "case_is_no_matter",
            "assert_eq!(kebab(\"a\"), kebab(\"A\"))"
        )["class"],
        "strongly_coupled"
    );
    let output = own_cargo(&project)
        .args(["test", "--quiet"])
        .output()
        .unwrap();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        output.status.success() && !said.contains("warning"),
        "{said}"
    );
}
