//! Places that users name: a file, a folder, a line or a function.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Place that a user named in an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedPlace {
    Path(PathBuf),
    /// Line of a file, counted from one.
    Line(PathBuf, usize),
    /// Function, with as much of its path as the user wrote.
    Function(String),
}

impl NamedPlace {
    /// Parses an argument. Whether it means a file, a line or a function depends only on its form.
    pub fn parse(text: &str) -> NamedPlace {
        let text = text.strip_prefix("./").unwrap_or(text);
        match text.rsplit_once(':') {
            Some((path, line)) if path.ends_with(".rs") && line.parse::<usize>().is_ok() => {
                NamedPlace::Line(PathBuf::from(path), line.parse().unwrap_or(0))
            }
            _ if text.ends_with(".rs") || text.contains('/') || text == "src" || text == "." => {
                NamedPlace::Path(PathBuf::from(
                    text.trim_end_matches('/').trim_start_matches('.'),
                ))
            }
            _ => NamedPlace::Function(text.to_owned()),
        }
    }

    /// Returns whether these lines of a file are in the place. `function` is the path of the
    /// function that contains them, if any.
    pub fn holds(
        &self,
        file: &Path,
        lines: &RangeInclusive<usize>,
        function: Option<&str>,
    ) -> bool {
        match self {
            NamedPlace::Path(path) => is_below(file, path),
            NamedPlace::Line(path, line) => file.ends_with(path) && lines.contains(line),
            NamedPlace::Function(name) => function.is_some_and(|full| is_called(full, name)),
        }
    }

    /// Returns whether a file is in the place, or has a function of that name.
    pub fn is_in<'f>(&self, file: &Path, mut functions: impl Iterator<Item = &'f str>) -> bool {
        match self {
            NamedPlace::Path(path) => is_below(file, path),
            NamedPlace::Line(path, _) => file.ends_with(path),
            NamedPlace::Function(name) => functions.any(|full| is_called(full, name)),
        }
    }
}

/// Returns whether a file is `path` or inside it. Matches any suffix, because users also write
/// paths relative to a member's folder.
fn is_below(file: &Path, path: &Path) -> bool {
    file.ancestors().any(|above| above.ends_with(path))
}

fn is_called(full: &str, name: &str) -> bool {
    full == name || full.ends_with(&format!("::{name}")) || name.ends_with(&format!("::{full}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(place: &str, file: &str, function: &str) -> bool {
        NamedPlace::parse(place).holds(Path::new(file), &(4..=6), Some(function))
    }

    #[test]
    fn files_folders_lines_and_functions_are_told_apart() {
        assert!(holds("src/parse.rs", "src/parse.rs", "parse::next"));
        assert!(holds("src/", "src/parse/token.rs", "next"));
        assert!(holds("./src", "member/src/parse.rs", "next"));
        assert!(holds("src/parse.rs:5", "src/parse.rs", "next"));
        assert!(holds("Parser::next", "src/parse.rs", "parse::Parser::next"));
        assert!(holds("parse::Parser::next", "src/parse.rs", "Parser::next"));
        assert!(!holds("src/parse.rs:7", "src/parse.rs", "next"));
        assert!(!holds("src/other", "src/parse.rs", "next"));
        assert!(!holds("ext", "src/parse.rs", "next"));
    }

    #[test]
    fn places_are_files_lines_or_functions() {
        assert_eq!(
            NamedPlace::parse("src/parse.rs:12"),
            NamedPlace::Line("src/parse.rs".into(), 12)
        );
        assert_eq!(
            NamedPlace::parse("./src/parse.rs"),
            NamedPlace::Path("src/parse.rs".into())
        );
        assert_eq!(
            NamedPlace::parse("src/parse/"),
            NamedPlace::Path("src/parse".into())
        );
        assert_eq!(
            NamedPlace::parse("Parser::next"),
            NamedPlace::Function("Parser::next".to_owned())
        );
    }

    #[test]
    fn a_path_may_begin_at_the_workspace_or_at_the_member() {
        let file = Path::new("member/src/parse/number.rs");
        for path in [
            "member/src/parse/number.rs",
            "src/parse/number.rs",
            "src/parse",
            "member",
            "src",
        ] {
            assert!(is_below(file, Path::new(path)), "{path}");
        }
        for path in ["src/number.rs", "other", "ember", "src/parse/number"] {
            assert!(!is_below(file, Path::new(path)), "{path}");
        }
    }
}
