//! Line endings and indentation.

/// Returns the line ending that most lines of `text` have.
pub(crate) fn dominant_ending(text: &str) -> &'static str {
    let both = text.matches("\r\n").count();
    let all = text.matches('\n').count();
    if both > all - both { "\r\n" } else { "\n" }
}

/// Returns the byte offset of the start of the line that contains the byte `at`.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Returns the line number of the byte `at`, counted from one.
pub(crate) fn line_number(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Returns the indentation of the line that contains the byte `at`, up to that byte.
pub(crate) fn indent_of_line(text: &str, at: usize) -> &str {
    let line = without_mark(text, line_start(text, at), at);
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Returns whether only whitespace precedes the byte `at` on its line.
pub(crate) fn is_first_on_line(text: &str, at: usize) -> bool {
    without_mark(text, line_start(text, at), at)
        .trim()
        .is_empty()
}

/// Returns a part of `text` without the byte order mark, which is not part of the first line.
fn without_mark(text: &str, start: usize, end: usize) -> &str {
    let part = &text[start..end];
    if start == 0 {
        part.strip_prefix('\u{feff}').unwrap_or(part)
    } else {
        part
    }
}

/// Returns one level of indentation, as most indented lines of `text` have it.
pub(crate) fn indent_unit(text: &str) -> String {
    let tabs = text.lines().filter(|line| line.starts_with('\t')).count();
    let widths = text
        .lines()
        .filter(|line| line.starts_with("  ") && !line.trim().is_empty());
    let widths: Vec<usize> = widths
        .map(|line| line.len() - line.trim_start_matches(' ').len())
        .collect();
    if tabs > widths.len() {
        return "\t".to_owned();
    }
    let fits = |unit: usize| {
        widths.iter().filter(|width| *width % unit == 0).count() * 10 >= widths.len() * 9
    };
    let unit = [8, 4, 2]
        .into_iter()
        .find(|unit| !widths.is_empty() && fits(*unit))
        .unwrap_or(4);
    " ".repeat(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_most_lines_counts() {
        assert_eq!(dominant_ending("a\r\nb\r\nc\n"), "\r\n");
        assert_eq!(dominant_ending("a\r\nb\nc\n"), "\n");
        assert_eq!(dominant_ending("no line ends here"), "\n");
    }

    #[test]
    fn indentation_is_learned_from_the_text() {
        assert_eq!(indent_unit("a\n  b\n    c\n  d\n"), "  ");
        assert_eq!(indent_unit("a\n    b\n        c\n    d\n"), "    ");
        assert_eq!(indent_unit("a\n\tb\n\t\tc\n"), "\t");
        assert_eq!(indent_unit("a"), "    ");
        let text = "\u{feff}fn f() {\n\t x";
        assert_eq!(indent_of_line(text, text.len() - 1), "\t ");
        assert!(is_first_on_line(text, 3) && !is_first_on_line(text, 6));
    }
}
