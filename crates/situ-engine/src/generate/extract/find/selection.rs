//! The statements that a user selects.

use super::survey::Survey;
use crate::base::user_error;
use crate::generate::extract::choose::rank::innermost_at;
use crate::generate::extract::report::Level;
use crate::mutate::operators::OPERATORS;
use crate::record::plan::{BODY, Site};
use crate::source::NamedPlace;
use crate::source::targets::Kind;
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The kinds of fragments.
pub(crate) const FRAGMENT_KINDS: [&str; 3] = [BODY, "block", "closure"];

/// The user's selection; without one every target statement.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The statements at these lines, of any kind.
    pub at: Vec<(PathBuf, usize)>,
    /// Target statements in these files, folders or functions.
    pub places: Vec<String>,
    /// Only target statements of these kinds.
    pub kinds: Vec<String>,
    /// Only so many statements, the most complex first.
    pub top: Option<usize>,
}

impl Selection {
    /// Returns whether target statements are selected, and not only certain lines.
    pub fn wants_targets(&self) -> bool {
        self.at.is_empty() || !self.places.is_empty() || !self.kinds.is_empty()
    }

    /// Returns the selected statements by identity. A selection that matches nothing is the user's
    /// mistake.
    pub fn choose(&self, survey: &Survey, level: Level) -> Result<BTreeSet<u64>> {
        match level {
            Level::Inline => check_names("kind", &self.kinds, &Kind::ALL.map(Kind::name))?,
            Level::Block => check_names("kind", &self.kinds, &FRAGMENT_KINDS)?,
        }
        let lines: Vec<NamedPlace> = self
            .at
            .iter()
            .map(|(path, line)| NamedPlace::Line(without_dot(path), *line))
            .collect();
        let places: Vec<NamedPlace> = self
            .places
            .iter()
            .map(|place| NamedPlace::parse(place))
            .collect();
        let statements: Vec<&Site> = survey
            .sites
            .values()
            .filter(|site| site.position.is_statement())
            .collect();
        let holds = |place: &NamedPlace, site: &Site| {
            place.holds(
                Path::new(&site.file),
                &survey.lines(site),
                Some(&site.function),
            )
        };
        for (place, said) in lines.iter().zip(
            self.at
                .iter()
                .map(|(path, line)| format!("{}:{line}", path.display())),
        ) {
            if !statements.iter().any(|site| holds(place, site)) {
                return Err(user_error::input(format!(
                    "`--at {said}`: there is no testable statement"
                )));
            }
        }
        for (place, said) in places.iter().zip(&self.places) {
            if !statements.iter().any(|site| holds(place, site)) {
                let what = "write a file, a folder or a function that has target statements";
                return Err(user_error::input(format!(
                    "`--in {said}` names no target statement: {what}"
                )));
            }
        }
        let is_asked_target = |site: &Site| {
            let is_target =
                self.wants_targets() && (level == Level::Block || site.kind != Kind::Other.name());
            let is_there = places.is_empty() || places.iter().any(|place| holds(place, site));
            is_target && is_there && (self.kinds.is_empty() || self.kinds.contains(&site.kind))
        };
        // Of the fragments around a line, only the innermost is meant.
        let innermost: BTreeSet<u64> = match level {
            Level::Block => innermost_at(&self.at, &statements, survey)
                .into_iter()
                .map(|site| site.id)
                .collect(),
            Level::Inline => statements.iter().map(|site| site.id).collect(),
        };
        let is_asked = |site: &Site| {
            lines.iter().any(|line| holds(line, site)) && innermost.contains(&site.id)
                || is_asked_target(site)
        };
        let mut chosen: Vec<&Site> = statements
            .into_iter()
            .filter(|site| is_asked(site))
            .collect();
        if let Some(top) = self.top {
            chosen.sort_by_key(|site| std::cmp::Reverse(complexity(&site.text)));
            chosen.truncate(top);
        }
        Ok(chosen.into_iter().map(|site| site.id).collect())
    }
}

/// Checks that the names of held-back operators exist.
pub(crate) fn check_operators(held_back: &BTreeSet<String>) -> Result<()> {
    let names: Vec<&str> = OPERATORS.iter().map(|operator| operator.name).collect();
    check_names(
        "hold-back",
        &held_back.iter().cloned().collect::<Vec<_>>(),
        &names,
    )
}

fn check_names(option: &str, said: &[String], known: &[&str]) -> Result<()> {
    match said.iter().find(|name| !known.contains(&name.as_str())) {
        Some(wrong) => Err(user_error::input(format!(
            "`--{option} {wrong}`: expected one of {}",
            known.join(", ")
        ))),
        None => Ok(()),
    }
}

fn without_dot(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_path_buf()
}

/// Returns the complexity of a statement: its calls, operators, closures and branches.
fn complexity(text: &str) -> usize {
    let calls = text.matches('(').count() + text.matches('[').count() + text.matches('!').count();
    let operators = text
        .chars()
        .filter(|letter| "+-*/%&|^<>=?".contains(*letter))
        .count();
    2 * calls + operators + text.len() / 40
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::plan::Position;
    use std::rc::Rc;

    const TEXT: &str = "fn f(text: &str) {\n    let a = text\n        .trim();\n    g(a);\n}\n";

    fn site(id: u64, line: usize, text: &str, kind: Kind) -> Site {
        let start = TEXT.find(text).unwrap();
        Site {
            id,
            package: "p".to_owned(),
            file: "src/lib.rs".to_owned(),
            module: String::new(),
            line,
            bytes: (start, start + text.len()),
            function: "Reader::f".to_owned(),
            kind: kind.name().to_owned(),
            position: Position::Statement,
            text: text.to_owned(),
            slots: Vec::new(),
            piece: 0,
        }
    }

    fn chosen(asked: &Selection) -> Result<Vec<u64>> {
        let target = site(1, 2, "let a = text\n        .trim();", Kind::Text);
        let other = site(2, 4, "g(a);", Kind::Other);
        let mut survey = Survey::default();
        survey.files.insert(
            "src/lib.rs".into(),
            Rc::new((TEXT.to_owned(), syn::parse_file(TEXT).unwrap())),
        );
        survey.sites.extend([(1, target), (2, other)]);
        Ok(asked.choose(&survey, Level::Inline)?.into_iter().collect())
    }

    #[test]
    fn lines_bring_their_statements_whatever_these_do_and_no_others() {
        let at = |line| Selection {
            at: vec![("./src/lib.rs".into(), line)],
            ..Selection::default()
        };
        assert_eq!(chosen(&at(4)).unwrap(), [2]);
        assert_eq!(
            chosen(&at(3)).unwrap(),
            [1],
            "any line of a statement means it"
        );
        let both = Selection {
            kinds: vec!["text".to_owned()],
            ..at(4)
        };
        assert_eq!(chosen(&both).unwrap(), [1, 2]);
    }

    #[test]
    fn without_a_word_target_statements_are_meant() {
        assert_eq!(chosen(&Selection::default()).unwrap(), [1]);
        assert_eq!(
            chosen(&Selection {
                places: vec!["f".to_owned()],
                ..Selection::default()
            })
            .unwrap(),
            [1]
        );
        assert_eq!(
            chosen(&Selection {
                kinds: vec!["bits".to_owned()],
                ..Selection::default()
            })
            .unwrap(),
            Vec::<u64>::new()
        );
        assert_eq!(
            chosen(&Selection {
                top: Some(0),
                ..Selection::default()
            })
            .unwrap(),
            Vec::<u64>::new()
        );
    }

    #[test]
    fn what_names_nothing_is_said() {
        let said = |asked: Selection| chosen(&asked).unwrap_err().to_string();
        assert!(
            said(Selection {
                at: vec![("src/lib.rs".into(), 5)],
                ..Selection::default()
            })
            .contains("src/lib.rs:5")
        );
        assert!(
            said(Selection {
                places: vec!["nowhere".to_owned()],
                ..Selection::default()
            })
            .contains("--in nowhere")
        );
        assert!(
            said(Selection {
                kinds: vec!["string".to_owned()],
                ..Selection::default()
            })
            .contains("regex, text, bits")
        );
        assert!(check_operators(&BTreeSet::from(["nothing".to_owned()])).is_err());
        assert!(check_operators(&BTreeSet::from([OPERATORS[0].name.to_owned()])).is_ok());
    }

    #[test]
    fn more_calls_and_operators_are_more_complex() {
        assert!(
            complexity("let a = b.split(',').map(f).collect();") > complexity("let a = b.len();")
        );
        assert!(complexity("a = (b << 3) ^ c") > complexity("a = b"));
    }
}
