//! Selects tests to run, and their order.

use super::event::Ended;
use crate::base::user_error;
use crate::programs::catalog::Listed;
use anyhow::Result;
use std::path::Path;

/// Kinds of tests to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kinds {
    #[default]
    All,
    /// Only in-situ tests.
    OnlyInSitu,
    /// All tests but in-situ tests.
    NoInSitu,
}

/// Tests that the user selected, and their order.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Parts of names. A test matches if it contains any of them; if empty, all tests match.
    pub names: Vec<String>,
    /// Files, folders or lines. `src/a.rs:12` selects the test at that line, or the tests of the
    /// code at that line.
    pub files: Vec<String>,
    /// Tags. A test matches if it has any of them; if empty, all tests match.
    pub tags: Vec<String>,
    /// Tests with the first of these tags run first, then those with the second, then all others.
    pub order: Vec<String>,
    pub kinds: Kinds,
}

impl Selection {
    /// Returns whether a test is selected. A test that a macro generates is not in the catalog, so
    /// only its name is known.
    pub fn takes(&self, name: &str, listed: Option<&Listed>) -> bool {
        let in_situ = listed.is_some_and(|listed| listed.kind.is_in_situ());
        let kind = match self.kinds {
            Kinds::All => true,
            Kinds::OnlyInSitu => in_situ,
            Kinds::NoInSitu => !in_situ,
        };
        kind && any(&self.names, |part| {
            name.contains(part) || listed.is_some_and(|listed| is_at_line(listed, part))
        }) && any(&self.tags, |tag| {
            listed.is_some_and(|listed| listed.tags.iter().any(|own| own == tag))
        }) && any(&self.files, |place| {
            listed.is_some_and(|listed| stands_in(listed, place))
        })
    }

    /// Returns an error for a name that none of these tests has.
    pub fn check_names(&self, tests: &[Ended]) -> Result<()> {
        let has = |test: &Ended, part: &str| {
            let line = part.rsplit_once("line_").map(|(_, line)| line.parse());
            test.name.contains(part)
                || (test.line.is_some() && line.and_then(Result::ok) == test.line)
        };
        for name in &self.names {
            if !tests.iter().any(|test| has(test, name)) {
                return Err(user_error::input(format!(
                    "no test has `{name}` in its name; `cargo situ list` shows all"
                )));
            }
        }
        Ok(())
    }

    /// Returns the position of a test's group in the order of execution.
    pub fn group(&self, listed: Option<&Listed>) -> usize {
        let tags = listed
            .map(|listed| listed.tags.as_slice())
            .unwrap_or_default();
        self.order
            .iter()
            .position(|tag| tags.contains(tag))
            .unwrap_or(self.order.len())
    }

    /// Returns an error for a tag that no test has, which is probably misspelt.
    pub fn check(&self, tests: &[Listed]) -> Result<()> {
        let mut known: Vec<&str> = tests
            .iter()
            .flat_map(|test| &test.tags)
            .map(String::as_str)
            .collect();
        known.sort_unstable();
        known.dedup();
        for tag in self.tags.iter().chain(&self.order) {
            if !known.contains(&tag.as_str()) {
                let known = if known.is_empty() {
                    "no test has a tag".to_owned()
                } else {
                    format!("there are: {}", known.join(", "))
                };
                return Err(user_error::input(format!(
                    "no test has the tag `{tag}`; {known}"
                )));
            }
        }
        Ok(())
    }
}

fn any(wanted: &[String], is: impl Fn(&str) -> bool) -> bool {
    wanted.is_empty() || wanted.iter().any(|wanted| is(wanted))
}

/// Returns whether a part of a name contains the line of an in-situ test, `situ_parse::line_12`.
/// Tests without a name were called so in earlier versions.
fn is_at_line(listed: &Listed, part: &str) -> bool {
    let Some((before, line)) = part.rsplit_once("line_") else {
        return false;
    };
    listed.kind.is_in_situ() && line.parse() == Ok(listed.line) && listed.name.contains(before)
}

fn stands_in(listed: &Listed, place: &str) -> bool {
    let (path, line) = match place
        .rsplit_once(':')
        .and_then(|(path, line)| Some((path, line.parse::<usize>().ok()?)))
    {
        Some((path, line)) => (path, Some(line)),
        None => (place, None),
    };
    let path = Path::new(path.trim_start_matches("./"));
    let in_file = listed.file.starts_with(path) || listed.file.ends_with(path);
    in_file
        && line.is_none_or(|line| {
            listed.line == line || (listed.first_line..=listed.last_line).contains(&line)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::catalog::Kind;

    fn test(name: &str, kind: Kind, tags: &[&str]) -> Listed {
        Listed {
            name: name.to_owned(),
            kind,
            package: "p".to_owned(),
            target: "lib p".to_owned(),
            file: "src/a/b.rs".into(),
            line: 9,
            end_line: 9,
            first_line: 7,
            last_line: 8,
            tags: tags.iter().map(ToString::to_string).collect(),
            observed: false,
        }
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_test_is_taken_when_every_question_says_yes() {
        let inline = test(
            "situ_f::x",
            Kind::InSitu(situ_syntax::Kind::Inline),
            &["fast"],
        );
        let taken = |selection: Selection| selection.takes(&inline.name, Some(&inline));
        assert!(taken(Selection::default()));
        assert!(taken(Selection {
            names: words(&["zzz", "f::x"]),
            ..Selection::default()
        }));
        assert!(!taken(Selection {
            names: words(&["zzz"]),
            ..Selection::default()
        }));
        assert!(taken(Selection {
            names: words(&["line_9"]),
            ..Selection::default()
        }));
        assert!(taken(Selection {
            names: words(&["situ_f::line_9"]),
            ..Selection::default()
        }));
        assert!(!taken(Selection {
            names: words(&["line_7"]),
            ..Selection::default()
        }));
        assert!(!taken(Selection {
            names: words(&["situ_g::line_9"]),
            ..Selection::default()
        }));
        assert!(taken(Selection {
            tags: words(&["fast"]),
            kinds: Kinds::OnlyInSitu,
            ..Selection::default()
        }));
        assert!(!taken(Selection {
            tags: words(&["slow"]),
            ..Selection::default()
        }));
        assert!(!taken(Selection {
            kinds: Kinds::NoInSitu,
            ..Selection::default()
        }));
    }

    #[test]
    fn a_place_is_a_folder_a_file_or_a_line() {
        let unit = test("a", Kind::Unit, &[]);
        for (place, stands) in [
            ("src/a", true),
            ("src/a/b.rs", true),
            ("b.rs:9", true),
            ("./src/a/b.rs:7", true),
            ("src/a/b.rs:6", false),
            ("src/c", false),
        ] {
            assert_eq!(stands_in(&unit, place), stands, "{place}");
        }
    }

    #[test]
    fn an_unknown_tag_is_told_with_those_that_are_known() {
        let tests = [test("a", Kind::Unit, &["fast", "text"])];
        let selection = Selection {
            order: words(&["fsat"]),
            ..Selection::default()
        };
        let said = selection.check(&tests).unwrap_err().to_string();
        assert_eq!(said, "no test has the tag `fsat`; there are: fast, text");
    }

    #[test]
    fn groups_follow_the_order_of_tags() {
        let selection = Selection {
            order: words(&["b", "a"]),
            ..Selection::default()
        };
        let groups = [&["a"][..], &["a", "b"], &[]]
            .map(|tags| selection.group(Some(&test("t", Kind::Unit, tags))));
        assert_eq!(groups, [1, 0, 2]);
    }
}
