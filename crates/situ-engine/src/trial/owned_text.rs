//! Generated text in which each part has an owner, and a search for the owners that a compiler
//! message points at.

use crate::base::diagnostics::{Diagnostic, Span};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Text whose parts have owners. Parts may be nested.
#[derive(Clone, Debug)]
pub struct OwnedText<T> {
    pub text: String,
    /// Byte ranges in the text, with their owners.
    pub parts: Vec<(Range<usize>, T)>,
}

impl<T> Default for OwnedText<T> {
    fn default() -> Self {
        OwnedText {
            text: String::new(),
            parts: Vec::new(),
        }
    }
}

impl<T> OwnedText<T> {
    /// Writes a part that belongs to `owner`.
    pub(crate) fn part(&mut self, owner: T, write: impl FnOnce(&mut OwnedText<T>)) {
        let start = self.text.len();
        write(self);
        self.parts.push((start..self.text.len(), owner));
    }
}

/// Generated parts in the files of a mirror, each with its owner.
#[derive(Debug)]
pub(crate) struct Owners<T> {
    parts: Vec<(PathBuf, Range<usize>, T)>,
}

impl<T> Default for Owners<T> {
    fn default() -> Self {
        Owners { parts: Vec::new() }
    }
}

impl<T> Owners<T> {
    pub(crate) fn add(&mut self, file: &Path, range: Range<usize>, owner: T) {
        self.parts.push((file.to_path_buf(), range, owner));
    }

    /// Returns the parts that contain a whole span, in the order in which they were added.
    pub(crate) fn around(&self, span: &Span) -> impl Iterator<Item = (&Range<usize>, &T)> {
        self.parts
            .iter()
            .filter(|(file, range, _)| is_in_file(span, file) && holds(range, span))
            .map(|(_, range, owner)| (range, owner))
    }

    /// Returns the owner of the smallest part that contains a whole span.
    pub(crate) fn innermost(&self, span: &Span) -> Option<&T> {
        let smallest = self.around(span).min_by_key(|(range, _)| range.len());
        smallest.map(|(_, owner)| owner)
    }

    /// Returns the owner of the smallest part that contains a span of a message. Primary spans are
    /// tried first.
    pub(crate) fn culprit(&self, message: &Diagnostic) -> Option<&T> {
        primary_first(message)
            .into_iter()
            .find_map(|span| self.innermost(span))
    }

    /// Returns the owners of all parts that contain a span of a message, in the order in which they
    /// were added.
    pub(crate) fn pointed_into(&self, message: &Diagnostic) -> Vec<&T> {
        let spans = message.all_spans();
        let is_meant = |(file, range, _): &&(PathBuf, Range<usize>, T)| {
            spans
                .iter()
                .any(|span| is_in_file(span, file) && holds(range, span))
        };
        let meant = self.parts.iter().filter(is_meant);
        meant.map(|(_, _, owner)| owner).collect()
    }

    /// Returns the owner of the part whose start is nearest to a primary span of one of these
    /// messages, in the same file.
    pub(crate) fn nearest(&self, messages: &[Diagnostic]) -> Option<&T> {
        let spans: Vec<&Span> = messages
            .iter()
            .flat_map(Diagnostic::all_spans)
            .filter(|span| span.is_primary)
            .collect();
        let distances = self.parts.iter().filter_map(|(file, range, owner)| {
            let beside = spans.iter().filter(|span| is_in_file(span, file));
            let distance = beside.map(|span| span.byte_start.abs_diff(range.start));
            Some((distance.min()?, owner))
        });
        distances
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, owner)| owner)
    }
}

/// Returns the spans of a message and of its notes, primary ones first.
pub(crate) fn primary_first(message: &Diagnostic) -> Vec<&Span> {
    let spans = message.all_spans();
    let (mut primary, rest): (Vec<&Span>, Vec<&Span>) =
        spans.into_iter().partition(|span| span.is_primary);
    primary.extend(rest);
    primary
}

/// Returns whether a range contains a whole span.
pub(crate) fn holds(range: &Range<usize>, span: &Span) -> bool {
    range.start <= span.byte_start && span.byte_end <= range.end
}

/// Returns whether a span is in `file`, which is relative to the workspace root. The compiler may
/// print a relative or an absolute path.
pub(crate) fn is_in_file(span: &Span, file: &Path) -> bool {
    !file.as_os_str().is_empty() && Path::new(&span.file_name).ends_with(file)
}

/// Returns whether a message has a span in a file.
pub(crate) fn is_about_file(message: &Diagnostic, file: &Path) -> bool {
    message
        .all_spans()
        .iter()
        .any(|span| is_in_file(span, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(file_name: &str, bytes: Range<usize>, is_primary: bool) -> Span {
        Span {
            file_name: file_name.to_owned(),
            byte_start: bytes.start,
            byte_end: bytes.end,
            line_start: 1,
            is_primary,
            suggested_replacement: None,
            expansion: None,
        }
    }

    fn message(spans: Vec<Span>) -> Diagnostic {
        Diagnostic {
            message: String::new(),
            code: None,
            level: "error".to_owned(),
            spans,
            children: Vec::new(),
            rendered: None,
        }
    }

    fn owners() -> Owners<&'static str> {
        let mut text = OwnedText::default();
        text.text.push_str("fn f() { ");
        text.part("test", |text| {
            text.text.push_str("itest!(");
            text.part("row", |text| text.text.push_str("1 => 2"));
            text.text.push_str(");");
        });
        text.text.push_str(" }");
        let mut owners = Owners::default();
        for (range, owner) in text.parts {
            owners.add(Path::new("src/lib.rs"), range, owner);
        }
        owners
    }

    #[test]
    fn the_smallest_part_around_a_span_owns_it() {
        let check = |bytes: Range<usize>, expected: Option<&str>| {
            let owners = owners();
            let found = owners.innermost(&span("src/lib.rs", bytes.clone(), true));
            assert_eq!(found.copied(), expected, "{bytes:?}");
        };
        check(16..17, Some("row"));
        check(16..23, Some("test"));
        check(9..12, Some("test"));
        check(0..2, None);
        check(0..30, None);
    }

    #[test]
    fn an_error_is_about_its_own_place_before_those_of_its_notes() {
        let error = message(vec![
            span("src/lib.rs", 9..12, false),
            span("src/lib.rs", 17..18, true),
        ]);
        assert_eq!(owners().culprit(&error), Some(&"row"));
        assert_eq!(owners().pointed_into(&error), [&"row", &"test"]);
        let elsewhere = message(vec![span("src/lib.rs", 0..1, true)]);
        assert_eq!(owners().culprit(&elsewhere), None);
        assert_eq!(owners().nearest(&[elsewhere]), Some(&"test"));
        let other_file = message(vec![span("src/other.rs", 17..18, true)]);
        assert_eq!(owners().nearest(&[other_file]), None);
    }

    #[test]
    fn files_are_known_by_relative_and_whole_paths() {
        let at = |file_name: &str| span(file_name, 0..1, true);
        assert!(is_in_file(&at("src/lib.rs"), Path::new("src/lib.rs")));
        assert!(is_in_file(
            &at("/somewhere/src/lib.rs"),
            Path::new("src/lib.rs")
        ));
        assert!(!is_in_file(
            &at("src/lib.rs"),
            Path::new("other/src/lib.rs")
        ));
        assert!(
            !is_in_file(&at("src/lib.rs"), Path::new("")),
            "a statement that is not in the mirror"
        );
    }
}
