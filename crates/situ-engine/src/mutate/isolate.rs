//! Excludes the parts of a unit that alone cause an error, so that everything else is compiled with
//! mutants and judged.

use super::blame::{Compiled, find};
use super::mutant::FileMutants;
use super::row_harness::judge_ranges;
use super::weave::FileState;
use crate::base::diagnostics::{Diagnostic, Span};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Errors that a function causes anywhere if it has lost its `const`.
const OF_CONSTANTS: &[&str] = &["E0015", "E0379"];

/// Part of a unit that is compiled without row judges.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftOut {
    /// Path of the file, or `None` for the whole unit.
    pub file: Option<PathBuf>,
    /// Message of the compiler.
    pub error: String,
}

/// Removes the row judges that errors point into, and replaces files by their originals if no
/// mutant of theirs can be to blame. Returns what was excluded.
pub(crate) fn leave_out(
    files: &mut [Compiled],
    diagnostics: &[Diagnostic],
    as_it_is: &dyn Fn(&Path) -> Result<String>,
) -> Result<Vec<LeftOut>> {
    let mut judges: BTreeMap<(usize, usize), String> = BTreeMap::new();
    let mut whole: BTreeMap<usize, String> = BTreeMap::new();
    for error in diagnostics
        .iter()
        .filter(|said| said.is_error() && !OF_CONSTANTS.contains(&said.code()))
    {
        let spans: Vec<(usize, &Span)> = error
            .all_spans()
            .into_iter()
            .filter_map(|span| find(files, span))
            .collect();
        let inside = spans.iter().filter(|(_, span)| span.is_primary);
        let inside = inside.filter_map(|(file, span)| {
            Some((*file, judge_around(&files[*file].woven.text, span)?))
        });
        let inside: Vec<(usize, usize)> = inside.collect();
        judges.extend(inside.iter().map(|judge| (*judge, error.message.clone())));
        if inside.is_empty()
            && !spans
                .iter()
                .any(|(file, _)| files[*file].state.alive.contains(&true))
        {
            let expanded = spans
                .iter()
                .map(|(file, _)| *file)
                .filter(|file| files[*file].state.file.expanded.is_some());
            whole.extend(expanded.map(|file| (file, error.message.clone())));
        }
    }
    let mut left_out: BTreeSet<LeftOut> = BTreeSet::new();
    // In reverse order, because removing a judge changes the numbers of later ones.
    for ((file, number), error) in judges.into_iter().rev() {
        let state = &mut files[file].state;
        if let Some(range) = judge_ranges(&state.text).get(number) {
            state.text = blanked(&state.text, range);
            left_out.insert(LeftOut {
                file: Some(state.file.path.clone()),
                error,
            });
        }
    }
    for (file, error) in whole {
        let path = files[file].state.file.path.clone();
        let plain = FileMutants {
            path: path.clone(),
            ..FileMutants::default()
        };
        files[file].state = FileState::new(as_it_is(&path)?, plain, |_| false);
        left_out.insert(LeftOut {
            file: Some(path),
            error,
        });
    }
    Ok(left_out.into_iter().collect())
}

/// Returns the number of the judge that contains a span. The number does not depend on the mutants,
/// because judges contain none.
fn judge_around(text: &str, span: &Span) -> Option<usize> {
    judge_ranges(text)
        .iter()
        .position(|range| range.start <= span.byte_start && span.byte_end <= range.end)
}

/// Replaces a range by blanks, so that all other offsets stay.
fn blanked(text: &str, range: &Range<usize>) -> String {
    let blank: String = text[range.clone()]
        .bytes()
        .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
        .collect();
    format!("{}{blank}{}", &text[..range.start], &text[range.end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    const JUDGE: &str =
        "# [ test ] # [ ignore = \"judges rows\" ] fn situ_judge_of_rows ( ) { j ( ) ; }";

    fn file(path: &str, text: &str) -> Compiled {
        let file = FileMutants {
            path: PathBuf::from(path),
            expanded: Some(text.to_owned()),
            ..FileMutants::default()
        };
        let state = FileState::new(text.to_owned(), file, |_| false);
        Compiled {
            woven: state.weave(),
            state,
        }
    }

    fn error(path: &str, at: usize) -> Diagnostic {
        let said = format!(
            r#"{{"message":"no such function","level":"error","code":null,"spans":[{{"file_name":"{path}","byte_start":{at},
            "byte_end":{at},"line_start":1,"line_end":1,"column_start":1,"column_end":1,"is_primary":true,"text":[],
            "label":null,"expansion":null}}],"children":[],"rendered":null}}"#
        );
        serde_json::from_str(&said).unwrap()
    }

    #[test]
    fn a_judge_with_an_error_goes_and_the_others_stay() {
        let text = format!("mod a {{ {JUDGE} }} mod b {{ {JUDGE} }} mod c {{ {JUDGE} }}");
        let mut files = [file("src/a.rs", &text), file("src/b.rs", &text)];
        let second = text.find("mod b").unwrap() + 40;
        let third = text.find("mod c").unwrap() + 40;
        let errors = [error("src/b.rs", second), error("src/b.rs", third)];
        let left_out = leave_out(&mut files, &errors, &|_| unreachable!()).unwrap();
        assert_eq!(
            left_out,
            [LeftOut {
                file: Some("src/b.rs".into()),
                error: "no such function".to_owned()
            }]
        );
        assert_eq!(judge_ranges(&files[0].state.text).len(), 3);
        assert_eq!(judge_ranges(&files[1].state.text).len(), 1);
        assert_eq!(files[1].state.text.len(), text.len());
        assert!(
            files[1].state.text[..text.find("mod b").unwrap()].contains(JUDGE),
            "the first one is not to blame"
        );
    }

    #[test]
    fn a_file_without_mutants_that_has_an_error_is_compiled_as_it_is() {
        let text = format!("fn x() {{}} mod a {{ {JUDGE} }}");
        let mut files = [file("src/a.rs", &text), file("src/b.rs", &text)];
        let read = RefCell::new(Vec::new());
        let as_it_is = |path: &Path| {
            read.borrow_mut().push(path.to_path_buf());
            Ok("fn x() {}".to_owned())
        };
        let left_out = leave_out(&mut files, &[error("src/a.rs", 3)], &as_it_is).unwrap();
        assert_eq!(
            (left_out.len(), read.into_inner()),
            (1, vec![PathBuf::from("src/a.rs")])
        );
        assert_eq!(files[0].state.text, "fn x() {}");
        assert!(
            judge_ranges(&files[1].state.text).len() == 1 && files[0].state.file.expanded.is_none()
        );
    }
}
