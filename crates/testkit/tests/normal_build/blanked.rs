//! The same source with spaces where Situ was: every other character stays where it is, so that panics name the same
//! lines and columns.

const CALLS: &[&str] = &["itest!(", "blocktest!(", "closuretest!(", "endtest!("];
const LINES: &[&str] = &["use situ::prelude::*;", "#[situ]"];

/// Blanks the tests, and leaves the attribute and the import.
pub fn without_tests(source: &str) -> String {
    blanked(source, length_of_test)
}

/// Blanks the tests, the attribute and the import.
pub fn without_situ(source: &str) -> String {
    blanked(source, |text| {
        let line = LINES.iter().find(|line| text.starts_with(**line));
        line.map_or_else(|| length_of_test(text), |line| line.len())
    })
}

/// Puts spaces where `length` says that this many bytes at the start of the rest are Situ's.
fn blanked(source: &str, length: impl Fn(&str) -> usize) -> String {
    let mut kept = String::new();
    let mut rest = source;
    while !rest.is_empty() {
        let (blank, after) = rest.split_at(length(rest));
        kept.extend(blank.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        let mut characters = after.chars();
        kept.extend(characters.next());
        rest = characters.as_str();
    }
    kept
}

fn length_of_test(text: &str) -> usize {
    let Some(call) = CALLS.iter().find(|call| text.starts_with(**call)) else {
        return 0;
    };
    let closing = closing_parenthesis(&text[call.len()..]);
    call.len() + closing + ");".len()
}

/// Where the parenthesis closes that was opened before this text, strings aside.
fn closing_parenthesis(text: &str) -> usize {
    let (mut depth, mut in_string, mut escaped) = (1, false, false);
    for (index, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '(' if !in_string => depth += 1,
            ')' if !in_string => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    panic!("a call is never closed: {text}")
}

#[test]
fn blanking_leaves_everything_else_in_its_place() {
    let source = "#[situ]\nfn f() {\n    let a = 1;\n    itest!(\n        check_eq(\")\\\"\", (1))\n    );\n    a;\n}\n";
    let expected = "       \nfn f() {\n    let a = 1;\n           \n                            \n      \n    a;\n}\n";
    assert_eq!(without_situ(source), expected);
    assert_eq!(
        without_tests(source),
        expected.replacen("       ", "#[situ]", 1)
    );
}
