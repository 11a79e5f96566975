//! Line breaks that are inserted into code on one line. They absorb the blanks around them, so that
//! no line ends in one. Several at one place become one.

/// Placeholder for a line break until the text is composed. Private-use chars, which no source
/// contains.
const BREAK: char = '\u{f5170}';
const END: char = '\u{f5171}';

/// Returns a placeholder for a line break followed by `indent`.
pub(super) fn line_break(indent: &str) -> String {
    format!("{BREAK}{indent}{END}")
}

/// Replaces all placeholders by line breaks.
pub(super) fn with_line_breaks(text: &str, ending: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(BREAK) {
        let (indent, behind) = behind.split_once(END).unwrap_or((behind, ""));
        out.push_str(before);
        out.truncate(out.trim_end_matches([' ', '\t']).len());
        rest = behind.trim_start_matches([' ', '\t']);
        // The last of several decides the indentation.
        if !rest.starts_with(BREAK) {
            if !out.ends_with('\n') {
                out.push_str(ending);
            }
            out.push_str(indent);
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_ends_in_a_blank_and_breaks_at_one_place_are_one() {
        let text = format!(
            "if x {{ {}{}t(); {}  }}",
            line_break("    "),
            line_break("  "),
            line_break("")
        );
        assert_eq!(with_line_breaks(&text, "\n"), "if x {\n  t();\n}");
        assert_eq!(with_line_breaks("a(); \n", "\n"), "a(); \n");
    }
}
